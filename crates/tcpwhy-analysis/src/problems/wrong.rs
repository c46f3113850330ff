//! Failure and slowness of one connection, and the weight from which they are a problem.

use tcpwhy_model::{Cause, Finding, Severity};

use super::failure::Failure;
use super::slow::Cost;
use super::target::Kind;
use super::weight::Weight;
use crate::outcome::Connection;
use crate::thresholds::{FAILED_LEAST, SLOW_LEAST, SLOW_LEAST_OF_SHORT, SLOW_PART};

/// A failure or slowness of a connection.
pub(super) struct Wrong<'a> {
    pub(super) kind: Kind,
    /// The finding about it.
    pub(super) finding: Option<&'a Finding>,
    /// Lost time, nanoseconds.
    pub(super) lost: i64,
    /// The longest single wait, nanoseconds.
    pub(super) longest: i64,
    pub(super) cause: Option<Cause>,
    pub(super) severity: Severity,
    pub(super) weight: Weight,
}

impl<'a> Wrong<'a> {
    /// Returns the failure and the slowness of `connection` of `bytes`.
    pub(super) fn with(connection: &'a Connection, bytes: u64) -> [Option<Self>; 2] {
        let failed = Failure::of(connection, connection.server()).map(|(failure, finding)| {
            // With a wrong clock the waiting time is unknown.
            let seconds = finding.and_then(|finding| finding.seconds).filter(|_| !connection.has_wrong_clock);
            let lost = seconds.map_or(0, |seconds| (seconds * 1e9) as i64);
            let severity = finding.map_or(Severity::Warning, |finding| finding.severity);
            let weight = Weight::failed(lost, failure);
            Self { kind: Kind::Failed(failure), finding, lost, longest: lost, cause: None, severity, weight }
        });
        let slow = Cost::of(connection).map(|cost| {
            let weight = Weight::slow(&cost, bytes);
            let Cost { slow, cause, longest, severity, .. } = cost;
            Self { kind: Kind::Slow(slow), finding: None, lost: cost.all(), longest, cause, severity, weight }
        });
        [failed, slow]
    }

    /// Whether the connection was not established.
    pub(super) const fn is_attempt(&self) -> bool {
        matches!(self.kind, Kind::Failed(failure) if failure.is_of_handshake())
    }
}

/// Returns the least weight of a problem in a capture of `lasted` nanoseconds.
pub(super) fn least(kind: Kind, severity: Severity, lasted: i64) -> i64 {
    match kind {
        Kind::Slow(slow) if slow.is_of_transfer() && severity == Severity::Critical => {
            (lasted / SLOW_PART.get()).clamp(SLOW_LEAST_OF_SHORT.get(), SLOW_LEAST.get())
        }
        Kind::Slow(_) => SLOW_LEAST.get(),
        Kind::Failed(_) => FAILED_LEAST.get(),
    }
}
