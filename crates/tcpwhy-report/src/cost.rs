//! What a limit costs, for ranking: only time that a change could win back counts.

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Cause, Detail, Limit};

/// Whether a change to a host, an application or the network could take this limit away. Propagation, healthy use of the
/// whole path, opening a connection and an application that has nothing to say are not losses; one that is asked and takes
/// its time, or writes too slowly, is.
pub fn is_removable(cause: Cause) -> bool {
    match cause.limit {
        Limit::SendBuffer | Limit::AckDelay | Limit::LossRecovery | Limit::CongestionWindow => true,
        Limit::ReceiveWindow => cause.detail != Some(Detail::Ramp),
        Limit::Handshake => cause.detail == Some(Detail::SynRto),
        Limit::Path => cause.detail == Some(Detail::Policer),
        Limit::Application => matches!(cause.detail, Some(Detail::PacedWrites | Detail::Think)),
        Limit::Unobserved | Limit::TailRtt | Limit::SlowStart => false,
    }
}

/// Nanoseconds of a half-connection under limits that a change could remove; none if its verdict is that nothing is worth
/// acting on.
pub fn lost_nanos(half: &HalfConnection) -> i64 {
    if half.verdict.cause.is_none() {
        return 0;
    }
    half.limits.sum(is_removable).0
}

/// The half-connection to speak of first: the one that lost most, and of those that lost nothing the one with most bytes.
pub fn principal_half(connection: &Connection) -> Option<&HalfConnection> {
    connection.halves.iter().max_by_key(|h| (lost_nanos(h), h.bytes))
}
