//! Durations of timeouts that were not doubled: with short round trips, they show the sender's minimum
//! timeout.

use crate::thresholds::TIMER_LATE;

/// Timeouts that no earlier timeout had doubled (RFC 6298 §5.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FirstTimeouts {
    /// The shortest, nanoseconds; 0 before the first.
    pub(crate) least: i64,
    /// Number of timeouts with about this duration (timers are inexact), and number of longer ones.
    pub(crate) alike: u32,
    pub(crate) longer: u32,
    /// Sum of the timeouts with about this duration, nanoseconds.
    pub(crate) nanos: i64,
    /// A timeout happened, and since then no data was acknowledged that had been sent only once.
    pub(crate) is_doubled: bool,
}

impl FirstTimeouts {
    /// Records a timeout, which doubles the timer. Returns whether it was already doubled.
    pub(crate) fn begin_doubling(&mut self) -> bool {
        std::mem::replace(&mut self.is_doubled, true)
    }

    /// Records a round-trip sample, after which the timer is computed again (RFC 6298 §5.7).
    pub(crate) fn end_doubling(&mut self) {
        self.is_doubled = false;
    }

    /// Records a timeout of `nanos`.
    pub(crate) fn note(&mut self, nanos: i64) {
        if self.alike > 0 && is_late(nanos, self.least) {
            self.longer = self.longer.saturating_add(1);
        } else if is_late(self.least, nanos) {
            // All earlier timeouts were longer.
            let longer = self.longer.saturating_add(self.alike);
            *self = Self { least: nanos, alike: 1, longer, nanos, ..*self };
        } else {
            self.least = if self.alike > 0 { self.least.min(nanos) } else { nanos };
            self.alike = self.alike.saturating_add(1);
            self.nanos = self.nanos.saturating_add(nanos);
        }
    }
}

/// Whether `nanos` is longer than a timer of `due` may be late.
fn is_late(nanos: i64, due: i64) -> bool {
    nanos > due.saturating_add(TIMER_LATE.of(due))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `TIMER_LATE`: 1/8.
    #[test]
    fn the_shortest_and_those_alike() {
        for (what, waits, expected) in [
            ("none", &[][..], (0, 0, 0, 0)),
            ("one", &[1000], (1000, 1, 0, 1000)),
            ("an eighth later", &[1000, 1125], (1000, 2, 0, 2125)),
            ("more", &[1000, 1126], (1000, 1, 1, 1000)),
            ("sooner", &[1125, 1000], (1000, 2, 0, 2125)),
            ("much sooner", &[1126, 1000], (1000, 1, 1, 1000)),
            ("all before took longer", &[1126, 1126, 3000, 1000], (1000, 1, 3, 1000)),
        ] {
            let mut first = FirstTimeouts::default();
            for &nanos in waits {
                first.note(nanos);
            }
            assert_eq!((first.least, first.alike, first.longer, first.nanos), expected, "{what}");
        }
    }
}
