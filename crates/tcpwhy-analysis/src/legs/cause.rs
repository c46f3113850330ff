//! Which leg of a relayed connection is the slower one.

use tcpwhy_model::{Cause, Detail, Limit, Timestamp};

use super::LegPlace;
use super::pair::Leg;
use crate::outcome::HalfConnection;

/// A leg is waiting for the other one where it does so for this part of the time. Chosen: most of it.
const MOSTLY: f64 = 0.5;

/// What one end of a leg sends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    pub(super) bytes: u64,
    /// When the last of it was acknowledged; `None` where nothing was sent.
    pub(super) end: Option<Timestamp>,
    /// Its time without waits for the peer's next request and without what followed all data, nanoseconds.
    nanos: i64,
    /// The part of it while the sender had nothing to send.
    empty: i64,
    /// While the receiver did not read.
    unread: i64,
    /// What held it back, if that is a limit of this leg.
    cause: Option<Cause>,
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

/// The leg that held the other one back, and what limited it; `None` where neither or both did.
pub(super) fn slower(outer: &Leg, inner: &Leg) -> Option<(LegPlace, Cause)> {
    let way = outer.data_way(inner);
    let legs = match way {
        0 => [(LegPlace::Outer, outer), (LegPlace::Inner, inner)],
        _ => [(LegPlace::Inner, inner), (LegPlace::Outer, outer)],
    };
    let [(first_leg, first), (second_leg, second)] = legs.map(|(place, leg)| (place, leg.ways[way]));
    // The relay had nothing to send on: it waited for the first leg.
    let is_starved = is_mostly(second.empty, second.nanos);
    // The first leg waited for its own sender.
    let is_idle = is_mostly(first.empty, first.nanos);
    // The first leg had nothing to carry, or the relay did not read from it, or it was done.
    let rest = second.end?.since(first.end?).max(0);
    let held = first.empty.saturating_add(first.unread).saturating_add(rest);
    match (is_starved, is_idle) {
        (true, false) => Some((first_leg, first.cause?)),
        (false, _) if is_mostly(held, second.nanos) => Some((second_leg, second.cause?)),
        _ => None,
    }
}

fn is_mostly(part: i64, all: i64) -> bool {
    all > 0 && part as f64 >= MOSTLY * all as f64
}

#[cfg(test)]
mod terms;
