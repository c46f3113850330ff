//! Splits the time of transfers by their limits.

use tcpwhy_model::{Cause, Distribution, Limit, Span};

use super::{Exchange, Exchanges, Parts};
use crate::outcome::HalfConnection;
use crate::thresholds::{NEAR_MOST, NEAR_TIMES};

/// The end at which a capture was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IsAt {
    Client,
    Server,
}

/// Delays from the capture point to each end and back, nanoseconds, if they were measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ways {
    pub(crate) to_server: Option<i64>,
    pub(crate) to_client: Option<i64>,
}

impl Ways {
    /// Returns the delays without the answer time of an end itself, if the capture was made at that end.
    pub(crate) fn seen_at(self, near: Option<IsAt>) -> Self {
        let is_near = |own: Option<i64>, other: Option<i64>| {
            own.zip(other)
                .is_some_and(|(own, other)| own < NEAR_MOST.get() && own.saturating_mul(NEAR_TIMES.get()) <= other)
        };
        if near == Some(IsAt::Server) || is_near(self.to_server, self.to_client) {
            Self { to_server: Some(0), ..self }
        } else if near == Some(IsAt::Client) || is_near(self.to_client, self.to_server) {
            Self { to_client: Some(0), ..self }
        } else {
            self
        }
    }

    /// Returns the variation of each delay above its least, which is the part of a wait that the path may
    /// have caused. The delay to the server comes first.
    fn jitter(self, rtt: Option<Distribution>) -> [i64; 2] {
        let [server, client] = [self.to_server, self.to_client].map(|way| way.unwrap_or(0).max(0));
        let all = server.saturating_add(client);
        let more = rtt.map_or(0, |rtt| i64::try_from(rtt.p95.saturating_sub(rtt.min)).unwrap_or(i64::MAX));
        [server, client].map(|way| if all > 0 { (more as f64 * way as f64 / all as f64) as i64 } else { 0 })
    }
}

/// The directions of the requests and of the answers.
pub(crate) struct Transfers<'a> {
    pub(crate) requests: Option<&'a HalfConnection>,
    pub(crate) answers: Option<&'a HalfConnection>,
}

impl Transfers<'_> {
    /// Splits the transfers of `exchanges` by their limits, and moves the server's pauses out of them.
    pub(crate) fn split(&self, exchanges: &mut Exchanges, ways: Ways) {
        self.split_by_limits(exchanges);
        let count = i64::try_from(exchanges.count).unwrap_or(i64::MAX);
        let rtt = self.answers.or(self.requests).and_then(|half| half.rtt).map(|(rtt, _)| rtt);
        let [server, client] = ways.jitter(rtt).map(|more| more.saturating_mul(count));
        let known = |way: Option<i64>, least: i64| if way.is_some() { least.max(0) } else { 0 };
        let parts = &mut exchanges.parts;
        parts.server_least = known(ways.to_server, parts.server.saturating_sub(server));
        parts.client_least = known(ways.to_client, parts.client.saturating_sub(client));
    }

    /// Splits again for directions whose limits have changed since.
    pub(crate) fn split_again(&self, exchanges: &mut Exchanges) {
        let parts = &mut exchanges.parts;
        parts.answers = parts.answers.saturating_add(parts.pauses);
        self.split_by_limits(exchanges);
    }

    fn split_by_limits(&self, exchanges: &mut Exchanges) {
        let mut sums = Vec::new();
        let mut pauses = 0;
        for exchange in &mut exchanges.slowest {
            exchange.limits = self.limits(exchange);
            for &(cause, nanos) in &exchange.limits {
                add(&mut sums, cause, nanos);
            }
            pauses += self.pauses(exchange);
        }
        longest_first(&mut sums);
        let parts = &exchanges.parts;
        exchanges.parts = Parts {
            pauses,
            answers: parts.answers.saturating_sub(pauses).max(0),
            retransmission: sums.iter().filter(|sum| sum.0.limit == Limit::LossRecovery).map(|sum| sum.1).sum(),
            ..*parts
        };
        exchanges.limits = sums;
    }

    fn limits(&self, exchange: &Exchange) -> Vec<(Cause, i64)> {
        let mut sums = Vec::new();
        for (half, span) in [(self.requests, exchange.request), (self.answers, exchange.answer)] {
            for (cause, nanos) in within(half, span) {
                add(&mut sums, cause, nanos);
            }
        }
        longest_first(&mut sums);
        sums.shrink_to_fit();
        sums
    }

    /// Returns the time within the answer in which the server had nothing to send.
    fn pauses(&self, exchange: &Exchange) -> i64 {
        let rests = within(self.answers, exchange.answer).filter(|(cause, _)| cause.limit == Limit::Application);
        rests.map(|(_, nanos)| nanos).sum()
    }
}

/// Returns the causes of `half` in `span`, with their time. A cause may appear more than once.
fn within(half: Option<&HalfConnection>, span: Span) -> impl Iterator<Item = (Cause, i64)> {
    let intervals = half.map_or(&[][..], |half| half.limits.intervals());
    let first = intervals.partition_point(|interval| interval.span.end() <= span.start());
    let overlap = move |other: Span| other.end().min(span.end()).since(other.start().max(span.start()));
    let held = intervals[first..].iter().take_while(move |interval| interval.span.start() < span.end());
    held.map(move |interval| (interval.cause, overlap(interval.span))).filter(|&(_, nanos)| nanos > 0)
}

fn add(sums: &mut Vec<(Cause, i64)>, cause: Cause, nanos: i64) {
    match sums.iter_mut().find(|sum| sum.0 == cause) {
        Some(sum) => sum.1 += nanos,
        None => sums.push((cause, nanos)),
    }
}

fn longest_first(sums: &mut [(Cause, i64)]) {
    sums.sort_by_key(|&(cause, nanos)| (std::cmp::Reverse(nanos), cause));
}

#[cfg(test)]
mod terms;
