//! How connections of a running host fail.

use crate::Severity;

/// How a connection failed, or is failing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutcomeKind {
    /// The SYN was answered with a reset.
    Refused,
    /// No SYN was answered.
    Unanswered,
    /// The peer reset it.
    ResetByPeer,
    /// This end reset it: its program closed it with data unread or to be sent, or somebody ended it.
    ResetHere,
    /// The kernel opened it, and no program has accepted it.
    NeverAccepted,
    /// The kernel gave up: nothing came back.
    TimedOut,
    /// Nothing comes back, and the kernel had not given up when it was seen last.
    BlackHole,
    /// The peer closed it and had not answered.
    ClosedUnderWay,
}

impl OutcomeKind {
    /// All of them.
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

    /// How much it matters. Whoever resets its own connection may have meant it.
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
