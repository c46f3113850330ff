//! What one end of a leg sends.

use tcpwhy_model::{Cause, Detail, Limit, Timestamp};

use crate::outcome::HalfConnection;

/// What one end of a leg sends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    pub(super) bytes: u64,
    /// When the last of it was acknowledged; `None` where nothing was sent.
    pub(super) end: Option<Timestamp>,
    /// Its time without waits for the peer's next request and without what followed all data, nanoseconds.
    pub(super) nanos: i64,
    /// The part of it while the sender had nothing to send.
    pub(super) empty: i64,
    /// While the receiver did not read.
    pub(super) unread: i64,
    /// What held it back, if that is a limit of this leg.
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
