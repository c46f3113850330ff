//! Steps that several kinds of work have.

use crate::program::Step;

/// What a program reads at a time that reads all.
pub(super) const READS: u64 = 256 << 10;

/// A rest, where there is any.
pub(super) fn rest(time: tcpwhy_scenario::Nanos) -> Option<Step> {
    (time.0 > 0).then_some(Step::Rest(time.0))
}
