//! The score as text: for the terminal, and as a page of the documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tcpwhy_model::{Cause, Limit};
use tcpwhy_report::text::Table;
use tcpwhy_report::{Args, Wording};
use tcpwhy_scenario::TalkKind;

use super::group::Group;
use super::judge::Judged;
use super::reliability::{Bin, Reliability};
use super::scored::Score;
use super::summary::{NO_REASON, Summary, TalkTally, Tally};
use super::vantage::Vantage;

/// Smaller shares are not mentioned.
const SMALL: f64 = 0.005;

/// The score and its wording.
#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    pub(super) wording: Wording<'a>,
    pub(super) score: &'a Score,
}

impl Page<'_> {
    /// The score for the terminal; `with_runs` adds a line for each capture.
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
        for (heading, table) in self.tallies().into_iter().chain(self.talks()).chain(self.reliability()) {
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
        for (heading, table) in self.tallies().into_iter().chain(self.talks()).chain(self.reliability()) {
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
        row("score-row-headline", &|s| ratio(s.headline));
        if all.iter().any(|s| s.fix[1] > 0) {
            row("score-row-fix", &|s| ratio(s.fix));
        }
        if all.iter().any(|s| s.exchanges[1] > 0) {
            row("score-row-exchanges", &|s| ratio(s.exchanges));
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

    /// Reported confidence compared with the share of right answers: by confidence, and by the reported
    /// limit. A cell is "right of how many (said)".
    fn reliability(&self) -> Vec<(String, Table)> {
        let all: Vec<&Summary> = self.score.summaries.iter().filter(|summary| summary.limit[1] > 0).collect();
        if all.is_empty() {
            return Vec::new();
        }
        let places = || all.iter().map(|summary| self.place(summary.vantage));
        let cell = |bin: Option<&Bin>| self.bin(bin);
        let mut by_step = Table::new(std::iter::once(self.word("score-reliability-said")).chain(places()).collect());
        for (step, [least, most]) in Reliability::RANGES.into_iter().enumerate() {
            if all.iter().any(|summary| summary.reliability.bins[step].count > 0) {
                let cells = all.iter().map(|summary| cell(Some(&summary.reliability.bins[step])));
                by_step.push(std::iter::once(format!("{least} – {most} %")).chain(cells).collect());
            }
        }
        let by_limit =
            self.rows(&all, "score-reliability-limit", |s| &s.reliability_by_limit, &|id| self.limit(id), &cell);
        let by_form =
            self.rows(&all, "score-reliability-limit", |s| &s.reliability_by_form, &|id| self.form(id), &cell);
        let reason = |id: &str| self.reason(id);
        let by_reason = self.rows(&all, "score-reliability-reason", |s| &s.reliability_by_reason, &reason, &cell);
        let number = |id: &str| self.word(&format!("score-number-{id}"));
        let by_number = self.rows(&all, "score-reliability-number", |s| &s.reliability_by_number, &number, &cell);
        let is_tried = all.iter().any(|summary| !summary.reliability_by_number.is_empty());
        let by_number = is_tried.then(|| (self.word("score-heading-reliability-numbers"), by_number));
        let mut tables = vec![
            (self.word("score-heading-reliability"), by_step),
            (self.word("score-heading-reliability-limits"), by_limit),
            (self.word("score-heading-reliability-forms"), by_form),
            (self.word("score-heading-reliability-reasons"), by_reason),
        ];
        tables.extend(by_number);
        tables
    }

    /// Right limits, forms and fixes by the cause that the scenario sets, and by the way the program writes.
    fn tallies(&self) -> Vec<(String, Table)> {
        let all: Vec<&Summary> = self.score.summaries.iter().filter(|summary| summary.limit[1] > 0).collect();
        if all.is_empty() {
            return Vec::new();
        }
        let cell = |tally: Option<&Tally>| self.tally(tally);
        let by_imposed = self.rows(&all, "score-imposed", |s| &s.by_imposed, &|id| self.form(id), &cell);
        let writing = |id: &str| self.word(&format!("score-writing-{id}"));
        let by_writing = self.rows(&all, "score-writing", |s| &s.by_writing, &writing, &cell);
        vec![
            (self.word("score-heading-imposed"), by_imposed),
            (self.word("score-heading-writing"), by_writing),
            (self.word("score-heading-places"), self.places()),
        ]
    }

    /// Right exchanges, by the kind of conversation.
    fn talks(&self) -> Option<(String, Table)> {
        let all = &self.score.summaries;
        let kinds: BTreeSet<TalkKind> = all.iter().flat_map(|summary| summary.by_talk.keys().copied()).collect();
        if kinds.is_empty() {
            return None;
        }
        let places = all.iter().map(|summary| self.place(summary.vantage));
        let mut table = Table::new(std::iter::once(self.word("score-talk")).chain(places).collect());
        for kind in kinds {
            let cells = all.iter().map(|summary| self.talk(summary.by_talk.get(&kind)));
            table.push(std::iter::once(self.word(&format!("score-talk-{}", kind.id()))).chain(cells).collect());
        }
        Some((self.word("score-heading-talks"), table))
    }

    fn talk(&self, tally: Option<&TalkTally>) -> String {
        let Some(tally) = tally else { return NOTHING.to_owned() };
        let args = Args::new()
            .text("right", tally.right.to_string())
            .text("count", (tally.right + tally.silent + tally.wrong).to_string())
            .number("silent", tally.silent as u64);
        self.wording.catalogue().text("score-talk-cell", &args)
    }

    /// The places where captures were taken, and where they seem to have been taken.
    fn places(&self) -> Table {
        let all = &self.score.summaries;
        let mut seen: Vec<&String> = all.iter().flat_map(|summary| summary.seen_from.keys()).collect();
        seen.sort_unstable();
        seen.dedup();
        let names = seen.iter().map(|seen| self.word(&format!("score-seen-{}", seen.to_lowercase())));
        let mut table = Table::new(std::iter::once(self.word("score-true-said")).chain(names).collect());
        for summary in all {
            let counts = seen.iter().map(|&seen| number(summary.seen_from.get(seen).copied().unwrap_or_default()));
            table.push(std::iter::once(self.place(summary.vantage)).chain(counts).collect());
        }
        table
    }

    /// A table with a row for each key of a summary, and a column for each place.
    fn rows<V>(
        &self,
        all: &[&Summary],
        heading: &str,
        of: fn(&Summary) -> &BTreeMap<String, V>,
        name: &dyn Fn(&str) -> String,
        cell: &dyn Fn(Option<&V>) -> String,
    ) -> Table {
        let keys: BTreeSet<&String> = all.iter().flat_map(|summary| of(summary).keys()).collect();
        let places = all.iter().map(|summary| self.place(summary.vantage));
        let mut table = Table::new(std::iter::once(self.word(heading)).chain(places).collect());
        for key in keys {
            let cells = all.iter().map(|summary| cell(of(summary).get(key)));
            table.push(std::iter::once(name(key)).chain(cells).collect());
        }
        table
    }

    fn tally(&self, tally: Option<&Tally>) -> String {
        let Some(tally) = tally.filter(|tally| tally.count > 0) else { return NOTHING.to_owned() };
        let args = Args::new()
            .text("limit", tally.limit.to_string())
            .text("form", tally.form.to_string())
            .number("astray", (tally.count - tally.headline) as u64)
            .text("count", tally.count.to_string())
            .text("fix", tally.fix[0].to_string())
            .number("judged", tally.fix[1] as u64);
        self.wording.catalogue().text("score-tally-cell", &args)
    }

    fn bin(&self, bin: Option<&Bin>) -> String {
        match bin.filter(|bin| bin.count > 0) {
            None => NOTHING.to_owned(),
            Some(bin) => {
                let percent = |share: f64| self.wording.units().share(share);
                let args = Args::new()
                    .text("said", percent(bin.said))
                    .text("right", percent(bin.right))
                    .text("count", bin.count.to_string());
                self.wording.catalogue().text("score-reliability-cell", &args)
            }
        }
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

    /// A limit with its form by its id, or `none`, `mixed`.
    fn form(&self, id: &str) -> String {
        id.parse().map_or_else(|_| self.limit(id), |cause: Cause| self.wording.cause(cause))
    }

    /// A hypothesis by its name.
    fn reason(&self, id: &str) -> String {
        if id == NO_REASON { self.limit(id) } else { format!("`{id}`") }
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

/// A sign for zero, because many zeros would hide the other numbers.
const NOTHING: &str = "·";

fn number(count: usize) -> String {
    if count == 0 { NOTHING.to_owned() } else { count.to_string() }
}

#[cfg(test)]
mod tests {
    use tcpwhy_report::{Catalogue, Language};
    use tcpwhy_scenario::Writing;

    use super::*;

    /// Tests ids that are composed here.
    #[test]
    fn every_row_has_words() {
        let seen = [
            tcpwhy_analysis::Vantage::Sender,
            tcpwhy_analysis::Vantage::Receiver,
            tcpwhy_analysis::Vantage::Middle,
            tcpwhy_analysis::Vantage::Unknown,
        ];
        let seen = seen.map(|seen| format!("score-seen-{}", format!("{seen:?}").to_lowercase()));
        let writings = Writing::ALL.map(|writing| format!("score-writing-{writing}"));
        let talks = TalkKind::ALL.map(|kind| format!("score-talk-{}", kind.id()));
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            let missing: Vec<_> = seen.iter().chain(&writings).chain(&talks).filter(|id| !catalogue.has(id)).collect();
            assert!(missing.is_empty(), "{language:?}: no words for {missing:?}");
        }
    }

    #[test]
    fn cells_count_what_is_right() {
        let catalogue = Catalogue::new(Language::English);
        let score = Score { random: None, left_out: vec![], failed: vec![], summaries: vec![], runs: vec![] };
        let page = Page { wording: Wording::new(&catalogue), score: &score };
        let tally = Tally { count: 9, limit: 8, form: 7, headline: 6, fix: [5, 8] };
        let right = Tally { headline: 9, ..tally };
        assert_eq!(page.tally(Some(&right)), "limit 8, form 7 of 9; fix 5 of 8");
        assert_eq!(page.tally(Some(&Tally { fix: [0, 0], ..right })), "limit 8, form 7 of 9");
        let cell = page.tally(Some(&tally));
        assert_eq!(cell, "limit 8, form 7 of 9; first lines of 3 about another; fix 5 of 8");
        assert_eq!(page.tally(None), NOTHING);
        assert_eq!(page.form("receive_window/slow_reader"), "receive window: slow reader");
        assert_eq!([page.form("none"), page.reason(NO_REASON)], ["nothing", "nothing"]);
        assert_eq!(page.reason("send-buffer-plateau"), "`send-buffer-plateau`");
    }
}
