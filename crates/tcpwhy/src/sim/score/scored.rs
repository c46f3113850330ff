//! Errors of simulated transfers.

use serde::Serialize;
use tcpwhy_model::Explained as _;
use tcpwhy_sim::{Range, World};

use super::case::Case;
use crate::message::Failure;

/// The name of the removed cause for an unchanged transfer.
pub(super) const AS_IT_WAS: &str = "none";
/// Largest relative difference between two runs on the kernel for a transfer that can be judged.
const REPEATABLE: f64 = 0.05;
/// Fewest seeds for random losses.
const DRAWS: u64 = 20;
/// Permitted difference of counters: a share, or an absolute number for small ones.
const COUNTS_SHARE: f64 = 0.1;
const COUNTS: u64 = 2;

/// One transfer, on the kernel and simulated.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Scored {
    pub(super) name: String,
    /// The removed cause; `none` for the unchanged transfer.
    pub(super) without: String,
    pub(super) kernel_s: f64,
    /// `None` if it was not simulated.
    pub(super) simulated_s: Option<f64>,
    /// The reason why it was not simulated.
    pub(super) refused: Option<String>,
    /// Simulated divided by real duration, minus one.
    pub(super) error: Option<f64>,
    /// Whether the lost packets are unknown: the duration is then the median over all seeds.
    pub(super) has_drawn_losses: bool,
    /// Relative difference between two runs on the kernel, if there were two.
    pub(super) kernel_repeats_within: Option<f64>,
    /// Shortest and longest duration over all seeds.
    pub(super) low_s: Option<f64>,
    pub(super) high_s: Option<f64>,
    /// Half of the sum of differences between shares of causes.
    pub(super) causes_distance: Option<f64>,
    /// Retransmissions, queue drops and timeouts; for each the kernel's and the simulated number.
    pub(super) counts: Option<[[u64; 2]; 3]>,
}

impl Scored {
    pub(super) fn new(case: &Case, seeds: u64) -> Self {
        let mut scored = Self {
            name: case.name.clone(),
            without: case.without.clone().unwrap_or_else(|| AS_IT_WAS.to_owned()),
            kernel_s: case.seconds,
            simulated_s: None,
            refused: None,
            error: None,
            has_drawn_losses: case.has_drawn_losses,
            kernel_repeats_within: case.repeats_within,
            low_s: None,
            high_s: None,
            causes_distance: None,
            counts: None,
        };
        let plan = match &case.plan {
            Ok(plan) => plan,
            Err(why) => {
                scored.refused = Some(why.to_string());
                return scored;
            }
        };
        let outcome = match World::new(plan).run() {
            Ok(outcome) => outcome,
            Err(why) => {
                scored.refused = Some(Failure::from(why.message()).to_string());
                return scored;
            }
        };
        let seconds = |nanos: u64| nanos as f64 / 1e9;
        let own = seconds(outcome.duration);
        scored.causes_distance = case.shares.map(|shares| shares.distance(&outcome.held));
        scored.counts = case.counts.map(|counts| {
            let [sender, _] = outcome.sockets;
            let drops = outcome.links[0].drops;
            [
                [counts.retransmitted, sender.retransmitted],
                [counts.dropped, drops.queue + drops.policer],
                [counts.timeouts, sender.timeouts],
            ]
        });
        let seeds = if case.has_drawn_losses { seeds.max(DRAWS) } else { seeds };
        let more = (1..seeds).filter_map(|n| World::new(&plan.again(n)).run().ok());
        let range = Range::of(more.map(|outcome| outcome.duration).chain([outcome.duration]));
        let drawn = range.filter(|_| case.has_drawn_losses).map(|range| seconds(range.median));
        let simulated = drawn.unwrap_or(own);
        scored.simulated_s = Some(simulated);
        scored.error = Some(simulated / case.seconds - 1.0);
        if let Some(range) = range.filter(|_| seeds > 1) {
            (scored.low_s, scored.high_s) = (Some(seconds(range.low)), Some(seconds(range.high)));
        }
        scored
    }

    /// Whether repeated runs on the kernel agree well enough to judge the simulation.
    pub(super) fn is_repeatable(&self) -> bool {
        self.kernel_repeats_within.is_none_or(|within| within <= REPEATABLE)
    }

    pub(super) fn is_within(&self, share: f64) -> bool {
        self.error.is_some_and(|error| error.abs() <= share)
    }

    /// Whether the kernel's duration is within the range; `None` without a range.
    pub(super) fn is_in_range(&self) -> Option<bool> {
        let (low, high) = self.low_s.zip(self.high_s)?;
        Some((low..=high).contains(&self.kernel_s))
    }

    pub(super) fn width(&self) -> Option<f64> {
        let (low, high) = self.low_s.zip(self.high_s)?;
        (low > 0.0).then(|| high / low)
    }

    /// Whether all counters are close to the kernel's.
    pub(super) fn has_near_counts(&self) -> Option<bool> {
        let is_near = |[kernel, simulated]: &[u64; 2]| {
            let apart = kernel.abs_diff(*simulated);
            apart <= COUNTS || apart as f64 <= COUNTS_SHARE * *kernel as f64
        };
        Some(self.counts?.iter().all(is_near))
    }
}

/// All transfers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Score {
    pub(super) summary: Summary,
    pub(super) transfers: Vec<Scored>,
}

/// Summary of the errors of all transfers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    /// One entry per removed cause, without random losses.
    pub(super) by_cause: Vec<Errors>,
    /// Transfers that the kernel repeats within 5 %.
    pub(super) repeatable: Errors,
    /// Transfers whose lost packets are known.
    pub(super) all: Errors,
    /// Transfers with random losses.
    pub(super) drawn: Errors,
    pub(super) drawn_in_range: u64,
    /// Number of ranges, and of those that contain the kernel's duration.
    pub(super) ranges: u64,
    pub(super) ranges_that_hold: u64,
    pub(super) median_width: Option<f64>,
    pub(super) median_causes_distance: Option<f64>,
    /// Transfers with known counters, and those whose counters are close.
    pub(super) counted: u64,
    pub(super) near_counts: u64,
    pub(super) refused: u64,
}

/// Errors of several transfers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Errors {
    /// The removed cause; `none` for unchanged transfers.
    pub(super) without: String,
    pub(super) transfers: u64,
    pub(super) within_3_percent: u64,
    pub(super) within_10_percent: u64,
    pub(super) median: Option<f64>,
}

impl Errors {
    fn new<'a>(without: &str, all: impl Iterator<Item = &'a Scored> + Clone) -> Self {
        let simulated = all.filter(|one| one.error.is_some());
        let within = |share| simulated.clone().filter(|one| one.is_within(share)).count() as u64;
        Self {
            without: without.to_owned(),
            transfers: simulated.clone().count() as u64,
            within_3_percent: within(0.03),
            within_10_percent: within(0.1),
            median: median(simulated.clone().filter_map(|one| one.error.map(f64::abs))),
        }
    }
}

impl Score {
    pub(super) fn new(transfers: Vec<Scored>) -> Self {
        let mut causes: Vec<&str> = transfers.iter().map(|one| one.without.as_str()).collect();
        causes.sort_by_key(|cause| (*cause != AS_IT_WAS, *cause));
        causes.dedup();
        let of = |cause: &str| {
            Errors::new(cause, transfers.iter().filter(|one| one.without == cause && !one.has_drawn_losses))
        };
        let count = |is: &dyn Fn(&Scored) -> bool| transfers.iter().filter(|one| is(one)).count() as u64;
        let summary = Summary {
            by_cause: causes.into_iter().map(of).collect(),
            repeatable: Errors::new(
                "repeatable",
                transfers.iter().filter(|one| one.is_repeatable() && !one.has_drawn_losses),
            ),
            all: Errors::new("all", transfers.iter().filter(|one| !one.has_drawn_losses)),
            drawn: Errors::new("drawn", transfers.iter().filter(|one| one.has_drawn_losses)),
            drawn_in_range: count(&|one| one.has_drawn_losses && one.is_in_range() == Some(true)),
            ranges: count(&|one| !one.has_drawn_losses && one.is_in_range().is_some()),
            ranges_that_hold: count(&|one| !one.has_drawn_losses && one.is_in_range() == Some(true)),
            median_width: median(transfers.iter().filter(|one| !one.has_drawn_losses).filter_map(Scored::width)),
            median_causes_distance: median(transfers.iter().filter_map(|one| one.causes_distance)),
            counted: count(&|one| one.has_near_counts().is_some()),
            near_counts: count(&|one| one.has_near_counts() == Some(true)),
            refused: count(&|one| one.refused.is_some()),
        };
        Self { summary, transfers }
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}
