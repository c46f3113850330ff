//! Servers of the overview: their traffic, response times, failures and limits.

use std::collections::BTreeMap;

use tcpwhy_analysis::{Connection, Failure, Problem, Services, principal_half};
use tcpwhy_model::Endpoint;
use tcpwhy_report::palette::Swatch;

use super::bins::{self, BINS, Counts};
use super::contract::{FailureCount, Histogram, ServiceLine};

/// Most services that are counted. The lowest in order are kept, as in [`Services`].
const MOST_COUNTED: usize = 10_000;

/// Data of a server in the overview that [`tcpwhy_analysis::Service`] does not have.
#[derive(Clone, Debug)]
struct Sums {
    /// Exchanges by duration; connections by duration, for servers without exchanges.
    exchanges: Counts,
    connections: Counts,
    /// Connections that failed, by duration.
    failed: Counts,
    /// Time of the principal directions by limit, nanoseconds.
    nanos: [i64; Swatch::ALL.len()],
}

/// Counts of connections by server.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServiceSums {
    found: BTreeMap<Endpoint, Sums>,
}

impl ServiceSums {
    /// Adds a connection; returns a bit for each bin of a histogram that counts it.
    pub(crate) fn add(&mut self, connection: &Connection) -> u64 {
        let server = connection.endpoints[connection.server().index()];
        let sums = self.found.entry(server).or_insert_with(Sums::new);
        let bits = sums.add(connection);
        if self.found.len() > MOST_COUNTED {
            self.found.pop_last();
        }
        bits
    }

    /// The first `most` services: those with problems, then those with the most connections. `probed` has the
    /// failed connections that nobody waited for, which no histogram counts.
    pub(crate) fn lines(
        &self,
        services: &Services,
        problems: &[Problem],
        probed: &BTreeMap<Endpoint, Counts>,
        most: usize,
    ) -> Vec<ServiceLine> {
        let mut order: Vec<Endpoint> = problems.iter().filter_map(|problem| problem.key.service()).collect();
        order.extend(services.ranked().iter().map(|service| service.server));
        let mut seen = std::collections::BTreeSet::new();
        order.retain(|server| seen.insert(*server));
        order.truncate(most);
        order.iter().filter_map(|&server| self.line(services, server, probed.get(&server))).collect()
    }

    fn line(&self, services: &Services, server: Endpoint, probed: Option<&Counts>) -> Option<ServiceLine> {
        let service = services.of(server)?;
        let sums = self.found.get(&server)?;
        let has_exchanges = service.exchanges > 0;
        let seconds = |nanos: i64| nanos as f64 / 1e9;
        let times = if has_exchanges { &service.exchange_times } else { &service.times };
        let spread = times.distribution().map(|spread| [spread.median, spread.p95, spread.max].map(|n| n as f64 / 1e9));
        let parts = &service.parts;
        let network = parts.round_trips.saturating_add(parts.transfers());
        let failures = Failure::ALL.into_iter().map(|failure| (failure, service.failed_by(failure)));
        // The survey may not keep every connection, but the sums show whether any connection failed that was
        // no probe.
        let has_failed = Failure::ALL.into_iter().any(|failure| service.failed_by(failure) > 0);
        let failed = if has_failed { without(&sums.failed, probed) } else { [0; BINS] };
        let most = Swatch::ALL.into_iter().max_by_key(|&swatch| sums.nanos[swatch as usize]);
        Some(ServiceLine {
            server: server.to_string(),
            connections: service.connections,
            failures: failures
                .filter(|failure| failure.1 > 0)
                .map(|(failure, connections)| FailureCount { kind: failure.id(), connections })
                .collect(),
            interactive: service.interactive,
            bytes: service.bytes,
            exchanges: service.exchanges,
            time_s: spread,
            parts_s: has_exchanges.then(|| [parts.of_server(), network, parts.client].map(seconds)),
            limit: most.filter(|&swatch| sums.nanos[swatch as usize] > 0).map(|swatch| swatch as usize),
            histogram: sums.histogram(has_exchanges, &failed),
        })
    }
}

impl Sums {
    const fn new() -> Self {
        Self { exchanges: [0; BINS], connections: [0; BINS], failed: [0; BINS], nanos: [0; Swatch::ALL.len()] }
    }

    fn add(&mut self, connection: &Connection) -> u64 {
        // Times of a wrong clock are meaningless.
        if connection.has_wrong_clock {
            return 0;
        }
        if let Some(half) = principal_half(connection) {
            for total in half.limits.totals() {
                let sum = &mut self.nanos[Swatch::of(total.cause) as usize];
                *sum = sum.saturating_add(total.nanos);
            }
        }
        let lasted = bins::bin_of(connection.span.nanos().unsigned_abs());
        let mut bits = 0;
        if let Some(exchanges) = connection.exchanges.as_deref().filter(|exchanges| exchanges.is_request_response()) {
            bits |= bins::add(&mut self.exchanges, &exchanges.times);
        }
        if Failure::of_connection(connection).is_some() {
            self.failed[lasted] = self.failed[lasted].saturating_add(1);
            return bits | 1 << lasted;
        }
        // A connection without data has no duration that anybody waited for.
        if connection.halves.is_empty() {
            return bits;
        }
        self.connections[lasted] = self.connections[lasted].saturating_add(1);
        if bits == 0 { 1 << lasted } else { bits }
    }

    fn histogram(&self, has_exchanges: bool, failed: &Counts) -> Histogram {
        let done = if has_exchanges { &self.exchanges } else { &self.connections };
        let is_filled = |bin: &usize| done[*bin] > 0 || failed[*bin] > 0;
        let first = (0..BINS).find(is_filled).unwrap_or(0);
        let end = (0..BINS).rev().find(is_filled).map_or(first, |last| last + 1);
        Histogram { first, done: done[first..end].to_vec(), failed: failed[first..end].to_vec() }
    }
}

/// `counts` minus those of `others`.
fn without(counts: &Counts, others: Option<&Counts>) -> Counts {
    let Some(others) = others else { return *counts };
    std::array::from_fn(|bin| counts[bin].saturating_sub(others[bin]))
}
