//! The evidence for a problem: a few numbers of the connection that shows it best.

use tcpwhy_model::{Cause, Detail, EvidenceKey, Finding, Limit, Rate};

use super::cost::principal_half;
use super::failure::{Failure, IDLE_CLOSE_RULE, LARGE_RULE};
use super::leading::leading_finding;
use super::slow::Slow;
use super::{Kind, Problem};
use crate::exchanges::Exchanges;
use crate::outcome::{Connection, HalfConnection};
use crate::side::Side;

/// A number that supports a problem. Times are nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proof {
    /// Retransmission timeouts.
    Timeouts(u64),
    /// Retransmitted segments, and all segments.
    Retransmitted(u64, u64),
    /// Median round trip.
    RoundTrip(i64),
    /// Largest number of bytes in flight while this was the limit.
    Flight(u64),
    /// The largest window that the receiver advertised then, bytes.
    Window(u64),
    /// Number of zero windows that the receiver advertised.
    ZeroWindows(u64),
    /// Number of times that the sender waited for an ACK before it could continue.
    Turns(u64),
    /// Delay of such an ACK.
    AckDelay(i64),
    /// Payload of this direction, and its duration.
    Carried(u64, i64),
    /// Payload per second of this direction.
    Rate(Rate),
    /// Requests with their answers.
    Requests(u64),
    /// The longest time that the server took for one of them.
    Slowest(i64),
    /// SYNs that the client sent.
    Syns(u64),
    /// Answers to these SYNs.
    SynAcks(u64),
    /// Time from the first packet of an attempt to the last.
    Tried(i64),
    /// Bytes that were acknowledged before the end.
    Delivered(u64),
    /// Bytes that were not acknowledged.
    Unacknowledged(u64),
    /// Retransmissions of the last data without an answer.
    Repeats(u64),
    /// Length of the silence.
    Silence(i64),
    /// Size of a request that was not answered, bytes.
    Request(u64),
    /// Waiting time for the answer.
    Awaited(i64),
    /// Idle time before the end.
    Idle(i64),
    /// Connections with reused ports that have the problem, and all connections with reused ports.
    Reused(u64, u64),
    /// The same numbers for ports that were not used shortly before.
    NotReused(u64, u64),
    /// The end that sent the last packets; the other end sent nothing more.
    LastFrom(Side),
    /// Size of the largest segment that passed, bytes.
    Passed(u64),
    /// Sender of the segments that vanished.
    From(Side),
}

impl Proof {
    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Timeouts(_) => "timeouts",
            Self::Retransmitted(..) => "retransmitted",
            Self::RoundTrip(_) => "round_trip",
            Self::Flight(_) => "flight",
            Self::Window(_) => "window",
            Self::ZeroWindows(_) => "zero_windows",
            Self::Turns(_) => "turns",
            Self::AckDelay(_) => "ack_delay",
            Self::Carried(..) => "carried",
            Self::Rate(_) => "rate",
            Self::Requests(_) => "requests",
            Self::Slowest(_) => "slowest",
            Self::Syns(_) => "syns",
            Self::SynAcks(_) => "syn_acks",
            Self::Tried(_) => "tried",
            Self::Delivered(_) => "delivered",
            Self::Unacknowledged(_) => "unacknowledged",
            Self::Repeats(_) => "repeats",
            Self::Silence(_) => "silence",
            Self::Request(_) => "request",
            Self::Awaited(_) => "awaited",
            Self::Idle(_) => "idle",
            Self::Reused(..) => "reused",
            Self::NotReused(..) => "not_reused",
            Self::LastFrom(_) => "last_from",
            Self::Passed(_) => "passed",
            Self::From(_) => "from",
        }
    }
}

impl Problem {
    /// Returns the numbers that support the problem: two or three of its example, or fewer if the packets
    /// show no more.
    pub fn proof(&self) -> Vec<Proof> {
        let example = &*self.example;
        let exchanges = example.exchanges.as_deref();
        if let Some(ports) = self.reused_ports {
            return vec![Proof::Reused(ports.slow_again, ports.again), Proof::NotReused(ports.slow_first, ports.first)];
        }
        match self.key.kind {
            Kind::Failed(failure) => of_failure(failure, example),
            Kind::Slow(Slow::Server) => exchanges.map_or_else(|| of_transfer(example), |of| of_server(of, example)),
            Kind::Slow(Slow::RoundTrips) => {
                let requests = exchanges.map(|exchanges| Proof::Requests(exchanges.count));
                requests.into_iter().chain(round_trip(example)).collect()
            }
            Kind::Slow(Slow::Answers(_) | Slow::Requests(_)) => of_transfer(example),
        }
    }
}

fn of_server(exchanges: &Exchanges, example: &Connection) -> Vec<Proof> {
    let slowest = exchanges.slowest.iter().map(|exchange| exchange.response).max();
    let requests = Proof::Requests(exchanges.count);
    [Some(requests), slowest.map(Proof::Slowest), round_trip(example)].into_iter().flatten().collect()
}

/// Returns the evidence for the limit of the reported direction.
fn of_transfer(example: &Connection) -> Vec<Proof> {
    let Some(half) = principal_half(example) else { return Vec::new() };
    let finding = leading_finding(half).or_else(|| half.findings.first());
    let of = |key| finding?.number(key);
    let meanwhile = &half.verdict.meanwhile;
    let [flight, window] = [meanwhile.flight.map(Proof::Flight), meanwhile.window.map(Proof::Window)];
    let rtt = round_trip_of(half);
    let repeated =
        (half.retransmitted_segments > 0).then_some(Proof::Retransmitted(half.retransmitted_segments, half.segments));
    let carried = Some(Proof::Carried(half.bytes, half.span.nanos()));
    let facts = match half.verdict.cause {
        Some(
            Cause { limit: Limit::LossRecovery, .. } | Cause { detail: Some(Detail::Policer | Detail::PostLoss), .. },
        ) => [of(EvidenceKey::TimeoutCount).map(Proof::Timeouts), repeated, rtt],
        Some(Cause { limit: Limit::ReceiveWindow, .. }) => {
            let zero = of(EvidenceKey::ZeroWindowCount).or_else(|| of(EvidenceKey::StallCount));
            [zero.map(Proof::ZeroWindows).or(flight), window, rtt]
        }
        Some(Cause { limit: Limit::AckDelay, .. }) => {
            let delay = of(EvidenceKey::DelayUs).map(nanos).map(Proof::AckDelay);
            [of(EvidenceKey::TurnCount).map(Proof::Turns), delay, rtt]
        }
        Some(Cause { limit: Limit::Handshake, .. }) => {
            let repeats = of(EvidenceKey::RetryCount).map(|repeats| Proof::Syns(repeats.saturating_add(1)));
            [repeats, of(EvidenceKey::SetupUs).map(nanos).map(Proof::Tried), rtt]
        }
        Some(Cause { limit: Limit::Path | Limit::Application, .. }) => [carried, half.goodput.map(Proof::Rate), rtt],
        _ => [flight, window, rtt],
    };
    facts.into_iter().flatten().collect()
}

fn of_failure(failure: Failure, example: &Connection) -> Vec<Proof> {
    let server = example.server();
    let found = Failure::of(example, server).and_then(|found| found.1);
    let of = |key| found?.number(key);
    let lasted = example.span.nanos();
    let facts = match failure {
        Failure::Incomplete => [
            of(EvidenceKey::SynAckCount).map(Proof::SynAcks),
            of(EvidenceKey::SynCount).map(Proof::Syns),
            Some(Proof::Tried(lasted)),
        ],
        Failure::Unanswered | Failure::Refused => {
            let syns = example.packets[server.peer().index()];
            [Some(Proof::Syns(syns)), (syns > 1).then_some(Proof::Tried(lasted)), None]
        }
        Failure::ResetByClient | Failure::ResetByServer | Failure::ResetBetween => [
            of(EvidenceKey::DeliveredBytes).map(Proof::Delivered),
            of(EvidenceKey::UnacknowledgedBytes).map(Proof::Unacknowledged),
            round_trip(example),
        ],
        Failure::RequestUnanswered => [
            of(EvidenceKey::RequestBytes).map(Proof::Request),
            of(EvidenceKey::AnswerWaitUs).map(nanos).map(Proof::Awaited),
            round_trip(example),
        ],
        Failure::IdleClose => {
            [of(EvidenceKey::RequestBytes).map(Proof::Request), idle_nanos(found).map(Proof::Idle), round_trip(example)]
        }
        Failure::TimedOut => {
            let last = sender_of(found, example).map(|half| Proof::LastFrom(half.sender));
            let delivered = || of(EvidenceKey::DeliveredBytes).map(Proof::Delivered);
            let repeats = of(EvidenceKey::RepeatCount).map(Proof::Repeats).or_else(delivered);
            [repeats, of(EvidenceKey::SilenceUs).map(nanos).map(Proof::Silence), last]
        }
        Failure::LargeVanished => [
            of(EvidenceKey::PassedBytes).map(Proof::Passed),
            of(EvidenceKey::RetransmittedCount).map(Proof::Repeats),
            sender_of(found, example).map(|half| Proof::From(half.sender)),
        ],
        Failure::Unfinished => [
            Some(Proof::Delivered(example.bytes())),
            of(EvidenceKey::ProbeCount).map(Proof::Repeats),
            of(EvidenceKey::SilenceUs).map(nanos).map(Proof::Silence),
        ],
    };
    facts.into_iter().flatten().collect()
}

/// Returns the direction that `finding` is about.
fn sender_of<'a>(finding: Option<&Finding>, example: &'a Connection) -> Option<&'a HalfConnection> {
    let is_own = |half: &&HalfConnection| half.findings.iter().any(|one| finding.is_some_and(|it| it == one));
    example.halves.iter().find(is_own)
}

/// Returns the median round trip of the reported direction, or else the least round trip of the connection.
fn round_trip(example: &Connection) -> Option<Proof> {
    let least = || Some(Proof::RoundTrip(i64::try_from(example.rtt_min?).ok()?));
    principal_half(example).and_then(round_trip_of).or_else(least)
}

fn round_trip_of(half: &HalfConnection) -> Option<Proof> {
    let (rtt, _) = half.rtt.as_ref()?;
    Some(Proof::RoundTrip(i64::try_from(rtt.median).ok()?))
}

impl Connection {
    /// Returns the size of the segments that vanished although smaller ones passed, bytes, if the connection
    /// failed because of that.
    pub fn vanished_size(&self) -> Option<u64> {
        self.failure().filter(|finding| finding.rule == LARGE_RULE)?.number(EvidenceKey::LostBytes)
    }

    /// Returns the idle time before an end closed the connection although a request was in flight,
    /// nanoseconds.
    pub fn idle_before_close(&self) -> Option<i64> {
        idle_nanos(self.failure().filter(|finding| finding.rule == IDLE_CLOSE_RULE))
    }
}

/// Returns the idle time of the connection that `finding` is about, nanoseconds.
fn idle_nanos(finding: Option<&Finding>) -> Option<i64> {
    finding?.number(EvidenceKey::RestUs).map(nanos)
}

/// Converts microseconds of evidence to nanoseconds.
fn nanos(micros: u64) -> i64 {
    const MICROSECOND: i64 = 1_000;
    i64::try_from(micros).unwrap_or(i64::MAX).saturating_mul(MICROSECOND)
}

#[cfg(test)]
mod terms;
