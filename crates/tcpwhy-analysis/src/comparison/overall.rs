//! Content of the first line about two captures of many connections.

use super::changes::{Change, Changes, ProblemChange, ServicePair};
use crate::Sketch;
use crate::thresholds::{COMPARABLE_REQUESTS, NOTEWORTHY_DIFFERENCE};

/// The change that matters most between two captures.
#[derive(Clone, Copy, Debug)]
pub enum Overall<'a> {
    /// A problem is new or worse.
    Worse(Counted<'a>),
    /// A problem is gone or smaller, and none is new or worse.
    Better(Counted<'a>),
    /// The median time of this server's requests changed. The values are seconds.
    Requests(&'a ServicePair, [f64; 2]),
    /// Pairs of connections differ. The values are the differing pairs and all pairs.
    Pairs([u64; 2]),
    /// No server is in both captures.
    NothingShared,
    /// Servers and problems did not change.
    Alike,
}

/// The most severe change of its kind, and the number of changes.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    /// The most severe change.
    pub first: &'a ProblemChange,
    /// New or worse problems.
    pub worse: u64,
    /// Problems that are gone or smaller.
    pub better: u64,
}

impl<'a> Overall<'a> {
    /// Returns the most important of `changes`. `pairs` are the differing pairs of connections and all pairs.
    pub fn new(changes: &'a Changes, pairs: [u64; 2]) -> Self {
        let of = |kinds: [Change; 2]| changes.problems.iter().filter(move |one| kinds.contains(&one.change));
        let worse = || of([Change::New, Change::Worse]);
        let better = || of([Change::Gone, Change::Better]);
        let counted = |first| Counted { first, worse: worse().count() as u64, better: better().count() as u64 };
        if let Some(first) = worse().next() {
            return Self::Worse(counted(first));
        }
        if let Some(first) = better().next() {
            return Self::Better(counted(first));
        }
        if let Some((pair, medians)) = changes.services.iter().find_map(|pair| Some((pair, medians(pair)?))) {
            return Self::Requests(pair, medians);
        }
        match pairs {
            [differing, _] if differing > 0 => Self::Pairs(pairs),
            [_, all] if all == 0 && changes.services.is_empty() => Self::NothingShared,
            _ => Self::Alike,
        }
    }
}

/// Returns the median times of requests, seconds, if they differ by more than a tenth.
fn medians(pair: &ServicePair) -> Option<[f64; 2]> {
    let [a, b] = pair.services.each_ref().map(|service| {
        let times = (service.exchanges >= COMPARABLE_REQUESTS.get()).then_some(&service.exchange_times);
        times.and_then(Sketch::distribution).map(|times| times.median as f64 / 1e9)
    });
    let [a, b] = [a?, b?];
    ((a - b).abs() > NOTEWORTHY_DIFFERENCE.get() * a.max(b)).then_some([a, b])
}
