//! The fold: segments in, connections out.

use std::collections::HashMap;
use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Segment};

use crate::connection::ConnectionState;
use crate::outcome::Connection;

/// A four-tuple regardless of direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct FlowKey {
    low: (u128, u16),
    high: (u128, u16),
}

impl FlowKey {
    fn of(segment: &Segment) -> Self {
        let key = |e: &Endpoint| {
            let address = match e.address {
                IpAddr::V4(a) => u128::from(a.to_ipv6_mapped().to_bits()),
                IpAddr::V6(a) => a.to_bits(),
            };
            (address, e.port)
        };
        let (a, b) = (key(&segment.source), key(&segment.destination));
        if a <= b { Self { low: a, high: b } } else { Self { low: b, high: a } }
    }
}

/// Folds segments into connections.
#[derive(Debug, Default)]
pub struct Analyzer {
    table: HashMap<FlowKey, Box<ConnectionState>>,
    next_id: u64,
    finished: Vec<Connection>,
    clock: i64,
    next_sweep: i64,
}

impl Analyzer {
    /// A closed connection is finished when it stayed silent this long (twice the maximum segment lifetime of Linux).
    const CLOSED_LINGER: i64 = 60_000_000_000;
    /// An open connection is finished when it stayed silent this long.
    const IDLE_LIMIT: i64 = 2 * 3600 * 1_000_000_000;
    const SWEEP_EVERY: i64 = 30_000_000_000;

    /// Nothing seen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next segment, in the order of the capture.
    pub fn observe(&mut self, segment: &Segment) {
        let time = segment.timestamp.as_nanos();
        self.clock = self.clock.max(time);
        let key = FlowKey::of(segment);
        match self.table.entry(key) {
            std::collections::hash_map::Entry::Occupied(mut entry) => {
                if entry.get().is_reopened_by(segment) {
                    let id = self.next_id;
                    self.next_id += 1;
                    let old = std::mem::replace(entry.get_mut(), Box::new(ConnectionState::new(id, segment)));
                    self.finished.push(old.finish());
                }
                entry.get_mut().observe(segment);
            }
            std::collections::hash_map::Entry::Vacant(entry) => {
                let id = self.next_id;
                self.next_id += 1;
                entry.insert(Box::new(ConnectionState::new(id, segment))).observe(segment);
            }
        }
        if self.clock >= self.next_sweep {
            self.sweep();
        }
    }

    /// Connections that ended so far, in no particular order.
    pub fn take_finished(&mut self) -> Vec<Connection> {
        std::mem::take(&mut self.finished)
    }

    /// All connections that were not taken yet, in order of first packet.
    pub fn finish(mut self) -> Vec<Connection> {
        let mut all = self.finished;
        all.extend(self.table.drain().map(|(_, c)| c.finish()));
        all.sort_by_key(|c| c.id);
        all
    }

    fn sweep(&mut self) {
        self.next_sweep = self.clock.saturating_add(Self::SWEEP_EVERY);
        let clock = self.clock;
        let is_over = |c: &ConnectionState| {
            let silent = clock.saturating_sub(c.last());
            silent > if c.is_closed() { Self::CLOSED_LINGER } else { Self::IDLE_LIMIT }
        };
        let finished = &mut self.finished;
        for (_, connection) in self.table.extract_if(|_, c| is_over(c)) {
            finished.push(connection.finish());
        }
    }
}
