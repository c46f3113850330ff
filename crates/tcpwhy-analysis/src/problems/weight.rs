//! Weight of a problem.
//!
//! Slow connections of few bytes count only if somebody waited for their answer. Readers want to know about
//! the actual work, rather than about small exchanges next to it.

use super::failure::Failure;
use super::slow::Cost;
use crate::thresholds::{CLIENT_RESET_COST, FAILURE_COST, FAILURE_COST_MOST, FAR_LESS, LATE_HABIT, WORK};

/// Lost time, by the size of the connections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weight {
    /// Lost time that always counts, nanoseconds.
    always: i64,
    /// Lost time of slow connections that nobody was known to wait for, nanoseconds. The index is their size
    /// as a power of two.
    by_size: Vec<i64>,
    /// Lost time of answers that were late by less than a second, nanoseconds, and the number of all late
    /// answers.
    late: i64,
    late_answers: u64,
}

impl Weight {
    /// Returns the weight of a connection that failed in this way after `lost` nanoseconds of waiting.
    pub(crate) fn failed(lost: i64, failure: Failure) -> Self {
        let least = if failure == Failure::ResetByClient { CLIENT_RESET_COST } else { FAILURE_COST };
        Self { always: lost.clamp(least.get(), FAILURE_COST_MOST.get()), ..Self::default() }
    }

    /// Returns the weight of a slow connection of `bytes`.
    pub(crate) fn slow(cost: &Cost, bytes: u64) -> Self {
        if cost.is_awaited {
            let (late, late_answers) = (cost.late_nanos, cost.late_answers);
            return Self { always: cost.nanos, late, late_answers, ..Self::default() };
        }
        let mut by_size = vec![0; size(bytes) + 1];
        by_size[size(bytes)] = cost.nanos;
        Self { by_size, ..Self::default() }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.always = self.always.saturating_add(other.always);
        self.late = self.late.saturating_add(other.late);
        self.late_answers += other.late_answers;
        self.by_size.resize(self.by_size.len().max(other.by_size.len()), 0);
        for (sum, nanos) in self.by_size.iter_mut().zip(&other.by_size) {
            *sum = sum.saturating_add(*nanos);
        }
    }

    /// Returns the lost time that counts if the largest connection carried `largest` bytes, nanoseconds.
    pub(crate) fn nanos(&self, largest: u64) -> i64 {
        let least = size(largest).saturating_sub(FAR_LESS.get()).min(WORK.get());
        let late = if self.late_answers >= LATE_HABIT { self.late } else { 0 };
        self.by_size.iter().skip(least).fold(self.always.saturating_add(late), |sum, nanos| sum.saturating_add(*nanos))
    }
}

/// Returns the size as a power of two.
const fn size(bytes: u64) -> usize {
    match bytes {
        0 => 0,
        bytes => bytes.ilog2() as usize,
    }
}
