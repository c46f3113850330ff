//! What many judged captures come to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::group::Group;
use super::judge::Judged;
use super::reliability::{Bin, Reliability};
use super::vantage::Vantage;

/// All captures that were taken at one place.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    pub(super) vantage: Vantage,
    pub(super) runs: usize,
    /// Right ones, of those with a clear truth.
    pub(super) dominant: [usize; 2],
    /// Right ones, of those with an imposed cause.
    pub(super) verdict: [usize; 2],
    /// The verdict's limit is right, of those with a scenario.
    pub(super) limit: [usize; 2],
    /// As the scenario expects, of those with a scenario.
    pub(super) expected: [usize; 2],
    pub(super) tv_mean: f64,
    pub(super) tv_median: f64,
    pub(super) tv_p90: f64,
    /// Mean share of the time.
    pub(super) ambiguous: f64,
    pub(super) sums_wrong: usize,
    /// Clear true group by said group.
    pub(super) groups: [[usize; 4]; 4],
    /// Imposed limit by said verdict.
    pub(super) limits: BTreeMap<String, BTreeMap<String, usize>>,
    /// What verdicts say of their chance to name the right limit, against how often they do.
    pub(super) reliability: Reliability,
    /// The same for the verdicts of each limit that was said.
    pub(super) reliability_by_limit: BTreeMap<String, Bin>,
}

impl Summary {
    /// Of the captures at `vantage`; `None` if there are none.
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
        let mut groups = [[0; 4]; 4];
        let mut limits: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for run in &runs {
            if run.is_clear {
                groups[run.true_group as usize][run.said_group as usize] += 1;
            }
            if let Some(is_right) = run.is_limit_right {
                reliability_by_limit.entry(run.verdict.clone()).or_default().add(run.confidence, is_right);
            }
            *limits.entry(run.imposed.clone()).or_default().entry(run.verdict.clone()).or_default() += 1;
        }
        Some(Self {
            vantage,
            runs: runs.len(),
            dominant: count(|run| run.is_clear.then_some(run.true_group == run.said_group)),
            verdict: count(|run| run.is_verdict_right),
            limit: count(|run| run.is_limit_right),
            expected: count(|run| run.is_expected),
            tv_mean: tv.iter().sum::<f64>() / tv.len() as f64,
            tv_median: tv[tv.len() / 2],
            tv_p90: tv[(tv.len() as f64 * 0.9) as usize],
            ambiguous: mean(|run| run.ambiguous),
            sums_wrong: runs.iter().filter(|run| !run.is_sum_right).count(),
            groups,
            limits,
            reliability: runs.iter().filter_map(|run| Some((run.confidence, run.is_limit_right?))).collect(),
            reliability_by_limit,
        })
    }

    /// The groups that the truth has, in order.
    pub(super) fn true_groups(&self) -> impl Iterator<Item = Group> + '_ {
        Group::ALL.into_iter().filter(|&group| self.groups[group as usize].iter().any(|&n| n > 0))
    }

    /// The verdicts that were said, in order of their ids.
    pub(super) fn verdicts(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.limits.values().flat_map(BTreeMap::keys).map(String::as_str).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
