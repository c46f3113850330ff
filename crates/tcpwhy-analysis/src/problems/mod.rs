//! What one action can fix, over all connections of a capture.
//!
//! A problem is a service with a kind of failure, or with a cause of slowness; a scan of ports is one problem
//! of its client. The same finding on forty connections is one problem with a forty. The weight of a problem
//! is time that somebody lost: it ranks failures and slowness alike.

mod control_channel;
mod cost;
mod failure;
mod leading;
mod slow;
#[cfg(test)]
mod terms;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod trouble;
mod weight;

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Severity, Timestamp};

pub use control_channel::{Carried, control_channels};
pub use cost::{is_saving_predicted, lost_nanos, principal_half};
pub use failure::Failure;
pub use leading::{is_gain, is_rest, leading_finding};
pub use slow::Slow;
pub use trouble::Trouble;

use crate::outcome::Connection;
use crate::thresholds::{
    FAILED_LEAST, FAILED_PART, MANY_FAILED, SCANNED_PORTS, SLOW_LEAST, SLOW_LEAST_OF_SHORT, SLOW_PART,
};
use slow::Cost;
use weight::Weight;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Connections failed in this way.
    Failed(Failure),
    /// Connections were slow for this reason.
    Slow(Slow),
}

/// Whom a problem concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A server's address and port.
    Service(Endpoint),
    /// Many ports of one host, which one client tried.
    Scan {
        /// The host with the ports.
        host: IpAddr,
        /// Who tried them.
        client: IpAddr,
    },
}

/// Whom a problem concerns, and how: what one action can fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProblemKey {
    /// Whom it concerns.
    pub target: Target,
    /// What is wrong.
    pub kind: Kind,
}

/// Connections that failed or were slow alike.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Whom it concerns, and how.
    pub key: ProblemKey,
    /// How many connections.
    pub connections: u64,
    /// How many exchanges of these.
    pub exchanges: u64,
    /// The least and the most that one of them carried, bytes of both directions.
    pub bytes: (u64, u64),
    /// How long the shortest and the longest of them lasted, nanoseconds.
    pub lasted: (i64, i64),
    /// When the first of them began and the last ended.
    pub extent: (Timestamp, Timestamp),
    /// What was lost, all together, nanoseconds: waits for what never came, or what a change could save.
    pub lost: i64,
    /// The gravest of what was found.
    pub severity: Severity,
    /// The connection that shows it best.
    pub example: Box<Connection>,
    weight: Weight,
    /// What the example lost.
    example_lost: i64,
    /// The example has its number.
    is_numbered: bool,
    /// Ports of a scan.
    ports: BTreeSet<u16>,
}

/// Problems that are kept. The lowest in order are kept, so that it does not matter in which order
/// connections come.
const MOST_PROBLEMS: usize = 10_000;
/// Problems whose order is looked at for connections that only steer others: nobody reads further.
const STEERED: usize = 64;
/// Folds finished connections, in any order, into problems.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    found: BTreeMap<ProblemKey, Problem>,
    /// Failed handshakes of each client at each host.
    scans: BTreeMap<ProblemKey, Problem>,
    /// The largest connection, bytes.
    largest: u64,
    /// When the first connection began and the last one ended.
    extent: Option<(Timestamp, Timestamp)>,
    /// Connections of each server; as many servers as there may be problems.
    connections: BTreeMap<Endpoint, u64>,
}

impl ProblemKey {
    /// The address that was connected to.
    pub const fn address(&self) -> IpAddr {
        match self.target {
            Target::Service(service) => service.address,
            Target::Scan { host, .. } => host,
        }
    }

    /// Stable id of its kind: `failed`, `scanned` (one client tried many ports) or `slow`.
    pub const fn kind_id(&self) -> &'static str {
        match (self.kind, self.target) {
            (Kind::Failed(_), Target::Service(_)) => "failed",
            (Kind::Failed(_), Target::Scan { .. }) => "scanned",
            (Kind::Slow(_), _) => "slow",
        }
    }

    /// Stable id of how the connections failed, or of what took their time.
    pub const fn cause_id(&self) -> &'static str {
        match self.kind {
            Kind::Failed(failure) => failure.id(),
            Kind::Slow(slow) => slow.id(),
        }
    }

    /// Whose data was slow: `client` or `server`; `None` where that is not the matter.
    pub const fn sender_id(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Failed(_) => None,
            Kind::Slow(slow) => slow.sender(),
        }
    }

    /// Whether the connections failed.
    pub const fn is_failure(&self) -> bool {
        matches!(self.kind, Kind::Failed(_))
    }

    /// Whether `connection` is part of this problem.
    pub fn concerns(&self, connection: &Connection) -> bool {
        let server = connection.server();
        let [host, client] = [server, server.peer()].map(|side| connection.endpoints[side.index()]);
        let is_target = match self.target {
            Target::Service(service) => service == host,
            Target::Scan { host: scanned, client: by } => scanned == host.address && by == client.address,
        };
        is_target
            && match self.kind {
                Kind::Failed(failure) => Failure::of(connection, server).is_some_and(|found| found.0 == failure),
                Kind::Slow(slow) => Cost::of(connection).is_some_and(|cost| cost.slow == slow),
            }
    }

    /// The server; `None` for a scan of its ports.
    pub const fn service(&self) -> Option<Endpoint> {
        match self.target {
            Target::Service(service) => Some(service),
            Target::Scan { .. } => None,
        }
    }
}

impl Problems {
    /// Takes a connection into account.
    pub fn add(&mut self, connection: &Connection) {
        let bytes = connection.bytes();
        self.largest = self.largest.max(bytes);
        let (start, end) = (connection.span.start(), connection.span.end());
        let (first, last) = self.extent.unwrap_or((start, end));
        self.extent = Some((first.min(start), last.max(end)));
        let side = connection.server();
        let [server, client] = [side, side.peer()].map(|side| connection.endpoints[side.index()]);
        *self.connections.entry(server).or_default() += 1;
        if self.connections.len() > MOST_PROBLEMS {
            self.connections.pop_last();
        }
        let service = Target::Service(server);
        if let Some((failure, finding)) = Failure::of(connection, side) {
            let lost = finding.and_then(|finding| finding.seconds).map_or(0, |seconds| (seconds * 1e9) as i64);
            let severity = finding.map_or(Severity::Warning, |finding| finding.severity);
            let one = One { connection, bytes, lost, severity, weight: Weight::failed(lost, failure) };
            let kind = Kind::Failed(failure);
            if failure.is_of_handshake() {
                let target = Target::Scan { host: server.address, client: client.address };
                merge(&mut self.scans, ProblemKey { target, kind }, &one).ports.insert(server.port);
                shrink(&mut self.scans);
            }
            merge(&mut self.found, ProblemKey { target: service, kind }, &one);
        }
        if let Some(cost) = Cost::of(connection) {
            let weight = Weight::slow(&cost, bytes);
            let one = One { connection, bytes, lost: cost.all(), severity: cost.severity, weight };
            merge(&mut self.found, ProblemKey { target: service, kind: Kind::Slow(cost.slow) }, &one);
        }
        shrink(&mut self.found);
    }

    /// The problems, gravest first: failures of a good part of a service's connections, then by the time that
    /// somebody lost.
    pub fn ranked(&self) -> Vec<Problem> {
        let scans: Vec<_> = self.scans.values().filter(|scan| scan.ports() >= SCANNED_PORTS).collect();
        let own = self.found.values().filter(|problem| !scans.iter().any(|scan| scan.covers(problem)));
        let weigh = |problem: &Problem| problem.weight.nanos(self.largest);
        let all = self.extent.map_or(0, |(first, last)| last.since(first));
        let short = (all / SLOW_PART.get()).clamp(SLOW_LEAST_OF_SHORT.get(), SLOW_LEAST.get());
        let least = |problem: &Problem| match problem.key.kind {
            Kind::Slow(slow) if slow.is_of_transfer() && problem.severity == Severity::Critical => short,
            Kind::Slow(_) => SLOW_LEAST.get(),
            Kind::Failed(_) => FAILED_LEAST.get(),
        };
        let all = own.chain(scans.iter().copied());
        let mut all: Vec<_> = all.filter(|problem| weigh(problem) >= least(problem)).collect();
        let rank = |problem: &&Problem| {
            let is_slow = matches!(problem.key.kind, Kind::Slow(_));
            (!self.is_epidemic(problem), Reverse(weigh(problem)), is_slow, Reverse(problem.connections), problem.key)
        };
        all.sort_by_key(rank);
        let first = &all[..all.len().min(STEERED)];
        let steering: Vec<bool> = first.iter().map(|problem| Self::is_steering(problem, first)).collect();
        let rest = all.split_off(steering.len());
        let mut steering = steering.into_iter();
        let (last, mut ranked): (Vec<_>, Vec<_>) = all.into_iter().partition(|_| steering.next().unwrap_or(false));
        ranked.extend(last);
        ranked.extend(rest);
        ranked.into_iter().cloned().collect()
    }

    /// Whether many of a service's connections failed alike.
    fn is_epidemic(&self, problem: &Problem) -> bool {
        let service = problem.key.service();
        let all = service.and_then(|service| self.connections.get(&service)).copied().unwrap_or(problem.connections);
        matches!(problem.key.kind, Kind::Failed(failure) if failure != Failure::ResetByClient)
            && problem.connections >= MANY_FAILED
            && problem.connections.saturating_mul(FAILED_PART.get()) >= all
    }

    /// The problem of one service with this key, however little it weighs.
    pub fn of(&self, key: &ProblemKey) -> Option<&Problem> {
        self.found.get(key)
    }

    /// Whether a slow connection only steers one of another problem: of FTP, of iperf3.
    fn is_steering(problem: &Problem, all: &[&Problem]) -> bool {
        let carried = |problem: &Problem| Carried::new(&problem.example, problem.bytes.1);
        let own = carried(problem);
        problem.connections == 1
            && matches!(problem.key.kind, Kind::Slow(_))
            && all.iter().any(|other| other.key != problem.key && own.steers(&carried(other)))
    }

    /// Gives the examples that came since the last call the numbers that hold.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        for problem in self.found.values_mut().chain(self.scans.values_mut()).filter(|problem| !problem.is_numbered) {
            problem.example.id = number(&problem.example);
            problem.is_numbered = true;
        }
    }
}

/// A connection that is part of a problem.
struct One<'a> {
    connection: &'a Connection,
    bytes: u64,
    lost: i64,
    severity: Severity,
    weight: Weight,
}

/// The problem of this key, with `one` among its connections.
fn merge<'a>(all: &'a mut BTreeMap<ProblemKey, Problem>, key: ProblemKey, one: &One<'_>) -> &'a mut Problem {
    match all.entry(key) {
        Entry::Occupied(problem) => {
            let problem = problem.into_mut();
            problem.join(one);
            problem
        }
        Entry::Vacant(vacant) => vacant.insert(Problem::new(key, one)),
    }
}

fn shrink(all: &mut BTreeMap<ProblemKey, Problem>) {
    while all.len() > MOST_PROBLEMS {
        // Lower ones stay, so it never comes back among them: the sums that are left are whole.
        all.pop_last();
    }
}

impl Problem {
    /// Ports of a scan at which connections failed; 0 for other problems.
    pub fn ports(&self) -> u64 {
        self.ports.len() as u64
    }

    /// Whether the problem of a service is no more than a part of this scan: it tries each port a few times.
    fn covers(&self, other: &Self) -> bool {
        let is_port = match (self.key.target, other.key.target) {
            (Target::Scan { host, .. }, Target::Service(service)) => {
                service.address == host && self.ports.contains(&service.port)
            }
            _ => false,
        };
        is_port && self.key.kind == other.key.kind && other.connections < MANY_FAILED
    }

    fn new(key: ProblemKey, one: &One<'_>) -> Self {
        let span = one.connection.span;
        Self {
            key,
            connections: 1,
            exchanges: one.exchanges(),
            bytes: (one.bytes, one.bytes),
            lasted: (span.nanos(), span.nanos()),
            extent: (span.start(), span.end()),
            lost: one.lost,
            severity: one.severity,
            example: Box::new(one.connection.clone()),
            weight: one.weight.clone(),
            example_lost: one.lost,
            is_numbered: false,
            ports: BTreeSet::new(),
        }
    }

    /// A problem of one connection, which lost a second by it.
    #[cfg(test)]
    pub(crate) fn of_one(key: ProblemKey, connection: &Connection) -> Self {
        let lost = 1_000_000_000;
        let weight = Weight::failed(lost, Failure::TimedOut);
        Self::new(key, &One { connection, bytes: 1_000_000, lost, severity: Severity::Warning, weight })
    }

    fn join(&mut self, one: &One<'_>) {
        let span = one.connection.span;
        self.connections += 1;
        self.exchanges += one.exchanges();
        self.bytes = (self.bytes.0.min(one.bytes), self.bytes.1.max(one.bytes));
        self.lasted = (self.lasted.0.min(span.nanos()), self.lasted.1.max(span.nanos()));
        self.extent = (self.extent.0.min(span.start()), self.extent.1.max(span.end()));
        self.lost = self.lost.saturating_add(one.lost);
        self.severity = self.severity.max(one.severity);
        self.weight.add(&one.weight);
        let rank = |lost: i64, connection: &Connection| (lost, Reverse(connection.first_packet));
        if rank(one.lost, one.connection) > rank(self.example_lost, &self.example) {
            (self.example, self.example_lost) = (Box::new(one.connection.clone()), one.lost);
            self.is_numbered = false;
        }
    }
}

impl One<'_> {
    fn exchanges(&self) -> u64 {
        self.connection.exchanges.as_ref().map_or(0, |exchanges| exchanges.count)
    }
}
