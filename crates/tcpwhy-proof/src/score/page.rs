//! The score in words: for the terminal, and as a page of the documentation.

use std::fmt::Write as _;

use tcpwhy_model::Limit;
use tcpwhy_report::text::Table;
use tcpwhy_report::{Args, Wording};

use super::Score;
use super::group::Group;
use super::judge::Judged;
use super::reliability::{Bin, Reliability};
use super::summary::Summary;
use super::vantage::Vantage;

/// Shares under this are not worth a word.
const SMALL: f64 = 0.005;

/// The score and the words for it.
#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    pub(super) wording: Wording<'a>,
    pub(super) score: &'a Score,
}

impl Page<'_> {
    /// For the terminal; `with_runs`: a line for each capture.
    pub(super) fn text(&self, with_runs: bool) -> String {
        let mut out = self.count();
        out.push('\n');
        if with_runs {
            for run in &self.score.runs {
                let _ = writeln!(out, "  {}", self.run(run));
            }
        }
        for lost in &self.score.failed {
            let _ = writeln!(out, "  {}", self.with_name("score-failed", &lost.name, &lost.why));
        }
        if with_runs {
            for lost in &self.score.left_out {
                let _ = writeln!(
                    out,
                    "  {}",
                    self.with_name("score-left-out", &lost.name, &self.word(&format!("proof-doubt-{}", lost.why)))
                );
            }
        }
        let _ = write!(out, "\n{}", self.figures().text());
        for (heading, table) in self.reliability() {
            let _ = write!(out, "\n{heading}\n{}", table.text());
        }
        for summary in &self.score.summaries {
            for (heading, table) in self.matrices(summary) {
                let _ = write!(out, "\n{heading}\n{}", table.text());
            }
        }
        out
    }

    /// As a page of the documentation.
    pub(super) fn markdown(&self) -> String {
        let head = ["score-title", "score-introduction", "score-field"].map(|id| self.word(id));
        let mut out = format!("# {}\n\n{}\n\n{}\n\n", head[0], head[1], head[2]);
        if let Some(random) = &self.score.random {
            let args = Args::new().text("command", format!("tcpwhy lab score --random {random} --markdown docs"));
            let _ = writeln!(out, "{}\n", self.wording.catalogue().text("score-command", &args));
        }
        let _ = writeln!(out, "{}\n\n{}", self.count(), self.figures().markdown());
        let _ = writeln!(out, "{}", self.word("score-definitions"));
        for (heading, table) in self.reliability() {
            let _ = write!(out, "\n## {heading}\n\n{}", table.markdown());
        }
        for summary in &self.score.summaries {
            for (heading, table) in self.matrices(summary) {
                let _ = write!(out, "\n## {heading}\n\n{}", table.markdown());
            }
        }
        out
    }

    fn word(&self, id: &str) -> String {
        self.wording.catalogue().word(id)
    }

    fn with_name(&self, id: &str, name: &str, why: &str) -> String {
        self.wording.catalogue().text(id, &Args::new().text("name", name).text("why", why))
    }

    fn place(&self, vantage: Vantage) -> String {
        self.word(&format!("score-at-{vantage}"))
    }

    fn count(&self) -> String {
        let args = Args::new()
            .number("captures", self.score.runs.len() as u64)
            .number("left-out", self.score.left_out.len() as u64)
            .number("failed", self.score.failed.len() as u64);
        self.wording.catalogue().text("score-count", &args)
    }

    fn figures(&self) -> Table {
        let all = &self.score.summaries;
        let mut table =
            Table::new(std::iter::once(String::new()).chain(all.iter().map(|s| self.place(s.vantage))).collect());
        let mut row = |id: &str, cell: &dyn Fn(&Summary) -> String| {
            table.push(std::iter::once(self.word(id)).chain(all.iter().map(cell)).collect());
        };
        let ratio = |[right, of]: [usize; 2]| format!("{right}/{of}");
        let share = |share: f64| self.wording.units().share(share);
        row("score-row-captures", &|s| s.runs.to_string());
        row("score-row-dominant", &|s| ratio(s.dominant));
        row("score-row-verdict", &|s| ratio(s.verdict));
        if all.iter().any(|s| s.limit[1] > 0) {
            row("score-row-limit", &|s| ratio(s.limit));
        }
        if all.iter().any(|s| s.expected[1] > 0) {
            row("score-row-expected", &|s| ratio(s.expected));
        }
        row("score-row-tv-mean", &|s| format!("{:.3}", s.tv_mean));
        row("score-row-tv-median", &|s| format!("{:.3}", s.tv_median));
        row("score-row-tv-p90", &|s| format!("{:.3}", s.tv_p90));
        row("score-row-ambiguous", &|s| share(s.ambiguous));
        if all.iter().any(|s| s.limit[1] > 0) {
            row("score-row-calibration", &|s| format!("{:.3}", s.reliability.error));
        }
        row("score-row-sums", &|s| s.sums_wrong.to_string());
        table
    }

    /// Said against right: by what was said, and by the limit that was said. A cell is "right of how many (said)".
    fn reliability(&self) -> Vec<(String, Table)> {
        let all: Vec<&Summary> = self.score.summaries.iter().filter(|summary| summary.limit[1] > 0).collect();
        if all.is_empty() {
            return Vec::new();
        }
        let places = || all.iter().map(|summary| self.place(summary.vantage));
        let cell = |bin: Option<&Bin>| match bin.filter(|bin| bin.count > 0) {
            None => "·".to_owned(),
            Some(bin) => {
                let percent = |share: f64| self.wording.units().share(share);
                let args = Args::new()
                    .text("said", percent(bin.said))
                    .text("right", percent(bin.right))
                    .text("count", bin.count.to_string());
                self.wording.catalogue().text("score-reliability-cell", &args)
            }
        };
        let mut by_step = Table::new(std::iter::once(self.word("score-reliability-said")).chain(places()).collect());
        for (step, [least, most]) in Reliability::RANGES.into_iter().enumerate() {
            if all.iter().any(|summary| summary.reliability.bins[step].count > 0) {
                let cells = all.iter().map(|summary| cell(Some(&summary.reliability.bins[step])));
                by_step.push(std::iter::once(format!("{least} – {most} %")).chain(cells).collect());
            }
        }
        let mut limits: Vec<&String> = all.iter().flat_map(|summary| summary.reliability_by_limit.keys()).collect();
        limits.sort_unstable();
        limits.dedup();
        let mut by_limit = Table::new(std::iter::once(self.word("score-reliability-limit")).chain(places()).collect());
        for limit in limits {
            let cells = all.iter().map(|summary| cell(summary.reliability_by_limit.get(limit)));
            by_limit.push(std::iter::once(self.limit(limit)).chain(cells).collect());
        }
        vec![
            (self.word("score-heading-reliability"), by_step),
            (self.word("score-heading-reliability-limits"), by_limit),
        ]
    }

    /// Both confusion matrices of one place, with their headings.
    fn matrices(&self, summary: &Summary) -> [(String, Table); 2] {
        let at = Args::new().text("at", self.place(summary.vantage));
        let groups = self.wording.catalogue().text("score-heading-groups", &at);
        let at = Args::new().text("at", self.place(summary.vantage));
        let limits = self.wording.catalogue().text("score-heading-limits", &at);
        [(groups, self.groups(summary)), (limits, self.limits(summary))]
    }

    fn groups(&self, summary: &Summary) -> Table {
        let name = |group: Group| self.wording.limit_group(group);
        let heading = std::iter::once(self.word("score-true-said")).chain(Group::ALL.map(name));
        let mut table = Table::new(heading.collect());
        for group in summary.true_groups() {
            let counts = summary.groups[group as usize].map(number);
            table.push(std::iter::once(name(group)).chain(counts).collect());
        }
        table
    }

    fn limits(&self, summary: &Summary) -> Table {
        let verdicts = summary.verdicts();
        let heading =
            std::iter::once(self.word("score-imposed-said")).chain(verdicts.iter().map(|verdict| self.limit(verdict)));
        let mut table = Table::new(heading.collect());
        for (imposed, said) in &summary.limits {
            let counts = verdicts.iter().map(|&verdict| number(said.get(verdict).copied().unwrap_or_default()));
            table.push(std::iter::once(self.limit(imposed)).chain(counts).collect());
        }
        table
    }

    /// A limit by its id, or `none`, `mixed`.
    fn limit(&self, id: &str) -> String {
        Limit::from_id(id).map_or_else(|| self.word(&format!("score-limit-{id}")), |limit| self.wording.limit(limit))
    }

    fn run(&self, run: &Judged) -> String {
        let shares = |shares: &[f64; 4]| {
            let parts: Vec<String> = Group::ALL
                .into_iter()
                .filter(|&group| shares[group as usize] >= SMALL)
                .map(|group| {
                    let share = self.wording.units().share(shares[group as usize]);
                    format!("{} {share}", self.wording.limit_group(group))
                })
                .collect();
            parts.join(&self.word("list-separator"))
        };
        let is_right = (run.true_group == run.said_group || !run.is_clear)
            && run.is_verdict_right != Some(false)
            && run.is_expected != Some(false);
        let args = Args::new()
            .text("name", run.name.clone())
            .text("at", self.place(run.vantage))
            .text("mark", self.word(if is_right { "score-right" } else { "score-wrong" }))
            .text("imposed", self.limit(&run.imposed))
            .text("verdict", self.limit(&run.verdict))
            .text("tv", format!("{:.3}", run.tv))
            .text("truth", shares(&run.truth))
            .text("answer", shares(&run.answer));
        self.wording.catalogue().text("score-run", &args)
    }
}

/// Zeros would hide what is there.
fn number(count: usize) -> String {
    if count == 0 { "·".to_owned() } else { count.to_string() }
}
