//! Changes from one capture to another, over all of their connections: problems and services.

use std::collections::{BTreeMap, BTreeSet};

use tcpwhy_model::Endpoint;

use crate::answer::Leads;
use crate::thresholds::NOTEWORTHY_DIFFERENCE;
use crate::{Connection, Kind, Problem, ProblemKey, Problems, Service, Services, Slow, Target};

/// The services and problems of one capture, and the connections that its answer may report.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Connections that its answer may report.
    pub leads: Leads,
    /// The servers.
    pub services: Services,
    /// The problems.
    pub problems: Problems,
}

/// Changes from a first capture to a second one.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The totals of both captures.
    pub totals: [Totals; 2],
    /// Changed problems in the order of [`Change`], and by weight within a kind.
    pub problems: Vec<ProblemChange>,
    /// Servers that both captures have. Those with a larger share of failures come first, then those whose
    /// requests became slower, then those with most connections.
    pub services: Vec<ServicePair>,
}

/// Relation of a problem in the second capture to the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Only the second capture has the problem, although the first one has connections to the server.
    New,
    /// The problem affects more connections, or costs more time.
    Worse,
    /// The first capture has no connection to the server.
    OnlyAfter,
    /// Only the first capture has the problem, although the second one has connections to the server.
    Gone,
    /// The problem affects fewer connections, or costs less time.
    Better,
    /// The difference is less than a tenth.
    Same,
    /// The second capture has no connection to the server, so nothing shows whether the problem is gone.
    OnlyBefore,
}

/// A problem of either capture, or of both.
#[derive(Clone, Debug)]
pub struct ProblemChange {
    /// Kind of change.
    pub change: Change,
    /// The problem in the first capture and in the second one.
    pub problems: [Option<Problem>; 2],
    /// Number of connections of its server in each capture; 0 for a scan.
    pub of_connections: [u64; 2],
}

/// One server in both captures.
#[derive(Clone, Debug)]
pub struct ServicePair {
    /// The server in the first capture and in the second one.
    pub services: [Service; 2],
}

impl Change {
    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Worse => "worse",
            Self::OnlyAfter => "only_after",
            Self::Gone => "gone",
            Self::Better => "better",
            Self::Same => "same",
            Self::OnlyBefore => "only_before",
        }
    }
}

impl Totals {
    /// Counts a connection.
    pub fn add(&mut self, connection: &Connection) {
        self.leads.add(connection);
        self.services.add(connection);
        self.problems.add(connection);
    }

    fn service(&self, key: &ProblemKey) -> Option<&Service> {
        self.services.of(key.service()?)
    }

    /// Whether any connection went to the server of `key`.
    fn has_server(&self, key: &ProblemKey) -> bool {
        let has_host = |host| self.services.ranked().iter().any(|service| service.server.address == host);
        match key.target {
            Target::Service(server) | Target::Flood(server) => self.services.of(server).is_some(),
            Target::Scan { host, .. } | Target::Trace { host, .. } | Target::Strays(host) => has_host(host),
            // It is unknown whether the client would have tried.
            Target::Peers(_) | Target::Client(_) => false,
        }
    }
}

impl Changes {
    /// Returns the changes between two captures, of which the first was made before the other.
    pub fn between(mut totals: [Totals; 2]) -> Self {
        for Totals { services, problems, .. } in &mut totals {
            services.settle(problems);
        }
        let counterparts = Counterparts::new(&totals);
        let problems = problems(&totals, &counterparts);
        let services = services(&totals, &counterparts);
        Self { totals, problems, services }
    }

    /// Whether the captures have no server in common and no problem.
    pub fn is_empty(&self) -> bool {
        self.services.is_empty() && self.problems.iter().all(|change| change.problems.iter().any(Option::is_none))
    }
}

/// Correspondence of servers in both captures.
struct Counterparts {
    pairs: Vec<[Endpoint; 2]>,
}

impl Counterparts {
    /// Pairs the servers. A server corresponds to itself. In captures of different hosts, two servers
    /// correspond if each is the only server of a port that only its own capture has.
    fn new(totals: &[Totals; 2]) -> Self {
        let servers = totals.each_ref().map(|totals| {
            let ranked = totals.services.ranked();
            ranked.into_iter().map(|service| service.server).collect::<Vec<_>>()
        });
        let only = [0, 1].map(|side: usize| {
            let is_own = |server: &Endpoint| totals[1 - side].services.of(*server).is_none();
            servers[side].iter().copied().filter(is_own).collect::<Vec<_>>()
        });
        let same = servers[0].iter().filter(|server| !only[0].contains(server)).map(|&server| [server; 2]);
        Self { pairs: same.chain(unique_pairs(&only, |server| server.port)).collect() }
    }

    /// Returns the server of the other capture that corresponds to this one of capture `side`.
    fn of(&self, side: usize, server: Endpoint) -> Option<Endpoint> {
        self.pairs.iter().find(|pair| pair[side] == server).map(|pair| pair[1 - side])
    }

    /// Returns the key that this problem of capture `side` has in the other one.
    fn key(&self, side: usize, key: &ProblemKey) -> Option<ProblemKey> {
        let target = match key.target {
            Target::Service(server) => Target::Service(self.of(side, server)?),
            Target::Flood(server) => Target::Flood(self.of(side, server)?),
            target => target,
        };
        Some(ProblemKey { target, ..*key })
    }
}

/// Returns items of both lists with the same key, if no other item of either list has it.
fn unique_pairs<T: Copy, K: Ord>([first, second]: &[Vec<T>; 2], key: impl Fn(&T) -> K) -> Vec<[T; 2]> {
    let only = |all: &[T]| {
        let mut found: BTreeMap<K, Vec<T>> = BTreeMap::new();
        for item in all {
            found.entry(key(item)).or_default().push(*item);
        }
        found.into_iter().filter_map(|(key, items)| <[T; 1]>::try_from(items).ok().map(|[item]| (key, item)))
    };
    let mut others: BTreeMap<K, T> = only(second).collect();
    only(first).filter_map(|(key, item)| Some([item, others.remove(&key)?])).collect()
}

fn services(totals: &[Totals; 2], counterparts: &Counterparts) -> Vec<ServicePair> {
    let pair = |[first, second]: &[Endpoint; 2]| {
        let services = [totals[0].services.of(*first)?, totals[1].services.of(*second)?];
        Some(ServicePair { services: services.map(Clone::clone) })
    };
    let mut all: Vec<_> = counterparts.pairs.iter().filter_map(pair).collect();
    // The sort is stable, so servers with equal changes stay in the order of their connections.
    all.sort_by(|a, b| b.worsening().total_cmp(&a.worsening()));
    all
}

impl ServicePair {
    /// Returns the degree of worsening, to order servers. It exceeds 1 if a larger share fails. Otherwise it
    /// is the share by which requests became slower. It is 0 if the server improved or changed by at most a
    /// tenth.
    fn worsening(&self) -> f64 {
        let [before, after] =
            self.services.each_ref().map(|service| service.failed() as f64 / service.connections.max(1) as f64);
        if is_more(before, after) {
            return 1.0 + (after - before);
        }
        let [Some(before), Some(after)] = self.services.each_ref().map(|service| service.exchange_times.distribution())
        else {
            return 0.0;
        };
        let slower = |before: u64, after: u64| {
            let [before, after] = [before, after].map(|nanos| nanos as f64);
            if before > 0.0 && is_more(before, after) { 1.0 - before / after } else { 0.0 }
        };
        slower(before.median, after.median).max(slower(before.p95, after.p95))
    }
}

/// Whether `after` is larger by more than a tenth.
fn is_more(before: f64, after: f64) -> bool {
    after - before > NOTEWORTHY_DIFFERENCE.get() * after
}

fn problems(totals: &[Totals; 2], counterparts: &Counterparts) -> Vec<ProblemChange> {
    let ranked = totals.each_ref().map(|totals| totals.problems.ranked());
    let change = |keys: [Option<ProblemKey>; 2]| {
        let problems = [0, 1].map(|side| found(&ranked[side], &totals[side], &keys[side]?).cloned());
        ProblemChange::new(problems, totals, counterparts)
    };
    let mut changes: Vec<_> = keys(totals, counterparts, &ranked).into_iter().map(change).collect();
    let place = |change: &ProblemChange| {
        let rank = |side: usize| {
            let key = change.problems[side].as_ref().map(|problem| problem.key);
            ranked[side].iter().position(|problem| Some(problem.key) == key).unwrap_or(usize::MAX)
        };
        (change.change, rank(1).min(rank(0)))
    };
    changes.sort_by_cached_key(place);
    changes
}

/// Returns the problem with this key, even if its weight is too small for the list.
fn found<'a>(ranked: &'a [Problem], totals: &'a Totals, key: &ProblemKey) -> Option<&'a Problem> {
    ranked.iter().find(|problem| problem.key == *key).or_else(|| totals.problems.of(key))
}

/// Returns the problems that either capture lists, each with its counterpart.
fn keys(
    totals: &[Totals; 2],
    counterparts: &Counterparts,
    ranked: &[Vec<Problem>; 2],
) -> BTreeSet<[Option<ProblemKey>; 2]> {
    let mut all = BTreeSet::new();
    for side in [0, 1] {
        for problem in &ranked[side] {
            let other = counterparts.key(side, &problem.key);
            let other = other.filter(|key| found(&ranked[1 - side], &totals[1 - side], key).is_some());
            let pair = [Some(problem.key), other];
            all.insert(if side == 0 { pair } else { [pair[1], pair[0]] });
        }
    }
    // Several servers of one port may be in one capture only. They share a problem that only one of each
    // capture has.
    let strange = |side: usize| -> Vec<ProblemKey> {
        let alone = all.iter().filter(|pair| pair[1 - side].is_none()).filter_map(|pair| pair[side]);
        alone.filter(|key| !totals[1 - side].has_server(key)).collect()
    };
    for [before, after] in
        unique_pairs(&[strange(0), strange(1)], |key| (key.service().map(|server| server.port), key.kind))
    {
        all.remove(&[Some(before), None]);
        all.remove(&[None, Some(after)]);
        all.insert([Some(before), Some(after)]);
    }
    all
}

impl ProblemChange {
    fn new(problems: [Option<Problem>; 2], totals: &[Totals; 2], counterparts: &Counterparts) -> Self {
        let server = |side: usize| problems[side].as_ref().and_then(|problem| problem.key.service());
        let of_connections = [0, 1].map(|side| {
            let other = || server(1 - side).map(|other| counterparts.of(1 - side, other).unwrap_or(other));
            let service = server(side).or_else(other).and_then(|server| totals[side].services.of(server));
            service.map_or(0, |service| service.connections)
        });
        let has_server = |side: usize| {
            let key = problems[1 - side].as_ref().map(|problem| problem.key);
            of_connections[side] > 0 || key.is_some_and(|key| totals[side].has_server(&key))
        };
        let change = match &problems {
            [Some(before), Some(after)] => changed([before, after], totals),
            [None, _] if has_server(0) => Change::New,
            [None, _] => Change::OnlyAfter,
            [Some(_), None] if has_server(1) => Change::Gone,
            [Some(_), None] => Change::OnlyBefore,
        };
        Self { change, problems, of_connections }
    }
}

/// Returns the change of a problem that both captures have. Captures differ in length. Therefore it depends
/// on the share of failed connections, and on the time lost per connection or request.
fn changed(problems: [&Problem; 2], totals: &[Totals; 2]) -> Change {
    let services = [0, 1].map(|side: usize| totals[side].service(&problems[side].key));
    let [before, after] = [0, 1].map(|side| measures(problems[side], services[side]));
    let differs = |a: f64, b: f64| (a - b).abs() > NOTEWORTHY_DIFFERENCE.get() * a.max(b);
    let decisive = before.into_iter().zip(after).find(|&(a, b)| differs(a, b));
    match decisive {
        None => Change::Same,
        Some((a, b)) if a < b => Change::Worse,
        Some(_) => Change::Better,
    }
}

/// Returns the compared numbers of a problem, the decisive one first.
fn measures(problem: &Problem, service: Option<&Service>) -> Vec<f64> {
    let connections = service.map_or(1, |service| service.connections).max(1) as f64;
    let share = problem.connections as f64 / connections;
    let lost = problem.lost as f64;
    match problem.key.kind {
        Kind::Failed(_) => vec![share, lost / connections],
        Kind::Slow(Slow::Server | Slow::RoundTrips) => {
            let exchanges = service.map_or(0, |service| service.exchanges);
            vec![lost / if exchanges == 0 { connections } else { exchanges as f64 }]
        }
        Kind::Slow(_) => vec![lost / connections],
    }
}

#[cfg(test)]
mod tests;
