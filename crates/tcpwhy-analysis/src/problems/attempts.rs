//! Failed attempts to connect: client, host, number, and hop limits.
//!
//! A program that connects waits for the answer and repeats its SYN by a timer. A prober does not: each of
//! its SYNs is a new question, and nobody waits for the answer.

use std::collections::BTreeSet;
use std::net::IpAddr;

use tcpwhy_model::{EvidenceKey, Finding, Timestamp};

use crate::outcome::Connection;
use crate::seen::HopLimits;
use crate::side::Side;
use crate::thresholds::{
    FLOOD_LASTS, FLOOD_RATE, PEER_ADDRESSES, PEER_PORTS, PROBED_HOPS, REPEATED, SCANNED_PORTS, SILENT_ADDRESSES,
    SYN_TIMER, part,
};

/// Sums over the SYNs of failed attempts.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempts {
    /// Number of SYNs.
    syns: u64,
    /// Attempts whose SYN was repeated as late as TCP's timer would repeat it.
    repeated: u64,
    hop_limits: HopLimitSet,
    /// Ports of a host that one client tried.
    pub(super) ports: BTreeSet<u16>,
    /// Hosts that one client tried.
    pub(super) hosts: BTreeSet<IpAddr>,
}

/// One attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    syns: u64,
    is_repeated: bool,
    /// TTL of the first SYN and of the last one.
    hop_limits: Option<(u8, u8)>,
}

/// The hop limits (TTL) of SYNs, a bit each.
#[derive(Clone, Copy, Debug, Default)]
struct HopLimitSet([u64; 4]);

impl Attempt {
    /// Returns the attempt of `connection` to `server`, about which `finding` was found.
    pub(super) fn of(connection: &Connection, server: Side, finding: Option<&Finding>) -> Self {
        let syns = connection.packets[server.peer().index()];
        let intervals = i64::try_from(syns.saturating_sub(1)).unwrap_or(i64::MAX);
        let is_repeated = intervals > 0 && connection.span.nanos() / intervals >= SYN_TIMER.get();
        let hop_limit = |key: EvidenceKey| u8::try_from(finding?.number(key)?).ok();
        let first = hop_limit(EvidenceKey::SynHopLimit);
        let hop_limits = first.map(|first| (first, hop_limit(EvidenceKey::HopLimit).unwrap_or(first)));
        Self { syns, is_repeated, hop_limits }
    }

    /// Whether it is a single SYN that crossed a router, so that nobody in this network waits for the answer.
    pub(super) fn is_stranger(self) -> bool {
        let is_routed = |(syn, _)| HopLimits { syn, ..HopLimits::default() }.is_syn_unrouted() == Some(false);
        self.syns == 1 && self.hop_limits.is_some_and(is_routed)
    }
}

impl Attempts {
    pub(super) fn add(&mut self, attempt: Attempt) {
        self.syns += attempt.syns;
        self.repeated += u64::from(attempt.is_repeated);
        if let Some((first, last)) = attempt.hop_limits {
            (first.min(last)..=first.max(last)).for_each(|hop_limit| self.hop_limits.insert(hop_limit));
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.syns += other.syns;
        self.repeated += other.repeated;
        self.hop_limits.join(other.hop_limits);
        self.ports.extend(&other.ports);
        self.hosts.extend(&other.hosts);
    }

    /// Returns the number of SYNs.
    pub(super) const fn syns(&self) -> u64 {
        self.syns
    }

    /// Whether one client tried enough ports of a host to count as a scan.
    pub(super) fn are_scan(&self) -> bool {
        self.ports.len() as u64 >= SCANNED_PORTS
    }

    /// Whether one client traces the path to a host, with hop limits of its SYNs that rise one by one from 1
    /// on. Scanners choose theirs at random, but not below the length of the path.
    pub(super) fn are_trace(&self) -> bool {
        self.hop_limits.hops_in_order() >= PROBED_HOPS
    }

    /// Whether the SYNs of `attempts` attempts from `first` to `last` are a flood. A flood has hundreds of
    /// SYNs per second, and no timer repeats them although there was time.
    pub(super) fn are_flood(&self, attempts: u64, (first, last): (Timestamp, Timestamp)) -> bool {
        let nanos = last.since(first);
        let per_second = self.syns as f64 / (nanos as f64 / 1e9);
        nanos >= FLOOD_LASTS && per_second >= FLOOD_RATE && part(self.repeated, attempts) < REPEATED
    }

    /// Whether one client failed to reach enough hosts to make this the client's problem.
    pub(super) fn are_of_client(&self) -> bool {
        self.hosts.len() as u64 >= SILENT_ADDRESSES
    }

    /// Whether the client tries peers: many hosts, each at another port or only once.
    pub(super) fn are_peers(&self, attempts: u64) -> bool {
        let (hosts, ports) = (self.hosts.len() as u64, self.ports.len() as u64);
        hosts >= PEER_ADDRESSES && (part(ports, hosts) >= PEER_PORTS || part(self.repeated, attempts) < REPEATED)
    }
}

impl HopLimitSet {
    const BITS: u8 = 64;

    fn insert(&mut self, hop_limit: u8) {
        self.0[usize::from(hop_limit / Self::BITS)] |= 1 << (hop_limit % Self::BITS);
    }

    fn join(&mut self, other: Self) {
        for (own, bits) in self.0.iter_mut().zip(other.0) {
            *own |= bits;
        }
    }

    /// Returns the number of consecutive hop limits from 1 on.
    fn hops_in_order(self) -> u64 {
        let has = |hop_limit: u8| self.0[usize::from(hop_limit / Self::BITS)] >> (hop_limit % Self::BITS) & 1 == 1;
        (1..=u8::MAX).take_while(|&hop_limit| has(hop_limit)).count() as u64
    }
}
