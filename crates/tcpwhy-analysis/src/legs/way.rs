//! Data of one end of a leg.

use tcpwhy_model::{Cause, Detail, Limit, Timestamp};

use crate::outcome::HalfConnection;

/// Data of one end of a leg.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    pub(super) bytes: u64,
    /// Time at which the last of it was acknowledged; `None` without data.
    pub(super) end: Option<Timestamp>,
    /// Its time, without waits for the peer's next request and without the time after all data, nanoseconds.
    pub(super) nanos: i64,
    /// The part of it during which the sender had nothing to send, nanoseconds.
    pub(super) empty: i64,
    /// The part of it during which the receiver did not read, nanoseconds.
    pub(super) unread: i64,
    /// The cause of its verdict, if that is a limit of this leg.
    pub(super) cause: Option<Cause>,
}

impl Way {
    pub(super) fn of(half: &HalfConnection) -> Self {
        let is_unread = |cause: Cause| matches!(cause.detail, Some(Detail::ZeroWindow | Detail::SlowReader));
        let is_rest = |cause: Cause| matches!(cause.detail, Some(Detail::PeerTurn | Detail::CloseWait));
        let is_empty = |cause: Cause| cause.limit == Limit::Application && !is_rest(cause);
        let held_open = half.limits.nanos_of_cause(Detail::CloseWait.into());
        let is_own = |cause: &Cause| !matches!(cause.limit, Limit::Application | Limit::Unobserved | Limit::TailRtt);
        Self {
            bytes: half.bytes,
            end: Some(half.span.end().plus(-held_open)),
            nanos: half.span.nanos() - half.limits.sum(is_rest).0,
            empty: half.limits.sum(is_empty).0,
            unread: half.limits.sum(is_unread).0,
            cause: half.verdict.cause.filter(is_own),
        }
    }
}
