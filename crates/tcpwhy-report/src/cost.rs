//! What a limit costs, for ranking: only time that a change could win back counts.

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Cause, Detail, Limit};

/// Whether a change to a host, an application or the network could take this limit away. Propagation, healthy use of the
/// whole path, opening a connection and an application with nothing to say are not losses.
pub fn is_removable(cause: Cause) -> bool {
    match cause.limit {
        Limit::SendBuffer | Limit::AckDelay | Limit::LossRecovery | Limit::CongestionWindow => true,
        Limit::ReceiveWindow => cause.detail != Some(Detail::Ramp),
        Limit::Handshake => cause.detail == Some(Detail::SynRto),
        Limit::Path => cause.detail == Some(Detail::Policer),
        Limit::Application => cause.detail == Some(Detail::PacedWrites),
        Limit::Unobserved | Limit::TailRtt | Limit::SlowStart => false,
    }
}

/// Nanoseconds of a half-connection under limits that a change could remove; at least those of its verdict.
pub fn lost_nanos(half: &HalfConnection) -> i64 {
    half.limits
        .totals()
        .iter()
        .filter(|t| is_removable(t.cause) || half.verdict.cause == Some(t.cause))
        .map(|t| t.nanos)
        .sum()
}

/// The half-connection to speak of first: the one that lost most, and of those that lost nothing the one with most bytes.
pub fn principal_half(connection: &Connection) -> Option<&HalfConnection> {
    connection.halves.iter().max_by_key(|h| {
        let lost = if h.verdict.cause.is_some() { lost_nanos(h) } else { 0 };
        (lost, h.bytes)
    })
}
