//! What a limit costs, for ranking: only time that a change could win back counts.

use tcpwhy_analysis::{Connection, HalfConnection, Role};
use tcpwhy_model::{Cause, Detail};

/// Less of a connection's time is no reason to speak of another direction than the one that carried most.
const WORTH_SPEAKING_OF: f64 = 0.33;

/// Nanoseconds of a half-connection under limits that a change could remove; none if nothing held it back. How long a client
/// takes between its requests is its own affair.
pub fn lost_nanos(half: &HalfConnection) -> i64 {
    if half.verdict.severity.is_none() {
        return 0;
    }
    let is_own_affair = |cause: Cause| cause.detail == Some(Detail::Think) && half.role == Role::Client;
    half.limits.sum(|cause| cause.is_removable() && !is_own_affair(cause)).0
}

/// The half-connection to speak of first: the one that carried most, or the one that lost the most time if that was a third of
/// the connection's.
pub fn principal_half(connection: &Connection) -> Option<&HalfConnection> {
    let bulk = connection.halves.iter().max_by_key(|h| h.bytes)?;
    let slowest = connection.halves.iter().max_by_key(|h| (lost_nanos(h), h.bytes))?;
    let is_worth_it = lost_nanos(slowest) as f64 >= WORTH_SPEAKING_OF * connection.span.nanos() as f64;
    Some(if is_worth_it { slowest } else { bulk })
}
