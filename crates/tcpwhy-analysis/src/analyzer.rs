//! The fold: segments in, connections out.

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
    /// Places of the connections by the hash of their ends.
    table: HashTable<usize>,
    /// The open connections; `None` where one was finished and the place may be taken again.
    places: Vec<Option<Place>>,
    free: Vec<usize>,
    /// The connection of the last segment: the next is often its neighbour.
    last: Option<usize>,
    next_id: u64,
    finished: Vec<Connection>,
    /// Time of the segments that it takes one by one, or of all where connections are given away at once.
    clock: CaptureClock,
    /// A time that the capture has surely reached, nanoseconds; `None` as long as no time is sure.
    now: Option<i64>,
    /// That time has moved since the last sweep.
    is_sweep_due: bool,
    /// Segments since the last sweep.
    unswept: usize,
    /// Connections that sweeps looked at.
    #[cfg(test)]
    swept: usize,
    /// Connections that both ends have closed, in the order in which they did; `None` if nobody waits for
    /// them.
    closed: Option<VecDeque<Closed>>,
    /// Every exchange is kept, not only the slowest of each connection.
    keeps_exchanges: bool,
}

/// A connection that an [`Analyzer`] has given away.
#[derive(Debug)]
pub struct OpenConnection(Tracked);

impl OpenConnection {
    /// Nothing more belongs to it: what it came to; `None` if that was said before.
    pub fn finish(self) -> Option<Connection> {
        self.0.finish()
    }
}

/// An open connection.
#[derive(Debug)]
struct Place {
    hash: FlowHash,
    connection: Tracked,
    /// [`Analyzer::now`] when its last packet passed.
    seen: Option<i64>,
}

impl Place {
    /// Whether the connection has been silent for long when the capture has surely reached `now`.
    ///
    /// Two times must show that. The connection's own time is far behind where the clock has stepped back.
    /// The capture's time at its last packet is behind as long as a newer time is not sure.
    fn is_over(&self, now: Option<i64>) -> bool {
        let Some(now) = now else { return false };
        let outline = self.connection.outline();
        let since_seen = self.seen.map_or(i64::MAX, |seen| now.saturating_sub(seen));
        outline.ends_after(since_seen.min(outline.silence(now)))
    }

    /// Who sent the segment, if it is of this connection's ends.
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
    /// When its last packet passed, as far as was known.
    last: i64,
}

impl Analyzer {
    /// A sweep looks at every connection: one for so many of them must have come before, or a clock that
    /// leaps would make every packet pay for all connections.
    const SWEPT_PER_SEGMENT: usize = 4;

    /// While it holds fewer connections than this, each new one is followed in full from its first packet:
    /// some 15 MB of memory at most, and no packet is kept and looked at twice. One that comes in the place
    /// of another, between the same ends, is kept small while it is short, however few there are: ends that
    /// open again and again do so for a few packets.
    const FEW: usize = 1024;

    /// Nothing seen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives connections away as soon as both ends are done and everything is acknowledged: after 5 s of
    /// silence. What comes later (repeats of the last words) is no other connection, but not counted any
    /// more.
    #[must_use]
    pub fn prompt() -> Self {
        Self { closed: Some(VecDeque::new()), ..Self::default() }
    }

    /// The same, with every exchange kept, not only the slowest of each connection: memory grows with them.
    #[must_use]
    pub fn with_all_exchanges(self) -> Self {
        Self { keeps_exchanges: true, ..self }
    }

    /// The same, with flows hashed by `hasher`.
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

    /// The capture has surely reached `now`: connections that have been silent for long by then are over.
    fn advance(&mut self, now: i64) {
        if now == i64::MIN || self.now.is_some_and(|before| now <= before) {
            return;
        }
        self.now = Some(now);
        self.is_sweep_due = true;
    }

    /// An ICMP error quotes a segment of a connection that is open, or of none that matters.
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

    /// As [`Self::observe`], of segments whose flows are hashed already, by the same hasher as all others,
    /// from a capture that had reached `now` before the first of them ([`CaptureClock::now`], nanoseconds).
    /// Where those of one connection come after each other, it is looked for once.
    pub fn observe_hashed<'a>(&mut self, now: i64, segments: impl IntoIterator<Item = (FlowHash, &'a Segment)>) {
        self.advance(now);
        let mut segments = segments.into_iter();
        let mut next = segments.next();
        while let Some((hash, segment)) = next {
            self.observe_one(hash, segment);
            next = self.observe_neighbours(hash, &mut segments);
        }
    }

    /// Takes what follows of the connection that had the last segment; the first that is of another, or
    /// changes more than that connection.
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
        // Whether the sweep has run must not matter.
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

    /// The connection in `place` was closed just now.
    fn note_closed(&mut self, place: usize) {
        let (Some(closed), Some(Place { connection, .. })) = (&mut self.closed, &self.places[place]) else { return };
        let outline = connection.outline();
        closed.push_back(Closed { place, id: outline.id(), last: outline.last() });
        if closed.len() > 2 * self.table.len() {
            // Ends that close and open again and again leave many that are no more.
            let places = &self.places;
            closed.retain(|c| places[c.place].as_ref().is_some_and(|p| p.connection.outline().id() == c.id));
        }
    }

    /// How many connections were seen so far.
    pub const fn seen(&self) -> u64 {
        self.next_id
    }

    /// Connections that ended so far, in no particular order.
    pub fn take_finished(&mut self) -> Vec<Connection> {
        std::mem::take(&mut self.finished)
    }

    /// Has [`Self::take_open`] give connections away in order of their first packet.
    pub fn sort_open(&mut self) {
        self.last = None;
        self.table = HashTable::new();
        self.places.sort_unstable_by_key(|p| Reverse(p.as_ref().map(|p| p.connection.outline().id())));
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
            open.extend(place.map(|p| OpenConnection(p.connection)));
        }
        open
    }

    /// Connections that it holds, and the bytes of memory that they take.
    #[doc(hidden)]
    pub fn open(&self) -> (usize, usize) {
        let table = self.table.capacity() * size_of::<usize>() + self.places.capacity() * size_of::<Option<Place>>();
        let closed = self.closed.as_ref().map_or(0, |c| c.capacity() * size_of::<Closed>());
        let open = self.places.iter().flatten();
        open.fold((0, table + closed), |(count, bytes), place| (count + 1, bytes + place.connection.heap()))
    }

    /// All connections that were not taken yet, in order of first packet.
    pub fn finish(mut self) -> Vec<Connection> {
        let mut all = self.finished;
        all.extend(self.places.drain(..).flatten().filter_map(|p| p.connection.finish()));
        all.sort_by_key(|c| c.id);
        all
    }

    /// Where the connection is that `segment` belongs to, a new one if need be, and which of its ends sent
    /// it.
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

    /// How a new connection is followed.
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
        // The table's order is that of hashes, whose key is another every time.
        finished[before..].sort_unstable_by_key(|c| c.id);
    }

    /// Finishes connections that were closed and stayed silent since.
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
                // Somebody still had something to say.
                closed.push_back(Closed { last: outline.last(), ..first });
            } else {
                // Where something is missing, the sweep finishes it: it may still come.
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

    /// Another connection has packets at this second, so many that its time is sure.
    fn pass_time(analyzer: &mut Analyzer, segment: &Segment, second: i64) {
        for _ in 0..2 * CaptureClock::CHECKED {
            analyzer.observe(&Segment { timestamp: at(second * 1_000_000_000), ..*segment });
        }
    }

    /// One packet of a wrong time, among others or in a connection of its own.
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

    /// Two captures in one file, the earlier one behind the other.
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

    /// What follows a long rest has another time before that is sure.
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

    /// A damaged capture may hold any time.
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

    /// What a sweep finishes comes in order, whatever the hashes are.
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

    /// A clock that leaps lets no packet pay for all connections.
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
        // And yet what is over goes.
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
        // Its last words come again: they are no other connection.
        for (n, late) in segments[5..].iter().enumerate() {
            analyzer.observe(&Segment { timestamp: at(7_000_000_000 + n as i64), ..*late });
        }
        analyzer.observe(&other(20));
        assert_eq!(analyzer.take_finished().len(), 0);
        // The same ends again, with another initial sequence number, are.
        let again = Segment { timestamp: at(21_000_000_000), seq: segments[0].seq.plus(77), ..segments[0] };
        analyzer.observe(&again);
        assert_eq!(analyzer.take_finished().len(), 0, "it was given away before");
        let rest: Vec<_> = analyzer.finish().iter().map(|c| (c.id, c.first_packet)).collect();
        assert_eq!(rest, [(1, segments[0].number), (2, segments[0].number)]);
    }

    /// With something missing, what was sent may still come: it is waited for as ever.
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

    /// One pair of ends, opened and reset again and again within no time: nothing is kept of those that are
    /// no more.
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
