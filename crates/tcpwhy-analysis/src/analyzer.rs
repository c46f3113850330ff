//! The fold: segments in, connections out.

use hashbrown::HashTable;
use tcpwhy_model::Segment;

use crate::connection::ConnectionState;
use crate::flow::{FlowHash, FlowHasher};
use crate::outcome::Connection;

/// Folds segments into connections.
#[derive(Debug, Default)]
pub struct Analyzer {
    hasher: FlowHasher,
    /// Places of the connections by the hash of their ends.
    table: HashTable<usize>,
    /// The open connections; `None` where one was finished and the place may be taken again.
    places: Vec<Option<Place>>,
    free: Vec<usize>,
    /// The connection of the last segment: the next is often its neighbour.
    last: Option<usize>,
    next_id: u64,
    finished: Vec<Connection>,
    clock: i64,
    next_sweep: i64,
}

/// A connection that an [`Analyzer`] has given away.
#[derive(Debug)]
pub struct OpenConnection(Box<ConnectionState>);

impl OpenConnection {
    /// Nothing more belongs to it: what it came to.
    pub fn finish(self) -> Connection {
        self.0.finish()
    }
}

/// An open connection.
#[derive(Debug)]
struct Place {
    hash: FlowHash,
    state: Box<ConnectionState>,
}

impl Place {
    fn is_of(&self, hash: FlowHash, segment: &Segment) -> bool {
        self.hash == hash && self.state.has_ends_of(segment)
    }
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
        self.observe_hashed(self.hasher.hash(segment), segment);
    }

    /// As [`Self::observe`], of a segment whose flow is hashed already, by the same hasher as all others.
    pub fn observe_hashed(&mut self, hash: FlowHash, segment: &Segment) {
        let time = segment.timestamp.as_nanos();
        if time > self.clock {
            self.clock = time;
            if time >= self.next_sweep {
                self.sweep();
            }
        }
        let place = match self.last {
            Some(place) if self.places[place].as_ref().is_some_and(|p| p.is_of(hash, segment)) => place,
            _ => self.place_of(hash, segment),
        };
        self.last = Some(place);
        let Some(Place { state: connection, .. }) = &mut self.places[place] else { return };
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

    /// Gives up to `max` of the open connections away, in no particular order; none when there are none left.
    pub fn take_open(&mut self, max: usize) -> Vec<OpenConnection> {
        self.table = HashTable::new();
        self.free = Vec::new();
        self.last = None;
        let mut open = Vec::new();
        while open.len() < max
            && let Some(place) = self.places.pop()
        {
            open.extend(place.map(|p| OpenConnection(p.state)));
        }
        open
    }

    /// All connections that were not taken yet, in order of first packet.
    pub fn finish(mut self) -> Vec<Connection> {
        let mut all = self.finished;
        all.extend(self.places.drain(..).flatten().map(|p| p.state.finish()));
        all.sort_by_key(|c| c.id);
        all
    }

    fn place_of(&mut self, hash: FlowHash, segment: &Segment) -> usize {
        let places = &mut self.places;
        let is_same = |&place: &usize| places[place].as_ref().is_some_and(|p| p.is_of(hash, segment));
        if let Some(&place) = self.table.find(hash.bits(), is_same) {
            return place;
        }
        let taken = Some(Place { hash, state: Box::new(ConnectionState::new(self.next_id, segment)) });
        self.next_id += 1;
        let place = if let Some(place) = self.free.pop() {
            places[place] = taken;
            place
        } else {
            places.push(taken);
            places.len() - 1
        };
        let hash_of = |&place: &usize| places[place].as_ref().map_or(0, |p| p.hash.bits());
        self.table.insert_unique(hash.bits(), place, hash_of);
        place
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
        self.table.retain(|place| {
            if !places[*place].as_ref().is_some_and(|p| Self::is_over(&p.state, clock)) {
                return true;
            }
            if let Some(over) = places[*place].take() {
                finished.push(over.state.finish());
            }
            free.push(*place);
            false
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tcpwhy_testkit::{Transfer, at};

    /// Connections that a sweep has finished leave gaps between those that are open.
    #[test]
    fn all_that_is_open_is_given_away_once() {
        let transfer = Transfer { bytes: 20_000, ..Transfer::default() }.run();
        let mut analyzer = Analyzer::new();
        for port in 1000..1100 {
            // Whole ones close; the others stay as they are.
            let is_whole = (1010..1050).contains(&port) || port % 2 == 0;
            let seen = if is_whole { transfer.len() } else { transfer.len() / 2 };
            for segment in &transfer[..seen] {
                let mut segment = *segment;
                for end in [&mut segment.source, &mut segment.destination] {
                    end.port = if end.port == transfer[0].source.port { port } else { end.port };
                }
                analyzer.observe(&segment);
            }
        }
        let mut late = transfer[0];
        late.timestamp = at(100_000_000_000);
        analyzer.observe(&late);
        let closed = analyzer.take_finished();
        assert_eq!(closed.len(), 70);
        let mut firsts = Vec::new();
        loop {
            let some = analyzer.take_open(7);
            if some.is_empty() {
                break;
            }
            assert!(some.len() <= 7);
            firsts.extend(some.into_iter().map(|c| c.finish().id));
        }
        firsts.extend(closed.iter().map(|c| c.id));
        firsts.sort_unstable();
        assert!(firsts.into_iter().eq(0..101));
    }
}
