//! Doubts about the times of the capture.

use crate::thresholds::CLOCK_DOUBTED;

/// The rule that finds a capture's clock contradicted.
pub(super) const CLOCK_RULE: &str = "clock-contradicted";

/// Connections that contradict the capture's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockDoubt {
    /// Number of these connections.
    pub count: u64,
    /// Number of all connections with data.
    pub all: u64,
    /// The times of the whole capture are invalid, because all connections have the same clock.
    pub is_total: bool,
}

impl ClockDoubt {
    pub(super) fn new(count: u64, all: u64) -> Option<Self> {
        // The other connections only have too few packets to show the fault.
        let is_total = count.saturating_mul(CLOCK_DOUBTED.get()) >= all;
        (count > 0).then_some(Self { count, all, is_total })
    }
}
