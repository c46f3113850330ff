//! What the first line about two captures of many connections says.

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
    /// The median time of this server's requests changed: seconds.
    Requests(&'a ServicePair, [f64; 2]),
    /// So many pairs of connections differ, of so many.
    Pairs([u64; 2]),
    /// No server is in both captures.
    NothingShared,
    /// Servers and problems are as they were.
    Alike,
}

/// The gravest change of its kind, and how many there are.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    /// The gravest.
    pub first: &'a ProblemChange,
    /// New or worse problems.
    pub worse: u64,
    /// Problems that are gone or smaller.
    pub better: u64,
}

impl<'a> Overall<'a> {
    /// What matters most of `changes`. `pairs`: how many pairs of connections differ, and all of them.
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

/// The median times of requests, seconds, where they differ by more than a tenth.
fn medians(pair: &ServicePair) -> Option<[f64; 2]> {
    let [a, b] = pair.services.each_ref().map(|service| {
        let times = (service.exchanges >= COMPARABLE_REQUESTS.get()).then_some(&service.exchange_times);
        times.and_then(Sketch::distribution).map(|times| times.median as f64 / 1e9)
    });
    let [a, b] = [a?, b?];
    ((a - b).abs() > NOTEWORTHY_DIFFERENCE.get() * a.max(b)).then_some([a, b])
}
