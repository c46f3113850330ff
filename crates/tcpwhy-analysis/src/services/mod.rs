//! Servers of a capture: their answers, response times and failures.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tcpwhy_model::{Endpoint, Limit};

use crate::exchanges::{Exchange, Exchanges, Parts, Pattern};
use crate::outcome::{Connection, Ending};
use crate::problems::{Failure, Problems, principal_half};
use crate::serving::serving_by_ports;
use crate::side::Side;
use crate::sketch::Sketch;

/// Number of services that are kept. The lowest in order stay, so the order of connections does not matter.
const MOST_SERVICES: usize = 10_000;
/// Number of slowest exchanges of a service that are kept.
const SLOWEST: usize = 3;

/// An address and port that clients connected to.
#[derive(Clone, Debug)]
pub struct Service {
    /// The server.
    pub server: Endpoint,
    /// Number of connections, including failed and empty ones.
    pub connections: u64,
    /// Connections that failed, by [`Failure`].
    pub failures: [u64; Failure::ALL.len()],
    /// Failed connections that nobody waited for, after [`Services::settle`]: scans, traced paths, floods,
    /// strays.
    pub probed: [u64; Failure::ALL.len()],
    /// Connections that the client and the server reset, whether or not data was lost.
    pub resets: [u64; 2],
    /// Connections at which a person types.
    pub interactive: u64,
    /// Payload of both directions, bytes.
    pub bytes: u64,
    /// Durations of the connections with data, nanoseconds.
    pub times: Sketch,
    /// Requests with an answer.
    pub exchanges: u64,
    /// Durations of these exchanges, nanoseconds.
    pub exchange_times: Sketch,
    /// The server's response times, nanoseconds.
    pub responses: Sketch,
    /// Time of the exchanges, by party.
    pub parts: Parts,
    /// Nanoseconds of the principal directions by limit.
    pub limits: [i64; Limit::ALL.len()],
    /// The slowest exchanges, longest first.
    pub slowest: Vec<SlowExchange>,
    /// Connections whose clock is wrong. They are counted, but their times are in none of the above.
    pub wrong_clock: u64,
}

/// An exchange of a service.
#[derive(Clone, Debug)]
pub struct SlowExchange {
    /// The exchange.
    pub exchange: Exchange,
    /// Number of its connection.
    pub connection: u64,
    /// Its connection, without its directions, until it has its final number.
    unnumbered: Option<Box<Connection>>,
}

/// Folds finished connections, in any order, into services.
#[derive(Clone, Debug, Default)]
pub struct Services {
    found: BTreeMap<Endpoint, Service>,
}

impl Connection {
    /// Returns the server. It answered the SYN, SYNs of other connections, or the requests. Otherwise its
    /// port belongs to a service, or is the lower one.
    pub fn server(&self) -> Side {
        if let Some(client) = self.initiator {
            return client.peer();
        }
        if let Some(server) = self.served_by {
            return server;
        }
        if let Some(exchanges) = &self.exchanges {
            return exchanges.client.peer();
        }
        let [a, b] = self.endpoints.map(|end| end.port);
        serving_by_ports([a, b]).unwrap_or(if b < a { Side::B } else { Side::A })
    }

    /// Returns the end that answered the SYN; `None` if no SYN was captured, or nobody accepted it.
    pub(crate) fn answered_by(&self) -> Option<Endpoint> {
        let is_answered = !matches!(self.ending, Ending::Unanswered | Ending::Refused);
        let client = self.initiator.filter(|_| is_answered)?;
        Some(self.endpoints[client.peer().index()])
    }

    /// Returns the same connection without its directions, findings and exchanges, which is enough to number
    /// it.
    pub(crate) fn without_directions(&self) -> Self {
        Self {
            halves: Vec::new(),
            findings: Vec::new(),
            exchanges: None,
            kernel: None,
            server_name: None,
            awaited: None,
            ..*self
        }
    }
}

impl Services {
    /// Counts a connection.
    pub fn add(&mut self, connection: &Connection) {
        let server = connection.server();
        let end = connection.endpoints[server.index()];
        self.found.entry(end).or_insert_with(|| Service::new(end)).add(connection, server);
        if self.found.len() > MOST_SERVICES {
            // The lower ones stay, so a removed service never returns, and the remaining sums are complete.
            self.found.pop_last();
        }
    }

    /// Returns the services, those with most connections first.
    pub fn ranked(&self) -> Vec<&Service> {
        let mut all: Vec<_> = self.found.values().collect();
        all.sort_by_key(|service| (Reverse(service.connections), Reverse(service.bytes), service.server));
        all
    }

    /// Returns the service of this server.
    pub fn of(&self, server: Endpoint) -> Option<&Service> {
        self.found.get(&server)
    }

    /// Removes probes from the failures, because a prober is not a user of the service. `problems` are those
    /// of the same connections.
    pub fn settle(&mut self, problems: &Problems) {
        let probed = problems.probed();
        for (server, service) in &mut self.found {
            service.probed = probed.get(server).copied().unwrap_or_default();
        }
    }

    /// Assigns final numbers to the connections of the slowest exchanges that were added since the last call.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        for slow in self.found.values_mut().flat_map(|service| &mut service.slowest) {
            if let Some(connection) = slow.unnumbered.take() {
                slow.connection = number(&connection);
            }
        }
    }
}

impl Service {
    fn new(server: Endpoint) -> Self {
        Self {
            server,
            connections: 0,
            failures: [0; Failure::ALL.len()],
            probed: [0; Failure::ALL.len()],
            resets: [0; 2],
            interactive: 0,
            bytes: 0,
            times: Sketch::default(),
            exchanges: 0,
            exchange_times: Sketch::default(),
            responses: Sketch::default(),
            parts: Parts::default(),
            limits: [0; Limit::ALL.len()],
            slowest: Vec::new(),
            wrong_clock: 0,
        }
    }

    fn add(&mut self, connection: &Connection, server: Side) {
        self.connections += 1;
        if let Some((failure, _)) = Failure::of(connection, server) {
            self.failures[failure as usize] += 1;
        }
        if let Ending::Reset(side) = connection.ending {
            self.resets[usize::from(side == server)] += 1;
        }
        if connection.halves.is_empty() {
            return;
        }
        self.bytes += connection.bytes();
        if connection.has_wrong_clock {
            self.wrong_clock += 1;
            self.add_exchanges(connection);
            return;
        }
        self.times.count(connection.span.nanos().unsigned_abs());
        if let Some(half) = principal_half(connection) {
            for limit in Limit::ALL {
                let sum = &mut self.limits[limit as usize];
                *sum = sum.saturating_add(half.limits.nanos_of(limit));
            }
        }
        let Some(exchanges) = self.add_exchanges(connection) else { return };
        self.exchange_times.merge(&exchanges.times);
        self.responses.merge(&exchanges.responses);
        self.parts.add(&exchanges.parts);
        // The kept exchanges are sorted, before any of this connection is added.
        let least = self.slowest.get(SLOWEST - 1).map(|slow| slow.exchange.nanos());
        for exchange in exchanges.slowest.iter().take(SLOWEST) {
            if least.is_some_and(|least| exchange.nanos() < least) {
                break;
            }
            let unnumbered = Some(Box::new(connection.without_directions()));
            self.slowest.push(SlowExchange { exchange: exchange.clone(), connection: connection.id, unnumbered });
        }
        self.slowest.sort_by_key(|slow| (Reverse(slow.exchange.nanos()), slow.exchange.request_packet));
        self.slowest.truncate(SLOWEST);
    }

    /// Counts the exchanges of a connection, whatever their times; `None` if it has none with an answer.
    fn add_exchanges<'a>(&mut self, connection: &'a Connection) -> Option<&'a Exchanges> {
        let exchanges = connection.exchanges.as_deref()?;
        self.interactive += u64::from(exchanges.pattern == Pattern::Interactive);
        if !exchanges.is_request_response() {
            return None;
        }
        self.exchanges += exchanges.count;
        Some(exchanges)
    }

    /// Returns the number of connections that failed while somebody waited.
    pub fn failed(&self) -> u64 {
        Failure::ALL.into_iter().map(|failure| self.failed_by(failure)).sum()
    }

    /// Returns the number of connections that failed in this way while somebody waited.
    pub const fn failed_by(&self, failure: Failure) -> u64 {
        self.failures[failure as usize].saturating_sub(self.probed[failure as usize])
    }
}

#[cfg(test)]
mod terms;
