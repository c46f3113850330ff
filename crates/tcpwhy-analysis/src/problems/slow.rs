//! Causes of slow connections, and the connections that count.

use tcpwhy_model::{Cause, Detail, Family, Limit, Severity};

use super::cost::{has_waiting_peer, lost_nanos, principal_half};
use crate::exchanges::{Exchange, Exchanges, Pattern};
use crate::outcome::{Connection, HalfConnection, Role};
use crate::thresholds::{ANOTHER_WAIT, LATE, LATE_ROUND_TRIPS, LONG_REST, SLOW_NOTICED};

/// Cause of the lost time of connections that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slow {
    /// The server answered late.
    Server,
    /// Each of many small requests cost a round trip.
    RoundTrips,
    /// A family of causes that one change removes, in the server's data.
    Answers(Family),
    /// The same, in the client's data.
    Requests(Family),
}

/// The median is the quantile of one half: half of all values are at least as large.
const MEDIAN: f64 = 0.5;
const ABOVE_MEDIAN: u64 = 2;
/// The rule that finds too many round trips, rather than too many bytes.
const TURNS_RULE: &str = "request-response-turns";

/// Cost of a slow connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) slow: Slow,
    /// The limit of the data, if that is the cause.
    pub(crate) cause: Option<Cause>,
    /// Time that a change could save, nanoseconds.
    pub(crate) nanos: i64,
    /// Time that it could save of answers that were late by less than a second, and the number of all late
    /// answers. A few late answers matter to nobody, but many do.
    pub(crate) late_nanos: i64,
    pub(crate) late_answers: u64,
    /// The longest wait of all, nanoseconds.
    pub(crate) longest: i64,
    /// Somebody waited for requested data.
    pub(crate) is_awaited: bool,
    pub(crate) severity: Severity,
}

impl Cost {
    /// Returns the largest cost of `connection`; `None` if a change could not save a noticeable time. The
    /// wait of a failed connection counts as its failure. With a wrong clock, nothing shows that the
    /// connection was slow.
    pub(crate) fn of(connection: &Connection) -> Option<Self> {
        if connection.has_wrong_clock {
            return None;
        }
        let failed = connection.failure().and_then(|finding| finding.seconds);
        Self::of_time(connection).filter(|cost| failed.is_none_or(|failed| cost.is_another_wait((failed * 1e9) as i64)))
    }

    /// Whether this wait is a different one from the failure's wait of `failed` nanoseconds.
    fn is_another_wait(&self, failed: i64) -> bool {
        let is_same_wait = matches!(
            self.slow,
            Slow::Server
                | Slow::Answers(Family::Loss | Family::Application)
                | Slow::Requests(Family::Loss | Family::Application)
        );
        !is_same_wait && self.all() > failed.saturating_mul(ANOTHER_WAIT.get())
    }

    fn of_time(connection: &Connection) -> Option<Self> {
        let exchanges = connection.exchanges.as_deref();
        let is_interactive = exchanges.is_some_and(|e| matches!(e.pattern, Pattern::Interactive | Pattern::LongPoll));
        let half = principal_half(connection);
        // The exchanges show better which party took the time of requests, and nobody waits for a person's
        // keystrokes.
        let is_seen_better = is_interactive || exchanges.is_some() && waits_for_program(half);
        let of_half = half.filter(|half| !is_seen_better || !is_of_application(half)).and_then(Self::of_half);
        // The slowest round trip, as behind a queue, because the path's time is not the server's.
        let rtts =
            connection.halves.iter().filter_map(|half| half.rtt).map(|(rtt, _)| rtt.p95).chain(connection.rtt_min);
        let rtt = rtts.max().and_then(|rtt| i64::try_from(rtt).ok()).unwrap_or(0);
        let of_server = exchanges.and_then(|exchanges| Self::of_server(exchanges, rtt));
        let of_turns = exchanges.and_then(|exchanges| Self::of_round_trips(connection, exchanges));
        // Among equal costs the first one wins.
        [of_turns, of_half, of_server].into_iter().flatten().max_by_key(Self::all)
    }

    fn plain(slow: Slow, severity: Severity) -> Self {
        Self { slow, cause: None, nanos: 0, late_nanos: 0, late_answers: 0, longest: 0, is_awaited: false, severity }
    }

    /// Returns all time that a change could save, nanoseconds.
    pub(crate) fn all(&self) -> i64 {
        self.nanos.saturating_add(self.late_nanos)
    }

    fn of_half(half: &HalfConnection) -> Option<Self> {
        let severity = half.verdict.severity.filter(|&severity| severity > Severity::Info)?;
        let cause = half.verdict.cause?;
        let nanos = Some(lost_nanos(half)).filter(|&nanos| nanos >= SLOW_NOTICED)?;
        let is_guess = cause == Detail::Think.into() && half.exchange_role == Role::Unknown;
        let is_awaited = cause.limit == Limit::Handshake || has_waiting_peer(half) && !is_guess;
        let is_server = half.exchange_role != Role::Client;
        let slow = match cause.family()? {
            Family::Application if is_server && cause.detail == Some(Detail::Think) => Slow::Server,
            family if is_server => Slow::Answers(family),
            family => Slow::Requests(family),
        };
        let cause = slow.is_of_transfer().then_some(cause);
        let is_awaited = is_awaited && nanos >= LATE;
        Some(Self { cause, nanos, longest: nanos, is_awaited, ..Self::plain(slow, severity) })
    }

    /// Returns the cost of the server's late answers.
    fn of_server(exchanges: &Exchanges, rtt: i64) -> Option<Self> {
        if !exchanges.is_request_response() || exchanges.brings_news() {
            return None;
        }
        let late = LATE.get().max(rtt.saturating_mul(LATE_ROUND_TRIPS.get()));
        let awaited = exchanges.slowest.iter().map(|exchange| awaited(exchange, late));
        let (mut nanos, mut late_nanos, mut late_answers, mut longest) = (0_i64, 0_i64, 0, 0);
        for wait in awaited.filter(|&wait| wait > 0) {
            let sum = if wait >= LONG_REST.get() { &mut nanos } else { &mut late_nanos };
            *sum = sum.saturating_add(wait);
            longest = longest.max(wait);
            late_answers += 1;
        }
        // Only the sum of the other answers is known, and that none took longer.
        if exchanges.responses.quantile(MEDIAN).is_some_and(|median| median >= late.unsigned_abs()) {
            let kept = exchanges.slowest.iter().map(|exchange| exchange.response).sum::<i64>();
            late_nanos = late_nanos.saturating_add((exchanges.parts.server - kept).max(0));
            late_answers += exchanges.count.saturating_sub(exchanges.slowest.len() as u64) / ABOVE_MEDIAN;
        }
        let plain = Self::plain(Slow::Server, Severity::Warning);
        let cost = Self { nanos, late_nanos, late_answers, longest, is_awaited: true, ..plain };
        (cost.all() > 0).then_some(cost)
    }

    /// Returns the cost of round trips that many small requests spent one after the other.
    fn of_round_trips(connection: &Connection, exchanges: &Exchanges) -> Option<Self> {
        let found = connection.findings.iter().find(|finding| finding.rule == TURNS_RULE);
        let severity = found.filter(|_| exchanges.is_request_response())?.severity;
        let nanos = exchanges.parts.round_trips;
        let cost = Self { nanos, is_awaited: true, ..Self::plain(Slow::RoundTrips, severity) };
        Some(cost).filter(|cost| cost.nanos >= LATE)
    }
}

/// Returns the waiting time for the answer of `exchange`, if it was late; otherwise 0.
fn awaited(exchange: &Exchange, late: i64) -> i64 {
    if exchange.response >= late && exchange.is_awaited() { exchange.response } else { 0 }
}

/// Whether the direction waited for its application.
fn is_of_application(half: &HalfConnection) -> bool {
    half.verdict.cause.is_some_and(|cause| cause.limit == Limit::Application)
}

/// Whether the direction waited for its program, rather than for a window that the peer's program grants.
fn waits_for_program(half: Option<&HalfConnection>) -> bool {
    let cause = half.and_then(|half| half.verdict.cause);
    cause.is_some_and(|cause| cause.limit == Limit::Application && cause.detail != Some(Detail::PeerWindow))
}

impl Slow {
    /// Returns the cause of the time of `connection` that a change could save, if there is any.
    pub fn of(connection: &Connection) -> Option<Self> {
        Cost::of(connection).map(|cost| cost.slow)
    }

    /// Returns the sender of the slow data, as a stable id; `None` if the cause is not the data.
    pub const fn sender(self) -> Option<&'static str> {
        match self {
            Self::Server | Self::RoundTrips => None,
            Self::Answers(_) => Some("server"),
            Self::Requests(_) => Some("client"),
        }
    }

    /// Whether the data itself was slow, rather than the server's answers or the number of turns.
    pub(super) const fn is_of_transfer(self) -> bool {
        matches!(self, Self::Answers(_) | Self::Requests(_))
    }

    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Server => "server_response",
            Self::RoundTrips => "round_trips",
            Self::Answers(family) | Self::Requests(family) => family.id(),
        }
    }
}
