//! Concerns about a single connection that is not part of a larger problem. They prevent a false all-clear.

use std::cmp::Reverse;

use tcpwhy_model::{Finding, Limit, Severity};

use super::choice::{Decided, List, Question, choice, first};
use super::named_cause::NamedCause;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::{Cost, principal_half};
use crate::thresholds::{CONCERN_GAIN, CONCERN_LEAST};

/// A concern about a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Concern<'a> {
    /// Severity of the concern.
    severity: Severity,
    /// Lost time, nanoseconds.
    pub(super) nanos: i64,
    /// Finding about the connection as a whole; `None` if the concern is its time.
    pub(super) finding: Option<&'a Finding>,
}

/// Order of concerns, most severe last: by severity, by cost, with the earliest connection last.
pub(super) type ConcernRank = (Severity, i64, Reverse<u64>);

impl<'a> Concern<'a> {
    /// Returns the concern about `connection` and the choice that decided; `None` if there is no concern.
    pub(super) fn decide(connection: &'a Connection) -> Option<Decided<Self>> {
        first(CONCERN, &connection)
    }

    /// Rank among the concerns about other connections.
    pub(super) fn rank(&self, connection: &Connection) -> ConcernRank {
        (self.severity, self.nanos, Reverse(connection.first_packet))
    }
}

/// A concern about a connection.
pub(super) struct OfConcern;

impl Question for OfConcern {
    type Facts<'a> = &'a Connection;
    type Answer<'a> = Concern<'a>;
}

/// Choices in the order in which they are tried. If none applies, nothing is wrong.
pub(super) const CONCERN: &List<OfConcern> = &[&CostlyFinding, &WorthRemoving, &MostlyLimited];

choice! {
    /// A finding about the connection as a whole cost at least one second.
    CostlyFinding of OfConcern, CostlyFinding:
    |connection| {
        let nanos = |finding: &Finding| finding.seconds.map_or(0, |seconds| (seconds * 1e9) as i64);
        let is_costly = |finding: &&Finding| {
            finding.severity > Severity::Info && nanos(finding) >= CONCERN_LEAST.get() && connection.requests_of(finding).is_none()
        };
        let costly = connection.findings.iter().filter(is_costly).max_by_key(|finding| (finding.severity, nanos(finding)));
        costly.map(|finding| Concern { severity: finding.severity, nanos: nanos(finding), finding: Some(finding) })
    }
}

choice! {
    /// A change would speed up a connection of more than one second by `CONCERN_GAIN`.
    WorthRemoving of OfConcern, WorthRemoving:
    |connection| {
        let cost = Cost::of(connection)?;
        let span = waited_nanos(connection)?;
        let is_gain = span as f64 >= CONCERN_GAIN.get() * span.saturating_sub(cost.all()) as f64;
        let is_long = span >= CONCERN_LEAST.get() && cost.severity > Severity::Info;
        (is_long && is_gain).then_some(Concern { severity: cost.severity, nanos: cost.all(), finding: None })
    }
}

choice! {
    /// A removable limit was the main reason for a slow connection. A policer is an example: nothing shows
    /// the speed without it.
    MostlyLimited of OfConcern, MostlyLimited:
    |connection| {
        let half = principal_half(connection).filter(|half| half.verdict.severity == Some(Severity::Critical))?;
        let named = NamedCause::of(half).filter(|named| named.cause.is_removable())?;
        let nanos = (named.seconds() * 1e9) as i64;
        let is_waited = !is_of_requests(connection, half) && nanos >= CONCERN_LEAST.get();
        is_waited.then_some(Concern { severity: Severity::Critical, nanos, finding: None })
    }
}

/// Returns the waiting time, nanoseconds: for the requests, or for the reported direction.
fn waited_nanos(connection: &Connection) -> Option<i64> {
    match connection.exchanges.as_deref().filter(|exchanges| exchanges.is_request_response()) {
        Some(exchanges) => Some(exchanges.parts.awaited()),
        None => principal_half(connection).map(|half| half.span.nanos()),
    }
}

/// Whether the exchanges show the party that took the time.
fn is_of_requests(connection: &Connection, half: &HalfConnection) -> bool {
    let is_application = half.verdict.cause.is_some_and(|cause| cause.limit == Limit::Application);
    is_application && connection.exchanges.is_some()
}

#[cfg(test)]
mod terms;
