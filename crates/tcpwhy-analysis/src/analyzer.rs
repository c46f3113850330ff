//! The fold: segments in, connections out.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use tcpwhy_model::{FlowKey, Segment};

use crate::connection::ConnectionState;
use crate::outcome::Connection;

/// Folds segments into connections.
#[derive(Debug, Default)]
pub struct Analyzer {
    table: HashMap<FlowKey, usize>,
    /// The open connections; `None` where one was finished and the place may be taken again.
    places: Vec<Option<Box<ConnectionState>>>,
    free: Vec<usize>,
    /// The connection of the last segment: the next is often its neighbour.
    last: Option<usize>,
    next_id: u64,
    finished: Vec<Connection>,
    clock: i64,
    next_sweep: i64,
}

impl Analyzer {
    /// A closed connection is finished when it stayed silent this long (`TCP_TIMEWAIT_LEN` of Linux).
    const CLOSED_LINGER: i64 = 60_000_000_000;
    /// An open connection is finished when it stayed silent this long (the default of `tcp_keepalive_time`).
    const IDLE_LIMIT: i64 = 2 * 3600 * 1_000_000_000;
    const SWEEP_EVERY: i64 = 30_000_000_000;

    /// Nothing seen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next segment, in the order of the capture.
    pub fn observe(&mut self, segment: &Segment) {
        let time = segment.timestamp.as_nanos();
        if time > self.clock {
            self.clock = time;
            if time >= self.next_sweep {
                self.sweep();
            }
        }
        let place = match self.last {
            Some(place) if self.places[place].as_ref().is_some_and(|c| c.has_ends_of(segment)) => place,
            _ => self.place_of(FlowKey::of(segment), segment),
        };
        self.last = Some(place);
        let Some(connection) = &mut self.places[place] else { return };
        // Where the sweep happens to run must not matter.
        if connection.is_reopened_by(segment) || Self::is_over(connection, time) {
            let old = std::mem::replace(connection, Box::new(ConnectionState::new(self.next_id, segment)));
            self.next_id += 1;
            connection.observe(segment);
            self.finished.push(old.finish());
        } else {
            connection.observe(segment);
        }
    }

    /// Connections that ended so far, in no particular order.
    pub fn take_finished(&mut self) -> Vec<Connection> {
        std::mem::take(&mut self.finished)
    }

    /// All connections that were not taken yet, in order of first packet.
    pub fn finish(mut self) -> Vec<Connection> {
        let mut all = self.finished;
        all.extend(self.places.drain(..).flatten().map(|c| c.finish()));
        all.sort_by_key(|c| c.id);
        all
    }

    fn place_of(&mut self, key: FlowKey, segment: &Segment) -> usize {
        match self.table.entry(key) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let connection = Some(Box::new(ConnectionState::new(self.next_id, segment)));
                self.next_id += 1;
                let place = if let Some(place) = self.free.pop() {
                    self.places[place] = connection;
                    place
                } else {
                    self.places.push(connection);
                    self.places.len() - 1
                };
                *entry.insert(place)
            }
        }
    }

    /// Whether a connection has been silent for so long that what comes next is another.
    pub(crate) fn is_over(connection: &ConnectionState, now: i64) -> bool {
        let silent = now.saturating_sub(connection.last());
        silent > if connection.is_closed() { Self::CLOSED_LINGER } else { Self::IDLE_LIMIT }
    }

    fn sweep(&mut self) {
        self.next_sweep = self.clock.saturating_add(Self::SWEEP_EVERY);
        self.last = None;
        let (clock, places, free, finished) = (self.clock, &mut self.places, &mut self.free, &mut self.finished);
        self.table.retain(|_, place| {
            if !places[*place].as_ref().is_some_and(|c| Self::is_over(c, clock)) {
                return true;
            }
            if let Some(connection) = places[*place].take() {
                finished.push(connection.finish());
            }
            free.push(*place);
            false
        });
    }
}
