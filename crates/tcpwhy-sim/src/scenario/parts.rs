//! Steps that several kinds of work share.

use crate::program::Step;

/// Bytes per call of a program that reads everything.
pub(super) const READS: u64 = 256 << 10;

/// A pause, unless its time is 0.
pub(super) fn rest(time: tcpwhy_scenario::Nanos) -> Option<Step> {
    (time.0 > 0).then_some(Step::Rest(time.0))
}
