//! Kinds of failed connections.

use tcpwhy_model::{Finding, Severity};

use crate::outcome::{Connection, Ending};
use crate::side::Side;

/// The rule about full-sized segments that vanish.
pub(super) const LARGE_RULE: &str = "pmtu-black-hole";
/// The rule about connections that were closed while idle.
pub(super) const IDLE_CLOSE_RULE: &str = "idle-close-race";

/// A kind of failure, as far as packets show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Failure {
    /// The SYN was never answered.
    Unanswered,
    /// The SYN was answered with a reset.
    Refused,
    /// The client reset the connection before its work was done.
    ResetByClient,
    /// The server reset the connection before its work was done.
    ResetByServer,
    /// A middlebox reset the connection, rather than one of the ends.
    ResetBetween,
    /// One end became silent, or packets no longer arrived.
    TimedOut,
    /// The connection ended while data waited that could not be sent.
    Unfinished,
    /// A request was never answered.
    RequestUnanswered,
    /// An end closed the idle connection while a request was in flight.
    IdleClose,
    /// The SYN-ACK was never acknowledged.
    Incomplete,
    /// Full-sized segments vanished, smaller ones passed.
    LargeVanished,
}

impl Failure {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 11] = [
        Self::Unanswered,
        Self::Refused,
        Self::ResetByClient,
        Self::ResetByServer,
        Self::ResetBetween,
        Self::TimedOut,
        Self::Unfinished,
        Self::RequestUnanswered,
        Self::IdleClose,
        Self::Incomplete,
        Self::LargeVanished,
    ];

    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Unanswered => "unanswered",
            Self::Refused => "refused",
            Self::ResetByClient => "reset_by_client",
            Self::ResetByServer => "reset_by_server",
            Self::ResetBetween => "reset_between",
            Self::TimedOut => "timed_out",
            Self::Unfinished => "unfinished",
            Self::RequestUnanswered => "request_unanswered",
            Self::IdleClose => "idle_close",
            Self::Incomplete => "handshake_incomplete",
            Self::LargeVanished => "large_vanished",
        }
    }

    /// Whether the connection was never established.
    pub const fn is_of_handshake(self) -> bool {
        matches!(self, Self::Unanswered | Self::Refused | Self::Incomplete)
    }

    /// Returns the failure of `connection`; `None` if it did not fail.
    pub fn of_connection(connection: &Connection) -> Option<Self> {
        Self::of(connection, connection.server()).map(|found| found.0)
    }

    /// Returns the failure of `connection` to `server` and the finding about it; `None` if it did not fail.
    pub(crate) fn of(connection: &Connection, server: Side) -> Option<(Self, Option<&Finding>)> {
        let reset = |side: Side| if side == server { Self::ResetByServer } else { Self::ResetByClient };
        let first = connection.findings.first();
        match connection.ending {
            Ending::Unanswered => return Some((Self::Unanswered, first)),
            Ending::Refused => return Some((Self::Refused, first)),
            // Without a repeated SYN, nothing shows that somebody waited.
            Ending::Incomplete => {
                return first.filter(|found| found.severity > Severity::Info).map(|_| (Self::Incomplete, first));
            }
            _ => {}
        }
        if let Some(finding) = connection.failure() {
            let by_rule = match (finding.rule, connection.ending) {
                ("reset-not-own", _) => Self::ResetBetween,
                ("request-unanswered", _) => Self::RequestUnanswered,
                (IDLE_CLOSE_RULE, _) => Self::IdleClose,
                (LARGE_RULE, _) => Self::LargeVanished,
                ("zero-window-death" | "both-ends-unread", _) => Self::Unfinished,
                ("reset-mid-transfer" | "closed-during-request", Ending::Reset(side)) => reset(side),
                _ => Self::TimedOut,
            };
            return Some((by_rule, Some(finding)));
        }
        // A server that accepts a connection and resets it before it sends anything has refused it. Once the
        // client has closed, the reset ends nothing.
        let has_spoken = connection.halves.iter().any(|half| half.sender == server);
        let is_opened = connection.initiator.is_some();
        let is_dropped = is_opened
            && connection.ending == Ending::Reset(server)
            && !has_spoken
            && !connection.is_reset_after_close_of(server.peer());
        is_dropped.then_some((Self::ResetByServer, None))
    }
}
