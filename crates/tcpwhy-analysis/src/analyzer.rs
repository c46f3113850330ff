//! The analyzer, which folds segments into connections.

use std::cmp::Reverse;
use std::collections::VecDeque;

use hashbrown::HashTable;
use tcpwhy_model::{Segment, TcpFlags};

use crate::capture_clock::CaptureClock;
use crate::connection::{Following, Tracked};
use crate::flow::{FlowHash, FlowHasher};
use crate::outcome::{Connection, Side};
use crate::thresholds::SETTLED_LINGER;

/// Folds segments into connections.
#[derive(Debug, Default)]
pub struct Analyzer {
    hasher: FlowHasher,
    /// Indices of the connections by the hash of their ends.
    table: HashTable<usize>,
    /// The open connections; `None` if one was finished and its place is free.
    places: Vec<Option<Place>>,
    free: Vec<usize>,
    /// The connection of the last segment, to which the next segment often belongs as well.
    last: Option<usize>,
    next_id: u64,
    finished: Vec<Connection>,
    /// Clock over the segments that arrive one by one, or over all if connections are returned early.
    clock: CaptureClock,
    /// Time that the capture has certainly reached, nanoseconds; `None` while no time is certain.
    now: Option<i64>,
    /// Whether that time has moved since the last sweep.
    is_sweep_due: bool,
    /// Segments since the last sweep.
    unswept: usize,
    /// Number of connections that sweeps have checked.
    #[cfg(test)]
    swept: usize,
    /// Connections that both ends have closed, in that order; `None` if they are not returned early.
    closed: Option<VecDeque<Closed>>,
    /// Whether every exchange is kept, rather than only the slowest of each connection.
    keeps_exchanges: bool,
}

/// A connection that an [`Analyzer`] has returned while it was open.
#[derive(Debug)]
pub struct OpenConnection(Tracked);

impl OpenConnection {
    /// Ends the connection, to which no more segments belong, and returns the result; `None` if it was
    /// returned before.
    pub fn finish(self) -> Option<Connection> {
        self.0.finish()
    }
}

/// An open connection.
#[derive(Debug)]
struct Place {
    hash: FlowHash,
    connection: Tracked,
    /// Value of [`Analyzer::now`] at its last packet.
    seen: Option<i64>,
}

impl Place {
    /// Whether the connection has been silent for long when the capture has certainly reached `now`.
    ///
    /// Two times must show that, because each alone may be wrong. The connection's own time is far behind if
    /// the clock has stepped back. The capture's time at its last packet is behind until a newer time is
    /// certain.
    fn is_over(&self, now: Option<i64>) -> bool {
        let Some(now) = now else { return false };
        let outline = self.connection.outline();
        let since_seen = self.seen.map_or(i64::MAX, |seen| now.saturating_sub(seen));
        outline.ends_after(since_seen.min(outline.silence(now)))
    }

    /// Returns the sender of the segment, if it belongs to this connection's ends.
    #[inline]
    fn sender_of(&self, hash: FlowHash, segment: &Segment) -> Option<Side> {
        if self.hash == hash { self.connection.outline().sender_of(segment) } else { None }
    }
}

/// A connection that was closed.
#[derive(Clone, Copy, Debug)]
struct Closed {
    place: usize,
    id: u64,
    /// Time of its last packet, as far as known.
    last: i64,
}

impl Analyzer {
    /// Number of swept connections per segment, at most. A sweep checks every connection. Without this limit,
    /// a clock that jumps would make every packet pay for all connections.
    const SWEPT_PER_SEGMENT: usize = 4;

    /// While there are fewer connections than this, each new one is followed in full from its first packet.
    /// This takes at most 15 MB of memory, and no packet is stored and read twice. A connection that replaces
    /// another one between the same ends is stored in compact form while it is short. Ends that reconnect
    /// repeatedly do so for a few packets each.
    const FEW: usize = 1024;

    /// Creates an analyzer without connections.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an analyzer that returns connections early: 5 s of silence after both ends have closed and
    /// everything is acknowledged. Later retransmissions do not begin another connection, but are no longer
    /// counted.
    #[must_use]
    pub fn prompt() -> Self {
        Self { closed: Some(VecDeque::new()), ..Self::default() }
    }

    /// Keeps every exchange, rather than only the slowest of each connection. Memory grows with their number.
    #[must_use]
    pub fn with_all_exchanges(self) -> Self {
        Self { keeps_exchanges: true, ..self }
    }

    /// Hashes flows with `hasher`.
    #[must_use]
    pub fn with_hasher(self, hasher: FlowHasher) -> Self {
        Self { hasher, ..self }
    }

    /// Takes the next segment, in the order of the capture.
    pub fn observe(&mut self, segment: &Segment) {
        if self.closed.is_none() && self.clock.pass(segment.timestamp.as_nanos()) {
            self.advance(self.clock.now());
        }
        self.observe_one(self.hasher.hash(segment), segment);
    }

    /// Ends connections that have been silent for long, because the capture has certainly reached `now`.
    fn advance(&mut self, now: i64) {
        if now == i64::MIN || self.now.is_some_and(|before| now <= before) {
            return;
        }
        self.now = Some(now);
        self.is_sweep_due = true;
    }

    /// Takes the segment that an ICMP error quotes. It belongs to an open connection, or to none that
    /// matters.
    #[cold]
    fn note_undelivered(&mut self, hash: FlowHash, segment: &Segment) {
        let places = &self.places;
        let is_same = |&place: &usize| places[place].as_ref().is_some_and(|p| p.sender_of(hash, segment).is_some());
        let Some(&place) = self.table.find(hash.bits(), is_same) else { return };
        let now = self.now;
        if let Some(place) = self.places[place].as_mut().filter(|place| !place.is_over(now)) {
            place.connection.note_undelivered(segment);
        }
    }

    /// Takes segments like [`Self::observe`], with flows that are already hashed by the same hasher as all
    /// others. The capture had reached `now` before the first of them ([`CaptureClock::now`], nanoseconds). A
    /// connection is searched once for consecutive segments.
    pub fn observe_hashed<'a>(&mut self, now: i64, segments: impl IntoIterator<Item = (FlowHash, &'a Segment)>) {
        self.advance(now);
        let mut segments = segments.into_iter();
        let mut next = segments.next();
        while let Some((hash, segment)) = next {
            self.observe_one(hash, segment);
            next = self.observe_neighbours(hash, &mut segments);
        }
    }

    /// Takes the following segments of the last segment's connection. Returns the first segment of another
    /// connection, or the first that changes more than this connection.
    fn observe_neighbours<'a>(
        &mut self,
        hash: FlowHash,
        segments: &mut impl Iterator<Item = (FlowHash, &'a Segment)>,
    ) -> Option<(FlowHash, &'a Segment)> {
        if self.closed.is_some() {
            return segments.next();
        }
        let connection = self.last.and_then(|last| Some(&mut self.places.get_mut(last)?.as_mut()?.connection));
        let Some(Tracked::Full(connection)) = connection else { return segments.next() };
        for (other, segment) in segments {
            let time = segment.timestamp.as_nanos();
            let sender = if other == hash { connection.outline().sender_of(segment) } else { None };
            let (Some(side), None) = (sender, segment.undelivered()) else { return Some((other, segment)) };
            if segment.flags.contains(TcpFlags::SYN) || connection.outline().is_over(time) {
                return Some((other, segment));
            }
            self.unswept += 1;
            connection.observe_from(side, segment);
        }
        None
    }

    fn observe_one(&mut self, hash: FlowHash, segment: &Segment) {
        if segment.undelivered().is_some() {
            self.note_undelivered(hash, segment);
            return;
        }
        let time = segment.timestamp.as_nanos();
        self.unswept += 1;
        if self.closed.is_some() {
            if self.clock.pass(time) {
                self.advance(self.clock.now());
            }
            self.finish_settled();
        }
        if self.is_sweep_due && self.unswept * Self::SWEPT_PER_SEGMENT >= self.table.len() {
            self.sweep();
        }
        let last = self
            .last
            .and_then(|last| self.places.get(last)?.as_ref()?.sender_of(hash, segment).map(|side| (last, side)));
        let (place, mut side) = match last {
            Some(known) => known,
            None => self.place_of(hash, segment),
        };
        self.last = Some(place);
        // See `FEW`.
        let following = self.following(false);
        let Some(known) = &mut self.places[place] else { return };
        // The result must not depend on the time of the last sweep.
        let is_over = known.is_over(self.now) || known.connection.is_over_before(segment);
        known.seen = self.now;
        let connection = &mut known.connection;
        let mut was_closed = self.closed.is_none() || connection.outline().is_closed();
        if is_over || connection.is_reopened_by(segment) {
            let old = std::mem::replace(connection, Tracked::new(self.next_id, segment, following));
            self.next_id += 1;
            self.finished.extend(old.finish());
            was_closed = self.closed.is_none();
            side = Side::A;
        }
        connection.observe(segment, side);
        if !was_closed && connection.outline().is_closed() {
            self.note_closed(place);
        }
    }

    /// Records that the connection in `place` was closed just now.
    fn note_closed(&mut self, place: usize) {
        let (Some(closed), Some(Place { connection, .. })) = (&mut self.closed, &self.places[place]) else { return };
        let outline = connection.outline();
        closed.push_back(Closed { place, id: outline.id(), last: outline.last() });
        if closed.len() > 2 * self.table.len() {
            // Ends that reconnect repeatedly leave many entries of connections that no longer exist.
            let places = &self.places;
            closed.retain(|c| places[c.place].as_ref().is_some_and(|p| p.connection.outline().id() == c.id));
        }
    }

    /// Returns the number of connections so far.
    pub const fn seen(&self) -> u64 {
        self.next_id
    }

    /// Returns the connections that have ended so far, in no particular order.
    pub fn take_finished(&mut self) -> Vec<Connection> {
        std::mem::take(&mut self.finished)
    }

    /// Makes [`Self::take_open`] return connections in order of their first packet.
    pub fn sort_open(&mut self) {
        self.last = None;
        self.table = HashTable::new();
        self.places.sort_unstable_by_key(|p| Reverse(p.as_ref().map(|p| p.connection.outline().id())));
    }

    /// Returns up to `max` of the open connections, in no particular order; empty if there are none left.
    pub fn take_open(&mut self, max: usize) -> Vec<OpenConnection> {
        self.table = HashTable::new();
        self.free = Vec::new();
        self.last = None;
        let mut open = Vec::new();
        while open.len() < max
            && let Some(place) = self.places.pop()
        {
            open.extend(place.map(|p| OpenConnection(p.connection)));
        }
        open
    }

    /// Returns the number of open connections, and their memory in bytes.
    #[doc(hidden)]
    pub fn open(&self) -> (usize, usize) {
        let table = self.table.capacity() * size_of::<usize>() + self.places.capacity() * size_of::<Option<Place>>();
        let closed = self.closed.as_ref().map_or(0, |c| c.capacity() * size_of::<Closed>());
        let open = self.places.iter().flatten();
        open.fold((0, table + closed), |(count, bytes), place| (count + 1, bytes + place.connection.heap()))
    }

    /// Returns all connections that were not taken yet, in order of their first packet.
    pub fn finish(mut self) -> Vec<Connection> {
        let mut all = self.finished;
        all.extend(self.places.drain(..).flatten().filter_map(|p| p.connection.finish()));
        all.sort_by_key(|c| c.id);
        all
    }

    /// Returns the place of the connection of `segment`, which may be a new one, and the sender's side.
    fn place_of(&mut self, hash: FlowHash, segment: &Segment) -> (usize, Side) {
        let following = self.following(self.places.len() - self.free.len() < Self::FEW);
        let places = &mut self.places;
        let sender = |place: usize| places[place].as_ref().and_then(|p| p.sender_of(hash, segment));
        if let Some(&place) = self.table.find(hash.bits(), |&place| sender(place).is_some())
            && let Some(side) = sender(place)
        {
            return (place, side);
        }
        let connection = Tracked::new(self.next_id, segment, following);
        let taken = Some(Place { hash, connection, seen: self.now });
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
        (place, Side::A)
    }

    /// Returns the way to follow a new connection.
    fn following(&self, is_in_full: bool) -> Following {
        match (self.keeps_exchanges, is_in_full) {
            (true, _) => Following::WithAllExchanges,
            (false, true) => Following::InFull,
            (false, false) => Following::Brief,
        }
    }

    fn sweep(&mut self) {
        self.is_sweep_due = false;
        self.unswept = 0;
        #[cfg(test)]
        {
            self.swept += self.table.len();
        }
        self.last = None;
        let (now, places, free, finished) = (self.now, &mut self.places, &mut self.free, &mut self.finished);
        let before = finished.len();
        self.table.retain(|place| {
            if !places[*place].as_ref().is_some_and(|p| p.is_over(now)) {
                return true;
            }
            if let Some(over) = places[*place].take() {
                finished.extend(over.connection.finish());
            }
            free.push(*place);
            false
        });
        // The table's order is that of hashes, whose key differs in each run.
        finished[before..].sort_unstable_by_key(|c| c.id);
    }

    /// Finishes connections that were closed and have been silent since.
    fn finish_settled(&mut self) {
        let Some(closed) = &mut self.closed else { return };
        let now = self.clock.unconfirmed();
        while let Some(&first) = closed.front()
            && now.saturating_sub(first.last) > SETTLED_LINGER.get()
        {
            closed.pop_front();
            let Some(Some(Place { connection, .. })) = self.places.get_mut(first.place) else { continue };
            let outline = connection.outline();
            if outline.id() != first.id {
                continue;
            }
            if outline.last() > first.last {
                // An end still sent something.
                closed.push_back(Closed { last: outline.last(), ..first });
            } else {
                // If data is missing, it may still arrive, so the sweep finishes the connection.
                self.finished.extend(connection.finish_settled());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tcpwhy_testkit::{Transfer, at, script};

    /// Connections that a sweep has finished leave gaps between those that are open.
    #[test]
    fn all_that_is_open_is_given_away_once() {
        let transfer = Transfer { bytes: 20_000, ..Transfer::default() }.run();
        let mut analyzer = Analyzer::new();
        for port in 1000..1100 {
            // Complete connections close; the others stay open.
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
        pass_time(&mut analyzer, &transfer[0], 100);
        let closed = analyzer.take_finished();
        assert_eq!(closed.len(), 70);
        let mut firsts = Vec::new();
        loop {
            let some = analyzer.take_open(7);
            if some.is_empty() {
                break;
            }
            assert!(some.len() <= 7);
            firsts.extend(some.into_iter().filter_map(OpenConnection::finish).map(|c| c.id));
        }
        firsts.extend(closed.iter().map(|c| c.id));
        firsts.sort_unstable();
        assert!(firsts.into_iter().eq(0..101));
    }

    /// Adds packets of another connection at this second, enough to make the time certain.
    fn pass_time(analyzer: &mut Analyzer, segment: &Segment, second: i64) {
        for _ in 0..2 * CaptureClock::CHECKED {
            analyzer.observe(&Segment { timestamp: at(second * 1_000_000_000), ..*segment });
        }
    }

    /// One packet with a wrong time, among others or in a connection of its own.
    #[test]
    fn a_packet_of_a_wrong_time_ends_no_other_connection() {
        let transfer = Transfer { bytes: 20_000, ..Transfer::default() }.run();
        let hour = 3_600_000_000_000;
        for (wrong, is_prompt) in
            [-48 * hour, -3 * hour, 3 * hour, 48 * hour].into_iter().flat_map(|w| [(w, false), (w, true)])
        {
            let mut analyzer = if is_prompt { Analyzer::prompt() } else { Analyzer::new() };
            for (n, segment) in transfer.iter().enumerate() {
                (0..40).for_each(|port| analyzer.observe(&of_port(segment, port)));
                if n == transfer.len() / 2 {
                    analyzer
                        .observe(&Segment { timestamp: segment.timestamp.plus(wrong), ..of_port(&transfer[0], 1000) });
                }
            }
            let packets = analyzer.finish().iter().map(|c| c.packets[0] + c.packets[1]).collect::<Vec<_>>();
            let whole = transfer.len() as u64;
            assert_eq!(packets, [vec![whole; 40], vec![1]].concat(), "{wrong} {is_prompt}");
        }
    }

    /// Hosts whose clocks differ by hours, one packet after the other.
    #[test]
    fn clocks_that_differ_end_no_connection() {
        let segments = Transfer { bytes: 3_000_000, ..Transfer::default() }.run();
        for hours in [-3, 3] {
            let mut analyzer = Analyzer::new();
            for segment in &segments {
                analyzer.observe(segment);
                let elsewhere = segment.timestamp.plus(hours * 3_600_000_000_000);
                analyzer.observe(&Segment { timestamp: elsewhere, ..of_port(segment, 1000) });
            }
            assert_eq!(analyzer.finish().len(), 2, "{hours}");
        }
    }

    /// Two captures in one file, the earlier one after the other.
    #[test]
    fn connections_behind_a_step_back_stay_whole() {
        let day = 86_400_000_000_000;
        let segments = Transfer { bytes: 3_000_000, ..Transfer::default() }.run();
        let packets = segments.len() as u64;
        assert!(packets > 4 * u64::from(CaptureClock::CHECKED));
        for is_prompt in [false, true] {
            let mut analyzer = if is_prompt { Analyzer::prompt() } else { Analyzer::new() };
            for segment in &segments {
                analyzer.observe(segment);
            }
            for port in 1000..1010 {
                for segment in &segments {
                    let earlier = segment.timestamp.plus(i64::from(port) * 60_000_000_000 - 2 * day);
                    analyzer.observe(&Segment { timestamp: earlier, ..of_port(segment, port) });
                }
            }
            let found = analyzer.take_finished().len() + analyzer.finish().len();
            assert_eq!(found, 11, "{is_prompt}");
        }
    }

    /// Packets after a long pause have a new time before that time is certain.
    #[test]
    fn a_long_rest_of_the_capture_ends_no_connection_behind_it() {
        let segments = Transfer { bytes: 3_000_000, ..Transfer::default() }.run();
        let mut analyzer = Analyzer::new();
        for (hours, port) in [(0, 1000), (5, 1001), (12, 1002)] {
            for segment in &segments {
                let later = segment.timestamp.plus(hours * 3_600_000_000_000);
                analyzer.observe(&Segment { timestamp: later, ..of_port(segment, port) });
            }
        }
        assert_eq!(analyzer.take_finished().len() + analyzer.finish().len(), 3);
    }

    /// A damaged capture may contain any time.
    #[test]
    fn a_first_packet_of_an_impossible_time_begins_one_connection() {
        for time in [1 << 61, i64::MAX, i64::MIN] {
            let mut segment = Transfer { bytes: 20_000, ..Transfer::default() }.run()[0];
            segment.timestamp = tcpwhy_model::Timestamp::from_nanos(time);
            let mut analyzer = Analyzer::new();
            analyzer.observe(&segment);
            let all = analyzer.finish();
            assert_eq!(all.iter().map(|connection| connection.packets).collect::<Vec<_>>(), [[1, 0]], "{time}");
        }
    }

    /// A sweep returns connections in order, whatever the hashes are.
    #[test]
    fn the_order_does_not_hang_on_hashes() {
        let syn = script("0.000 > S 0:0(0)").segments[0];
        let mut analyzer = Analyzer::new();
        (0..1000).for_each(|port| analyzer.observe(&of_port(&syn, port)));
        pass_time(&mut analyzer, &of_port(&syn, 2000), 8000);
        let finished: Vec<u64> = analyzer.take_finished().iter().map(|c| c.id).collect();
        assert!(finished.into_iter().eq(0..1000));
    }

    fn of_port(segment: &Segment, port: u16) -> Segment {
        let mut segment = *segment;
        for end in [&mut segment.source, &mut segment.destination] {
            end.port = if end.port == 80 { 80 } else { port };
        }
        segment
    }

    /// A clock that jumps does not make every packet pay for all connections.
    #[test]
    fn sweeps_cost_no_more_than_packets() {
        let syn = script("0.000 > S 0:0(0)").segments[0];
        let mut analyzer = Analyzer::new();
        let mut packets = 0;
        for port in 0..20_000 {
            analyzer.observe(&of_port(&syn, port));
            packets += 1;
        }
        for leap in 1..6000 {
            let mut late = of_port(&syn, 30_000);
            late.timestamp = at(leap * 31_000_000_000);
            analyzer.observe(&late);
            packets += 1;
        }
        assert!(analyzer.swept <= packets * Analyzer::SWEPT_PER_SEGMENT, "{} for {packets}", analyzer.swept);
        // Connections that are over are still removed.
        assert_eq!(analyzer.places.iter().flatten().count(), 1);
    }

    const CLOSED: &str = r"
        0.000 > S 0:0(0) <mss 1460>
        0.010 < S. 0:0(0) ack 1 win 65535 <mss 1460>
        0.010 > . 1:1(0) ack 1 win 65535
        0.011 > P. 1:301(300) ack 1 win 65535
        0.021 < P. 1:901(900) ack 301 win 65535
        0.022 > F. 301:301(0) ack 901 win 65535
        0.032 < F. 901:901(0) ack 302 win 65535
        0.033 > . 302:302(0) ack 902 win 65535
    ";

    #[test]
    fn a_closed_connection_is_given_away_at_once() {
        let segments = script(CLOSED).segments;
        let mut analyzer = Analyzer::prompt();
        for segment in &segments {
            analyzer.observe(segment);
        }
        let other = |seconds: i64| Segment { timestamp: at(seconds * 1_000_000_000), ..of_port(&segments[0], 9) };
        analyzer.observe(&other(5));
        assert_eq!(analyzer.take_finished().len(), 0, "a last word may be repeated");
        analyzer.observe(&other(6));
        let finished = analyzer.take_finished();
        assert_eq!(finished.len(), 1);
        assert_eq!((finished[0].packets, finished[0].ending), ([5, 3], crate::outcome::Ending::Closed));
        // Retransmissions of its last segments do not begin another connection.
        for (n, late) in segments[5..].iter().enumerate() {
            analyzer.observe(&Segment { timestamp: at(7_000_000_000 + n as i64), ..*late });
        }
        analyzer.observe(&other(20));
        assert_eq!(analyzer.take_finished().len(), 0);
        // The same ends with another initial sequence number do.
        let again = Segment { timestamp: at(21_000_000_000), seq: segments[0].seq.plus(77), ..segments[0] };
        analyzer.observe(&again);
        assert_eq!(analyzer.take_finished().len(), 0, "it was given away before");
        let rest: Vec<_> = analyzer.finish().iter().map(|c| (c.id, c.first_packet)).collect();
        assert_eq!(rest, [(1, segments[0].number), (2, segments[0].number)]);
    }

    /// Missing data may still arrive, so the connection is kept for the usual time.
    #[test]
    fn a_connection_cut_off_is_not_given_away_at_once() {
        let mut segments = script(CLOSED).segments;
        segments.truncate(5);
        segments[4].flags = segments[4].flags.union(tcpwhy_model::TcpFlags::RST);
        let mut unacknowledged = segments[3];
        unacknowledged.seq = unacknowledged.seq.plus(300);
        unacknowledged.timestamp = at(30_000_000);
        let mut analyzer = Analyzer::prompt();
        segments[..4].iter().for_each(|s| analyzer.observe(s));
        segments[4].timestamp = at(40_000_000);
        analyzer.observe(&unacknowledged);
        analyzer.observe(&segments[4]);
        pass_time(&mut analyzer, &of_port(&segments[0], 9), 30);
        assert_eq!(analyzer.take_finished().len(), 0);
        pass_time(&mut analyzer, &of_port(&segments[0], 9), 90);
        assert_eq!(analyzer.take_finished().len(), 1);
    }

    /// One pair of ends that connects and resets repeatedly within no time leaves nothing behind.
    #[test]
    fn ends_that_open_and_close_again_and_again_leave_nothing() {
        let mut syn = script("0.000 > S 0:0(0)").segments[0];
        let mut analyzer = Analyzer::prompt();
        let mut finished = 0;
        for n in 0..10_000 {
            syn.seq = syn.seq.plus(n);
            analyzer.observe(&syn);
            analyzer.observe(&Segment { flags: tcpwhy_testkit::flags("R"), ..syn });
            finished += analyzer.take_finished().len();
            assert!(analyzer.open().1 < 2000, "{} bytes", analyzer.open().1);
        }
        assert_eq!(finished, 9999);
    }
}
