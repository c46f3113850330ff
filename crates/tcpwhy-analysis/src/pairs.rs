//! Patterns that connections of one client to one server have in common, and that no single connection shows.

use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Finding};

use crate::diagnosis::diagnose_pair;
use crate::diagnosis::pair_facts::{Cut, PairFacts};
use crate::outcome::{Connection, Ending};
use crate::strays::Strays;
use crate::thresholds::REQUEST_SEGMENTS;

/// Number of pairs that are distinguished. The lowest in order stay, so the order of connections does not
/// matter.
const MOST_PAIRS: usize = 10_000;
/// Largest number of findings that are returned.
const MOST_FINDINGS: usize = 20;
/// TLS from the first byte on, as registered by IANA: https, submissions, nntps, ldaps, domain-s, ftps,
/// telnets, imaps, pop3s, sips, amqps, secure-mqtt.
const TLS_PORTS: [u16; 13] = [443, 465, 563, 636, 853, 989, 990, 992, 993, 995, 5061, 5671, 8883];

/// Folds finished connections, in any order, into habits of their clients.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    found: BTreeMap<(IpAddr, Endpoint), Sums>,
    strays: Strays,
}

/// Sums over the connections of one pair that carried data.
#[derive(Clone, Debug, Default)]
struct Sums {
    connections: u64,
    short: u64,
    /// Sums over the short connections: nanoseconds, first and last time, bytes.
    round_trips: u64,
    spent: u64,
    times: Option<(i64, i64)>,
    bytes: u64,
    /// Connections that failed; at most one entry per rule.
    cuts: Vec<Cut>,
}

impl Pairs {
    /// Counts a connection.
    pub fn add(&mut self, connection: &Connection) {
        self.strays.add(connection);
        let (Some(client), false) = (connection.initiator, connection.halves.is_empty()) else { return };
        let server = connection.endpoints[client.peer().index()];
        let sums = self.found.entry((connection.endpoints[client.index()].address, server)).or_default();
        sums.connections += 1;
        sums.add_cut(connection);
        if let (true, Some(rtt)) = (is_short(connection), connection.rtt_min) {
            // Nobody waits for the close, so its time does not count.
            let last_data = connection.halves.iter().map(|half| half.span.end()).max().unwrap_or(connection.span.end());
            let (start, end) = (connection.span.start().as_nanos(), last_data.as_nanos());
            sums.short += 1;
            sums.round_trips = sums.round_trips.saturating_add(rtt);
            sums.spent = sums.spent.saturating_add(end.saturating_sub(start).max(0).cast_unsigned());
            sums.bytes += connection.bytes();
            let (first, last) = sums.times.unwrap_or((start, end));
            sums.times = Some((first.min(start), last.max(end)));
        }
        if self.found.len() > MOST_PAIRS {
            // The lower ones stay, so a removed pair never returns, and the remaining sums are complete.
            self.found.pop_last();
        }
    }

    /// Returns the findings, most severe first and then by time, and the number of further ones.
    pub fn findings(&self) -> (Vec<Finding>, usize) {
        let facts = self.found.iter().map(|(&(client, server), sums)| PairFacts {
            stray: self.strays.of(client, server),
            ..sums.facts(client, server)
        });
        let mut all: Vec<_> = facts.flat_map(|facts| diagnose_pair(&facts).collect::<Vec<_>>()).collect();
        // The sort is stable, so equal findings stay in the order of the pairs.
        let seconds = |finding: &Finding| finding.seconds.unwrap_or(0.0);
        all.sort_by(|a, b| b.severity.cmp(&a.severity).then(seconds(b).total_cmp(&seconds(a))));
        let more = all.len().saturating_sub(MOST_FINDINGS);
        all.truncate(MOST_FINDINGS);
        (all, more)
    }
}

impl Sums {
    /// Records the failure of `connection`, if it failed.
    fn add_cut(&mut self, connection: &Connection) {
        // Connections that were closed while idle have a time in common, but not their bytes.
        let Some(finding) = connection.failure().filter(|_| connection.idle_before_close().is_none()) else { return };
        let bytes = connection.bytes();
        let nanos = finding.seconds.map_or(0, |seconds| (seconds.max(0.0) * 1e9) as u64);
        let first_packet = connection.first_packet;
        let fix = finding.fixes.first().cloned();
        if let Some(cut) = self.cuts.iter_mut().find(|cut| cut.rule == finding.rule) {
            cut.count += 1;
            (cut.least, cut.most) = (cut.least.min(bytes), cut.most.max(bytes));
            cut.nanos = cut.nanos.saturating_add(nanos);
            if first_packet < cut.first_packet {
                (cut.fix, cut.first_packet) = (fix, first_packet);
            }
        } else {
            let rule = finding.rule;
            self.cuts.push(Cut { rule, count: 1, least: bytes, most: bytes, nanos, fix, first_packet });
            self.cuts.sort_by_key(|cut| cut.rule);
        }
    }

    fn facts(&self, client: IpAddr, server: Endpoint) -> PairFacts {
        let setup_round_trips = if TLS_PORTS.contains(&server.port) { 2 } else { 1 };
        PairFacts {
            client,
            server,
            connections: self.connections,
            short: self.short,
            setup: self.round_trips.saturating_mul(u64::from(setup_round_trips)),
            setup_round_trips,
            spent: self.spent,
            extent: self.times.map_or(0, |(first, last)| last.saturating_sub(first).max(0).cast_unsigned()),
            bytes: self.bytes,
            cuts: self.cuts.clone(),
            stray: None,
        }
    }
}

/// Whether it carried little data in both directions and was closed. An open connection may be reused.
fn is_short(connection: &Connection) -> bool {
    let is_little =
        |half: &crate::HalfConnection| half.mss.is_some_and(|mss| half.bytes <= REQUEST_SEGMENTS.get() * mss);
    connection.ending != Ending::Open && connection.halves.len() == 2 && connection.halves.iter().all(is_little)
}

#[cfg(test)]
mod terms;
