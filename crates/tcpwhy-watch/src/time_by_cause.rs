//! Time of a direction, added up by cause.

use tcpwhy_model::Cause;

/// Time by cause, in the order in which they came first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeByCause(Vec<(Cause, i64)>);

impl TimeByCause {
    pub(super) fn add(&mut self, cause: Cause, nanos: i64) {
        match self.0.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, time)) => *time += nanos,
            None => self.0.push((cause, nanos)),
        }
    }

    /// Each cause with its nanoseconds.
    pub fn iter(&self) -> impl Iterator<Item = (Cause, i64)> {
        self.0.iter().copied()
    }

    /// Nanoseconds under causes that `is_mine` picks.
    pub fn sum(&self, is_mine: impl Fn(Cause) -> bool) -> i64 {
        self.iter().filter(|&(cause, _)| is_mine(cause)).map(|(_, nanos)| nanos).sum()
    }
}
