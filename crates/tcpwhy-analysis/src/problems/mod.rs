//! Problems of a capture: groups of connections that one action can fix.
//!
//! A problem is a service with a kind of failure, or with a cause of slowness. A client to which many
//! addresses did not answer has one problem. Attempts that nobody waited for are separate problems: see
//! [`Target`]. The same finding on 40 connections is one problem with the count 40. The weight of a problem
//! is the time that somebody lost, so it ranks failures and slowness alike.

mod attempts;
mod chance;
mod control_channel;
mod cost;
mod failure;
mod goes_with;
mod leading;
mod network;
mod outage;
mod probes;
mod proof;
mod reuse;
mod slow;
mod target;
#[cfg(test)]
mod terms;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod trouble;
mod uses;
mod weight;
mod wrong;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::net::IpAddr;

use tcpwhy_model::{Cause, Endpoint, Severity, Timestamp};

pub use control_channel::{Carried, control_channels};
pub use cost::{is_saving_predicted, lost_nanos, principal_half};
pub use failure::Failure;
pub use goes_with::{GoesWith, Property, Toward};
pub use leading::{is_gain, is_rest, leading_finding};
pub(crate) use outage::SILENT_RULE;
pub use outage::{Outage, OutageKind};
pub use proof::Proof;
pub use reuse::ReusedPorts;
pub(crate) use slow::Cost;
pub use slow::Slow;
pub use target::{Kind, ProblemKey, Target};
pub use trouble::Trouble;

use crate::outcome::Connection;
use crate::thresholds::{FAILED_PART, MANY_FAILED};
use attempts::{Attempt, Attempts};
use uses::{Sorted, UseFold};
use weight::Weight;
use wrong::{Wrong, least};

/// Connections that failed or were slow alike.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The affected hosts, and the kind of problem.
    pub key: ProblemKey,
    /// Number of connections.
    pub connections: u64,
    /// Number of exchanges on these connections.
    pub exchanges: u64,
    /// Least and most bytes that one of them carried, both directions together.
    pub bytes: (u64, u64),
    /// Duration of the shortest and of the longest connection, nanoseconds.
    pub lasted: (i64, i64),
    /// Shortest and longest idle time before the end, nanoseconds; `None` if the problem is not about idle
    /// time.
    pub idle: Option<(i64, i64)>,
    /// Ports of the clients, if late or missing answers to SYNs correlate with their reuse.
    pub reused_ports: Option<ReusedPorts>,
    /// Properties of the failed connections that the others do not have.
    pub goes_with: Vec<GoesWith>,
    /// Start of the first connection and end of the last one.
    pub extent: (Timestamp, Timestamp),
    /// Lost time of all of them, nanoseconds: waits without an answer, or the time that a change could save.
    pub lost: i64,
    /// The longest of these waits, nanoseconds: that of one answer, or of one connection.
    pub longest: i64,
    /// The cause that limited the data of all of them. `None` if there were several forms of a family, or if
    /// no limit is involved.
    pub cause: Option<Cause>,
    /// Severity of the most severe finding.
    pub severity: Severity,
    /// The connection that shows the problem best.
    pub example: Box<Connection>,
    weight: Weight,
    /// Lost time of the example, nanoseconds.
    example_lost: i64,
    /// Whether the example has its final number.
    is_numbered: bool,
    /// The client of all of them; `None` if there are several.
    client: Option<IpAddr>,
    /// Sums over the SYNs, if no connection was established.
    attempts: Attempts,
    /// Each attempt was one SYN that crossed a router.
    is_of_strangers: bool,
}

/// Number of problems that are kept. The lowest in order stay, so the order of connections does not matter.
const MOST_PROBLEMS: usize = 10_000;
/// The rules about SYNs that were answered late or never.
const SYN_RULES: [&str; 2] = ["syn-retries", "syn-unanswered"];
/// Number of first problems that are checked for connections that only control others. Nobody reads further.
const STEERED: usize = 64;
/// Folds finished connections, in any order, into problems.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    found: BTreeMap<ProblemKey, Problem>,
    /// Failed handshakes per client and host.
    scans: BTreeMap<ProblemKey, Problem>,
    /// The largest connection, bytes.
    largest: u64,
    /// Start of the first connection and end of the last one.
    extent: Option<(Timestamp, Timestamp)>,
    /// Number of connections per server, for as many servers as there may be problems.
    connections: BTreeMap<Endpoint, u64>,
    /// Number of connections per pair of hosts, whichever is the client, for as many pairs as there may be
    /// problems.
    between: BTreeMap<[IpAddr; 2], u64>,
    /// Connections that failures are compared with.
    uses: UseFold,
}

impl Problems {
    /// Counts a connection.
    pub fn add(&mut self, connection: &Connection) {
        let bytes = connection.bytes();
        self.largest = self.largest.max(bytes);
        let (start, end) = (connection.span.start(), connection.span.end());
        // A wrong clock does not show the duration of the capture.
        if !connection.has_wrong_clock {
            let (first, last) = self.extent.unwrap_or((start, end));
            self.extent = Some((first.min(start), last.max(end)));
        }
        let side = connection.server();
        let [server, client] = [side, side.peer()].map(|side| connection.endpoints[side.index()]);
        *self.connections.entry(server).or_default() += 1;
        if self.connections.len() > MOST_PROBLEMS {
            self.connections.pop_last();
        }
        *self.between.entry(pair(server.address, client.address)).or_default() += 1;
        if self.between.len() > MOST_PROBLEMS {
            self.between.pop_last();
        }
        let wrong = Wrong::with(connection, bytes);
        self.uses.add(connection, [server, client], &wrong);
        for wrong in wrong.into_iter().flatten() {
            let attempt = wrong.is_attempt().then(|| Attempt::of(connection, side, wrong.finding));
            let kind = wrong.kind;
            let one = One { connection, client: client.address, bytes, wrong, attempt };
            if attempt.is_some() {
                let target = Target::Scan { host: server.address, client: client.address };
                merge(&mut self.scans, ProblemKey { target, kind }, &one).attempts.ports.insert(server.port);
                shrink(&mut self.scans);
            }
            merge(&mut self.found, ProblemKey { target: Target::Service(server), kind }, &one);
        }
        shrink(&mut self.found);
    }

    /// Returns the problems, most severe first. Failures of a considerable part of a service's connections
    /// come first, then problems by the time that somebody lost. Notes follow, and problems of attempts that
    /// nobody waited for are last.
    pub fn ranked(&self) -> Vec<Problem> {
        let of_attempts = self.of_attempts();
        let is_covered = |problem: &&Problem| of_attempts.iter().any(|whole| whole.covers(problem));
        let own = self.found.values().filter(|problem| !is_covered(problem));
        let weigh = |problem: &Problem| problem.weight.nanos(self.largest);
        let lasted = self.extent.map_or(0, |(first, last)| last.since(first));
        let all = own.chain(&of_attempts);
        let mut all: Vec<_> =
            all.filter(|problem| weigh(problem) >= least(problem.key.kind, problem.severity, lasted)).collect();
        let rank = |problem: &&Problem| {
            let is_slow = matches!(problem.key.kind, Kind::Slow(_));
            (!self.is_epidemic(problem), Reverse(weigh(problem)), is_slow, Reverse(problem.connections), problem.key)
        };
        all.sort_by_key(|problem| (problem.grade(), rank(problem)));
        let first = &all[..all.len().min(STEERED)];
        let steering: Vec<bool> = first.iter().map(|problem| Self::is_steering(problem, first)).collect();
        let rest = all.split_off(steering.len());
        let mut steering = steering.into_iter();
        let (last, mut ranked): (Vec<_>, Vec<_>) = all.into_iter().partition(|_| steering.next().unwrap_or(false));
        ranked.extend(last);
        ranked.extend(rest);
        // Connections that only control others come after other problems, but before notes.
        ranked.sort_by_key(|problem| problem.grade());
        let uses = self.uses.sorted();
        ranked.into_iter().map(|problem| problem.clone().compared(&uses)).collect()
    }

    /// Whether many of a service's connections failed in the same way.
    fn is_epidemic(&self, problem: &Problem) -> bool {
        let service = problem.key.service();
        let all = service.and_then(|service| self.connections.get(&service)).copied().unwrap_or(problem.connections);
        matches!(problem.key.kind, Kind::Failed(failure) if failure != Failure::ResetByClient)
            && problem.connections >= MANY_FAILED
            && problem.connections.saturating_mul(FAILED_PART.get()) >= all
    }

    /// Returns the problem of one service with this key, whatever its weight.
    pub fn of(&self, key: &ProblemKey) -> Option<&Problem> {
        self.found.get(key)
    }

    /// Whether a slow connection only controls one of another problem, as in FTP and iperf3.
    fn is_steering(problem: &Problem, all: &[&Problem]) -> bool {
        let carried = |problem: &Problem| Carried::new(&problem.example, problem.bytes.1);
        let own = carried(problem);
        problem.connections == 1
            && matches!(problem.key.kind, Kind::Slow(_))
            && all.iter().any(|other| other.key != problem.key && own.steers(&carried(other)))
    }

    /// Assigns final numbers to the examples that were added since the last call.
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
    client: IpAddr,
    bytes: u64,
    wrong: Wrong<'a>,
    /// Its SYNs, if the connection was not established.
    attempt: Option<Attempt>,
}

/// Adds `one` to the problem of this key, which is created if needed, and returns the problem.
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
        // The lower ones stay, so a removed problem never returns, and the remaining sums are complete.
        all.pop_last();
    }
}

impl Problem {
    /// Returns the number of ports at which attempts of one client failed; 0 for other problems.
    pub fn ports(&self) -> u64 {
        self.attempts.ports.len() as u64
    }

    /// Returns the number of addresses that did not answer one client; 0 for other problems.
    pub fn hosts(&self) -> u64 {
        self.attempts.hosts.len() as u64
    }

    /// Returns the number of SYNs of failed attempts; 0 for other problems.
    pub const fn syns(&self) -> u64 {
        self.attempts.syns()
    }

    /// Adds the properties that the problem correlates with among `uses`. If reused ports explain late SYNs,
    /// the example proposes the fix for them.
    fn compared(mut self, uses: &Sorted) -> Self {
        let Target::Service(service) = self.key.target else { return self };
        if self.key.kind.is_of_syn() {
            self.reused_ports = ReusedPorts::of(uses, service);
        }
        if self.reused_ports.is_some() {
            let example = &mut *self.example;
            let findings = example.halves.iter_mut().flat_map(|half| &mut half.findings).chain(&mut example.findings);
            for finding in findings.filter(|finding| SYN_RULES.contains(&finding.rule)) {
                finding.fixes = vec![tcpwhy_advice::let_kernel_choose_port()];
            }
        } else if let Kind::Failed(failure) = self.key.kind {
            self.goes_with = GoesWith::of(uses, service, failure);
        }
        self
    }

    /// Returns the grade of the problem, which ranks before everything else, least first.
    fn grade(&self) -> (bool, bool) {
        (self.key.is_probes(), self.severity == Severity::Info)
    }

    fn new(key: ProblemKey, one: &One<'_>) -> Self {
        let span = one.connection.span;
        Self {
            key,
            connections: 1,
            exchanges: one.exchanges(),
            bytes: (one.bytes, one.bytes),
            lasted: (span.nanos(), span.nanos()),
            idle: one.idle(),
            reused_ports: None,
            goes_with: Vec::new(),
            extent: (span.start(), span.end()),
            lost: one.wrong.lost,
            longest: one.wrong.longest,
            cause: one.wrong.cause,
            severity: one.wrong.severity,
            example: Box::new(one.connection.clone()),
            weight: one.wrong.weight.clone(),
            example_lost: one.wrong.lost,
            is_numbered: false,
            client: Some(one.client),
            attempts: one.attempts(),
            is_of_strangers: one.attempt.is_some_and(Attempt::is_stranger),
        }
    }

    fn join(&mut self, one: &One<'_>) {
        let span = one.connection.span;
        self.connections += 1;
        self.exchanges += one.exchanges();
        self.bytes = (self.bytes.0.min(one.bytes), self.bytes.1.max(one.bytes));
        self.lasted = (self.lasted.0.min(span.nanos()), self.lasted.1.max(span.nanos()));
        self.idle = wider(self.idle, one.idle());
        self.extent = (self.extent.0.min(span.start()), self.extent.1.max(span.end()));
        self.lost = self.lost.saturating_add(one.wrong.lost);
        self.longest = self.longest.max(one.wrong.longest);
        self.cause = self.cause.filter(|cause| Some(*cause) == one.wrong.cause);
        self.severity = self.severity.max(one.wrong.severity);
        self.weight.add(&one.wrong.weight);
        self.client = self.client.filter(|client| *client == one.client);
        self.is_of_strangers &= one.attempt.is_some_and(Attempt::is_stranger);
        if let Some(attempt) = one.attempt {
            self.attempts.add(attempt);
        }
        if rank(one.wrong.lost, one.connection) > rank(self.example_lost, &self.example) {
            (self.example, self.example_lost) = (Box::new(one.connection.clone()), one.wrong.lost);
            self.is_numbered = false;
        }
    }

    /// Adds all connections of `other`.
    fn absorb(&mut self, other: &Self) {
        self.connections += other.connections;
        self.exchanges += other.exchanges;
        self.bytes = (self.bytes.0.min(other.bytes.0), self.bytes.1.max(other.bytes.1));
        self.lasted = (self.lasted.0.min(other.lasted.0), self.lasted.1.max(other.lasted.1));
        self.idle = wider(self.idle, other.idle);
        self.extent = (self.extent.0.min(other.extent.0), self.extent.1.max(other.extent.1));
        self.lost = self.lost.saturating_add(other.lost);
        self.longest = self.longest.max(other.longest);
        self.cause = self.cause.filter(|cause| Some(*cause) == other.cause);
        self.severity = self.severity.max(other.severity);
        self.weight.add(&other.weight);
        self.client = self.client.filter(|client| Some(*client) == other.client);
        self.is_of_strangers &= other.is_of_strangers;
        self.attempts.join(&other.attempts);
        if rank(other.example_lost, &other.example) > rank(self.example_lost, &self.example) {
            (self.example, self.example_lost) = (other.example.clone(), other.example_lost);
        }
    }
}

/// Returns the rank of a connection as an example. The greatest shows a problem best.
fn rank(lost: i64, connection: &Connection) -> (i64, Reverse<u64>) {
    (lost, Reverse(connection.first_packet))
}

/// Returns the range that covers both ranges.
fn wider(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// Returns two hosts in an order that does not depend on the client.
fn pair(a: IpAddr, b: IpAddr) -> [IpAddr; 2] {
    [a.min(b), a.max(b)]
}

impl One<'_> {
    fn attempts(&self) -> Attempts {
        let mut attempts = Attempts::default();
        if let Some(attempt) = self.attempt {
            attempts.add(attempt);
        }
        attempts
    }

    /// Returns the idle time before the close, as least and most.
    fn idle(&self) -> Option<(i64, i64)> {
        let is_idle_close = self.wrong.kind == Kind::Failed(Failure::IdleClose);
        let idle = self.connection.idle_before_close().filter(|_| is_idle_close)?;
        Some((idle, idle))
    }

    fn exchanges(&self) -> u64 {
        self.connection.exchanges.as_ref().map_or(0, |exchanges| exchanges.count)
    }
}
