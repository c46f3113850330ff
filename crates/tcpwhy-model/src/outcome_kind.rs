//! Kinds of failure of the connections of a running host.

use crate::Severity;

/// How a connection failed, or is failing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutcomeKind {
    /// The SYN was answered with a reset.
    Refused,
    /// No SYN was answered.
    Unanswered,
    /// The peer reset the connection.
    ResetByPeer,
    /// This end reset it: its program closed it with data unread or unsent, or an administrator aborted it.
    ResetHere,
    /// The kernel completed the handshake, and no program has accepted the connection.
    NeverAccepted,
    /// The kernel gave up because no answer came.
    TimedOut,
    /// No answer comes, and the kernel had not given up at the last scan.
    BlackHole,
    /// The peer closed it without an answer to this side's data.
    ClosedUnderWay,
}

impl OutcomeKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Refused,
        Self::Unanswered,
        Self::ResetByPeer,
        Self::ResetHere,
        Self::NeverAccepted,
        Self::TimedOut,
        Self::BlackHole,
        Self::ClosedUnderWay,
    ];

    /// Stable id in `snake_case`, as in JSON and metrics.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Unanswered => "unanswered",
            Self::ResetByPeer => "reset_by_peer",
            Self::ResetHere => "reset_by_this_end",
            Self::NeverAccepted => "never_accepted",
            Self::TimedOut => "timed_out",
            Self::BlackHole => "black_hole",
            Self::ClosedUnderWay => "closed_under_way",
        }
    }

    /// Severity of the failure. Only a warning if this end reset the connection, which may be intentional.
    pub const fn severity(self) -> Severity {
        match self {
            Self::ResetHere => Severity::Warning,
            _ => Severity::Critical,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique() {
        let ids: std::collections::BTreeSet<_> = OutcomeKind::ALL.map(OutcomeKind::id).into();
        assert_eq!(ids.len(), OutcomeKind::ALL.len());
    }
}
