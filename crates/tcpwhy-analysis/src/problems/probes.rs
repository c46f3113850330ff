//! Failed attempts that form one problem: those of one client, and those that nobody waited for.

use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Severity};

use super::{Failure, Kind, Problem, ProblemKey, Problems, Target, pair};
use crate::thresholds::MANY_FAILED;

impl Problems {
    /// Returns the problems that failed attempts at several services form. Each replaces the problems that it
    /// covers.
    pub(super) fn of_attempts(&self) -> Vec<Problem> {
        let mut all: Vec<Problem> = Vec::new();
        let mut several: BTreeMap<ProblemKey, Problem> = BTreeMap::new();
        for tried in self.scans.values() {
            let (Target::Scan { host, client }, kind) = (tried.key.target, tried.key.kind) else { continue };
            let target = if tried.attempts.are_scan() {
                Target::Scan { host, client }
            } else if tried.attempts.are_trace() {
                Target::Trace { host, client }
            } else if self.is_stray(tried, host, client) {
                several_of(&mut several, Target::Strays(host), tried, host);
                continue;
            } else if kind == Kind::Failed(Failure::Unanswered) {
                several_of(&mut several, Target::Client(client), tried, host);
                continue;
            } else {
                continue;
            };
            all.push(tried.named(target));
        }
        all.extend(several.into_values().filter_map(|problem| match problem.key.target {
            Target::Client(client) if problem.attempts.are_peers(problem.connections) => {
                Some(problem.named(Target::Peers(client)))
            }
            Target::Client(_) => problem.attempts.are_of_client().then_some(problem),
            _ => Some(problem.named(problem.key.target)),
        }));
        let floods = self.found.values().filter_map(|problem| match problem.key {
            ProblemKey { target: Target::Service(service), kind: Kind::Failed(Failure::Unanswered) } => {
                let is_flood = problem.attempts.are_flood(problem.connections, problem.extent);
                is_flood.then(|| problem.named(Target::Flood(service)))
            }
            _ => None,
        });
        all.extend(floods);
        all
    }

    /// Returns the number of failed connections per service that nobody waited for, by [`Failure`].
    pub(crate) fn probed(&self) -> BTreeMap<Endpoint, [u64; Failure::ALL.len()]> {
        let of_attempts = self.of_attempts();
        let mut probed: BTreeMap<Endpoint, [u64; Failure::ALL.len()]> = BTreeMap::new();
        for problem in self.found.values() {
            let (Target::Service(service), Kind::Failed(failure)) = (problem.key.target, problem.key.kind) else {
                continue;
            };
            if of_attempts.iter().any(|whole| whole.key.is_probes() && whole.covers(problem)) {
                probed.entry(service).or_default()[failure as usize] += problem.connections;
            }
        }
        probed
    }

    /// Whether the attempt of `client` at `host` is a single SYN that nobody in this network waits for. There
    /// is nothing else between these two, and no other client tried that port.
    fn is_stray(&self, tried: &Problem, host: IpAddr, client: IpAddr) -> bool {
        let is_alone = |service| self.connections.get(&service).is_some_and(|&count| count == 1);
        let services = tried.attempts.ports.iter().map(|&port| Endpoint { address: host, port });
        tried.is_of_strangers
            && tried.connections == 1
            && self.between.get(&pair(host, client)).is_some_and(|&count| count == 1)
            && services.into_iter().all(is_alone)
    }
}

/// Adds the attempts `tried` at `host` to the problem that they belong to.
fn several_of(all: &mut BTreeMap<ProblemKey, Problem>, target: Target, tried: &Problem, host: IpAddr) {
    let key = ProblemKey { target, ..tried.key };
    let problem = all.entry(key).and_modify(|problem| problem.absorb(tried));
    let problem = problem.or_insert_with(|| Problem { key, ..tried.clone() });
    problem.attempts.hosts.insert(host);
}

impl Problem {
    /// Returns the same problem for `target`. It is only a note if nobody waited for the connections.
    fn named(&self, target: Target) -> Self {
        let severity = if target.is_probes() { Severity::Info } else { self.severity };
        Self { key: ProblemKey { target, ..self.key }, severity, ..self.clone() }
    }

    /// Whether the problem of a service is a part of this one.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let Target::Service(service) = other.key.target else { return false };
        let is_tried = |host: IpAddr| host == service.address && self.attempts.ports.contains(&service.port);
        let is_part = match self.key.target {
            Target::Service(_) => false,
            // A scan tries each port a few times, and some of them more often. All attempts of its client
            // belong to it.
            Target::Scan { host, client } => {
                is_tried(host) && (other.connections < MANY_FAILED || other.client == Some(client))
            }
            Target::Trace { host, client } => is_tried(host) && other.client == Some(client),
            Target::Flood(flooded) => flooded == service,
            Target::Strays(host) => is_tried(host) && other.is_of_strangers && other.connections == 1,
            Target::Peers(client) | Target::Client(client) => {
                self.attempts.hosts.contains(&service.address) && other.client == Some(client)
            }
        };
        is_part && self.key.kind == other.key.kind
    }
}

#[cfg(test)]
mod terms;
