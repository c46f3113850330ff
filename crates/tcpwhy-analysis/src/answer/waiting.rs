//! Directions that had nothing to send for most of their time.

use tcpwhy_model::{Cause, Detail};

use crate::outcome::{HalfConnection, Role};
use crate::thresholds::{MOSTLY_WAITED, part};

/// Whether the sender had nothing to send for more than half of the time, because nobody asked or it waited
/// for its peer. A client's pauses between its requests count as well.
pub fn mostly_waited(half: &HalfConnection) -> bool {
    let is_waiting = |cause: Cause| match cause.detail {
        Some(Detail::Idle | Detail::PeerTurn) => true,
        Some(Detail::Think) => half.exchange_role == Role::Client,
        _ => false,
    };
    part(half.limits.sum(is_waiting).0, half.limits.span().nanos()) > MOSTLY_WAITED
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Limit;

    use super::*;
    use crate::testing::half;

    #[test]
    fn more_than_half_of_the_time_is_most() {
        let waited = |role, waiting: i64, detail: Detail| {
            mostly_waited(&half(role, None, &[(waiting, detail.into()), (10, Cause::plain(Limit::Path))], Vec::new()))
        };
        assert!(waited(Role::Server, 11, Detail::Idle) && waited(Role::Server, 11, Detail::PeerTurn));
        assert!(!waited(Role::Server, 10, Detail::Idle), "half is not most");
        assert!(waited(Role::Client, 11, Detail::Think), "a client thinks before its request");
        assert!(!waited(Role::Server, 11, Detail::Think), "a server is asked already");
    }
}
