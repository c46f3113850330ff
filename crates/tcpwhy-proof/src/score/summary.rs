//! Totals of many judged captures.

use std::collections::BTreeMap;

use serde::Serialize;

use tcpwhy_scenario::TalkKind;

use super::exchanges::Reported;
use super::group::Group;
use super::judge::Judged;
use super::reliability::{Bin, Reliability};
use super::vantage::Vantage;

/// The key of captures without a limit that can be acted on.
pub(super) const NO_REASON: &str = "none";
/// Keys of verdicts that a chosen number flips, and of those that no number flips.
const FLIPPED: &str = "flipped";
const HELD: &str = "held";

/// All captures that were taken at one place.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    pub(super) vantage: Vantage,
    pub(super) runs: usize,
    /// Right ones and all, among those with a clear truth.
    pub(super) dominant: [usize; 2],
    /// Right ones and all, among those with a cause that the scenario sets.
    pub(super) verdict: [usize; 2],
    /// Those with a right limit and all, among those with a scenario.
    pub(super) limit: [usize; 2],
    /// Expected ones and all, among those with a scenario.
    pub(super) expected: [usize; 2],
    /// Those whose first three lines describe the connection and direction of the scenario, and all.
    pub(super) headline: [usize; 2],
    /// Those whose fix removes the cause and all, among those whose scenario expects a fix.
    pub(super) fix: [usize; 2],
    /// Right exchanges of conversations and all, among those with known exchanges.
    pub(super) exchanges: [usize; 2],
    pub(super) tv_mean: f64,
    pub(super) tv_median: f64,
    pub(super) tv_p90: f64,
    /// Mean share of the time.
    pub(super) ambiguous: f64,
    pub(super) sums_wrong: usize,
    /// Clear true group by reported group.
    pub(super) groups: [[usize; 4]; 4],
    /// Expected limit by reported verdict.
    pub(super) limits: BTreeMap<String, BTreeMap<String, usize>>,
    /// The confidence of verdicts in their limit, compared with the share of right ones.
    pub(super) reliability: Reliability,
    /// The same for the verdicts of each reported limit.
    pub(super) reliability_by_limit: BTreeMap<String, Bin>,
    /// The same for each reported limit and form, where both must be right.
    pub(super) reliability_by_form: BTreeMap<String, Bin>,
    /// The same for each hypothesis that decided a verdict, where its limit must be right.
    pub(super) reliability_by_reason: BTreeMap<String, Bin>,
    /// The same for verdicts that a change of a chosen number by one third flips, and for the others, among
    /// those that were tried.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) reliability_by_number: BTreeMap<String, Bin>,
    /// Right ones by the limit and form that the scenario sets.
    pub(super) by_imposed: BTreeMap<String, Tally>,
    /// Right ones by the way the sending program writes.
    pub(super) by_writing: BTreeMap<String, Tally>,
    /// Exchanges by the kind of conversation.
    pub(super) by_talk: BTreeMap<TalkKind, TalkTally>,
    /// Captures by the place where they seem to have been taken.
    pub(super) seen_from: BTreeMap<String, usize>,
}

/// Reported exchanges of one kind of conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct TalkTally {
    pub(super) right: usize,
    /// There were requests, but no times are reported.
    pub(super) silent: usize,
    pub(super) wrong: usize,
}

impl TalkTally {
    const fn add(&mut self, reported: Reported) {
        match reported {
            Reported::Right => self.right += 1,
            Reported::Silent => self.silent += 1,
            Reported::Wrong => self.wrong += 1,
        }
    }
}

/// Right answers about captures of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Tally {
    /// Captures whose scenario expects a verdict.
    pub(super) count: usize,
    /// Those with a right limit.
    pub(super) limit: usize,
    /// Those with a right limit and form.
    pub(super) form: usize,
    /// Those whose first three lines describe the connection and direction of the scenario.
    pub(super) headline: usize,
    /// Those whose fix removes the cause and all, among those whose scenario expects a fix.
    pub(super) fix: [usize; 2],
}

impl Tally {
    /// Counts a capture, if its scenario expects a verdict.
    fn add(&mut self, run: &Judged) {
        let (Some(is_limit_right), Some(is_form_right)) = (run.is_limit_right, run.is_expected) else { return };
        self.count += 1;
        self.limit += usize::from(is_limit_right);
        self.form += usize::from(is_form_right);
        self.headline += usize::from(run.is_headline_right);
        if let Some(is_fix_right) = run.is_fix_right {
            self.fix[0] += usize::from(is_fix_right);
            self.fix[1] += 1;
        }
    }
}

impl Summary {
    /// The totals of the captures at `vantage`; `None` if there are none.
    pub(super) fn of(judged: &[Judged], vantage: Vantage) -> Option<Self> {
        let runs: Vec<&Judged> = judged.iter().filter(|run| run.vantage == vantage).collect();
        if runs.is_empty() {
            return None;
        }
        let mut tv: Vec<f64> = runs.iter().map(|run| run.tv).collect();
        tv.sort_by(f64::total_cmp);
        let mean = |of: fn(&Judged) -> f64| runs.iter().map(|run| of(run)).sum::<f64>() / runs.len() as f64;
        let count = |is_right: fn(&Judged) -> Option<bool>| {
            let answers: Vec<bool> = runs.iter().filter_map(|run| is_right(run)).collect();
            [answers.iter().filter(|&&right| right).count(), answers.len()]
        };
        let mut reliability_by_limit: BTreeMap<String, Bin> = BTreeMap::new();
        let mut reliability_by_form: BTreeMap<String, Bin> = BTreeMap::new();
        let mut reliability_by_reason: BTreeMap<String, Bin> = BTreeMap::new();
        let mut reliability_by_number: BTreeMap<String, Bin> = BTreeMap::new();
        let mut by_imposed: BTreeMap<String, Tally> = BTreeMap::new();
        let mut by_writing: BTreeMap<String, Tally> = BTreeMap::new();
        let mut by_talk: BTreeMap<TalkKind, TalkTally> = BTreeMap::new();
        let mut seen_from: BTreeMap<String, usize> = BTreeMap::new();
        let mut groups = [[0; 4]; 4];
        let mut limits: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for run in &runs {
            if run.is_clear {
                groups[run.true_group as usize][run.said_group as usize] += 1;
            }
            if let Some(is_right) = run.is_limit_right {
                reliability_by_limit.entry(run.verdict.clone()).or_default().add(run.confidence, is_right);
                let reason = run.reason().unwrap_or(NO_REASON);
                reliability_by_reason.entry(reason.to_owned()).or_default().add(run.confidence, is_right);
                if let Some(is_flipped) = run.is_flipped {
                    let class = if is_flipped { FLIPPED } else { HELD };
                    reliability_by_number.entry(class.to_owned()).or_default().add(run.confidence, is_right);
                }
                by_imposed.entry(run.imposed_form.clone()).or_default().add(run);
            }
            if let Some(is_right) = run.is_expected {
                reliability_by_form.entry(run.verdict_form()).or_default().add(run.confidence, is_right);
            }
            if let Some(writing) = run.writing {
                by_writing.entry(writing.id().to_owned()).or_default().add(run);
            }
            if let Some(exchanges) = &run.exchanges {
                by_talk.entry(exchanges.kind).or_default().add(exchanges.report);
            }
            *seen_from.entry(run.seen_from.clone()).or_default() += 1;
            *limits.entry(run.imposed.clone()).or_default().entry(run.verdict.clone()).or_default() += 1;
        }
        Some(Self {
            vantage,
            runs: runs.len(),
            dominant: count(|run| run.is_clear.then_some(run.true_group == run.said_group)),
            verdict: count(|run| run.is_verdict_right),
            limit: count(|run| run.is_limit_right),
            expected: count(|run| run.is_expected),
            headline: count(|run| Some(run.is_headline_right)),
            fix: count(|run| run.is_fix_right),
            exchanges: count(|run| Some(run.exchanges?.report == Reported::Right)),
            tv_mean: tv.iter().sum::<f64>() / tv.len() as f64,
            tv_median: tv[tv.len() / 2],
            tv_p90: tv[(tv.len() as f64 * 0.9) as usize],
            ambiguous: mean(|run| run.ambiguous),
            sums_wrong: runs.iter().filter(|run| !run.is_sum_right).count(),
            groups,
            limits,
            reliability: runs.iter().filter_map(|run| Some((run.confidence, run.is_limit_right?))).collect(),
            reliability_by_limit,
            reliability_by_form,
            reliability_by_reason,
            reliability_by_number,
            by_imposed,
            by_writing,
            by_talk,
            seen_from,
        })
    }

    /// The groups that occur in the truth, in order.
    pub(super) fn true_groups(&self) -> impl Iterator<Item = Group> + '_ {
        Group::ALL.into_iter().filter(|&group| self.groups[group as usize].iter().any(|&n| n > 0))
    }

    /// The reported verdicts, in order of their ids.
    pub(super) fn verdicts(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.limits.values().flat_map(BTreeMap::keys).map(String::as_str).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
