//! Whether the capture's times mean anything.

use crate::thresholds::CLOCK_DOUBTED;

/// The rule that finds a capture's clock contradicted.
pub(super) const CLOCK_RULE: &str = "clock-contradicted";

/// Connections that contradict the capture's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockDoubt {
    /// How many.
    pub count: u64,
    /// Connections with data in all.
    pub all: u64,
    /// No time of the capture means anything: all connections have the same clock.
    pub is_total: bool,
}

impl ClockDoubt {
    pub(super) fn new(count: u64, all: u64) -> Option<Self> {
        // The others only have too few packets to show it.
        let is_total = count.saturating_mul(CLOCK_DOUBTED.get()) >= all;
        (count > 0).then_some(Self { count, all, is_total })
    }
}
