//! Cost of a limit, for ranking: only time that a change could save counts.

use tcpwhy_model::{Cause, Claim, Detail, Limit};

use super::leading::leading_finding;
use crate::outcome::{Connection, HalfConnection, Role};
use crate::thresholds::{NEXT_TO_NOTHING, WORTH_SPEAKING_OF};

/// Returns the nanoseconds that the proposed change would save a half-connection; 0 if nothing slowed it. If
/// there is a prediction, it is the predicted saving, so that a list and the answer show the same number.
/// Otherwise it is an upper bound: see [`is_saving_predicted`].
pub fn lost_nanos(half: &HalfConnection) -> i64 {
    match predicted_seconds(half) {
        Some(then) => ((half.span.seconds() - then).max(0.0) * 1e9) as i64,
        None => removable_nanos(half),
    }
}

/// Whether [`lost_nanos`] comes from a prediction. Otherwise it is all the time under limits that a change
/// could remove, and no change saves more.
pub fn is_saving_predicted(half: &HalfConnection) -> bool {
    predicted_seconds(half).is_some()
}

/// Returns the duration of the half-connection after the change that is proposed first, seconds.
fn predicted_seconds(half: &HalfConnection) -> Option<f64> {
    let prediction = leading_finding(half)?.prediction.as_ref()?;
    (prediction.claim == Claim::Range).then_some(prediction.seconds.value)
}

/// Returns the nanoseconds under limits that a change could remove; 0 if nothing slowed the half-connection.
/// The client's own time between requests does not count.
fn removable_nanos(half: &HalfConnection) -> i64 {
    if half.verdict.severity.is_none() {
        return 0;
    }
    let is_own_affair = |cause: Cause| cause.detail == Some(Detail::Think) && half.exchange_role == Role::Client;
    half.limits.sum(|cause| cause.is_removable() && !is_own_affair(cause)).0
}

/// Returns the half-connection to report first. It is the one with most data, or the one that lost the most
/// time if that was a third of the connection's. One with very little data is reported only if it made the
/// other end wait.
pub fn principal_half(connection: &Connection) -> Option<&HalfConnection> {
    let bulk = connection.halves.iter().max_by_key(|h| h.bytes)?;
    let all: u64 = connection.bytes();
    let may_lead = |h: &&HalfConnection| h.bytes as f64 >= NEXT_TO_NOTHING.get() * all as f64 || has_waiting_peer(h);
    let slowest = connection.halves.iter().filter(may_lead).max_by_key(|h| (removable_nanos(h), h.bytes))?;
    let is_worth_it = removable_nanos(slowest) as f64 >= WORTH_SPEAKING_OF.get() * connection.span.nanos() as f64;
    Some(if is_worth_it { slowest } else { bulk })
}

impl Connection {
    /// Returns the direction to read first. It is the one with most data, or the one that lost the most time
    /// if that was a third of the connection's. `None` if the connection carried no data.
    pub fn principal_half(&self) -> Option<&HalfConnection> {
        principal_half(self)
    }
}

/// Whether the other end waited for this one, as the verdict shows: for an answer, for a retransmission, or
/// for blocked data.
pub(crate) fn has_waiting_peer(half: &HalfConnection) -> bool {
    half.verdict.cause.is_some_and(|cause| match cause.limit {
        Limit::Application => cause.detail == Some(Detail::Think) && half.exchange_role != Role::Client,
        Limit::LossRecovery => half.retransmitted_bytes > 0,
        Limit::ReceiveWindow | Limit::AckDelay => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Severity;

    use super::super::testing::{finding, half};
    use super::*;

    const WARNING: Option<Severity> = Some(Severity::Warning);

    /// A change could save all time under removable limits, except the client's own thinking time.
    #[test]
    fn a_client_that_thinks_loses_nothing() {
        let (think, buffer, tail) =
            (Detail::Think.into(), Cause::plain(Limit::SendBuffer), Cause::plain(Limit::TailRtt));
        let parts = [(2, buffer), (3, think), (5, tail)];
        for (what, role, severity, expected) in [
            ("a client", Role::Client, WARNING, 2),
            ("a server", Role::Server, WARNING, 5),
            ("unknown", Role::Unknown, WARNING, 5),
            ("nothing held it back", Role::Server, None, 0),
            ("a note", Role::Server, Some(Severity::Info), 5),
        ] {
            let half = half(role, severity, &parts, Vec::new());
            assert_eq!(removable_nanos(&half) / 1_000_000_000, expected, "{what}");
            assert_eq!((lost_nanos(&half) / 1_000_000_000, is_saving_predicted(&half)), (expected, false), "{what}");
        }
    }

    /// If there is a prediction, the loss is the predicted saving, and never negative.
    #[test]
    fn a_predicted_saving_goes_before_the_time_under_limits() {
        let parts = [(4, Cause::plain(Limit::SendBuffer)), (6, Cause::plain(Limit::TailRtt))];
        for (what, fixes, seconds, expected, is_predicted) in [
            ("3 s instead of 10 s", 1, Some(3.0), 7, true),
            ("longer", 1, Some(12.0), 0, true),
            ("nothing to change", 0, Some(3.0), 4, false),
            ("no prediction", 1, None, 4, false),
        ] {
            let found = finding("send-buffer-plateau", Severity::Warning, fixes, seconds);
            let half = half(Role::Server, WARNING, &parts, vec![found]);
            assert_eq!(
                (lost_nanos(&half) / 1_000_000_000, is_saving_predicted(&half)),
                (expected, is_predicted),
                "{what}"
            );
        }
    }
}
