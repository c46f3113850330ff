//! Comparison of two captures of one connection at different places of its path: losses between them, and
//! changes of the delay between them.
//!
//! Packets are matched by the bytes that they contain: segmentation and receive offload cut the stream
//! differently at the two ends. So data is matched by position, and only data that was sent once. ACKs are
//! matched by the number that they acknowledge for the first time.
//!
//! The clocks need not agree. The offset between them is chosen so that the least delays of both directions
//! are equal, as NTP assumes too (RFC 5905 §8). Changes of a delay do not depend on that.

mod attempts;
mod opening;
mod unseen;

use std::collections::{HashMap, HashSet};

use tcpwhy_model::{Endpoint, Segment, SeqNum, TcpFlags, Timestamp};

pub use attempts::{Attempt, AttemptGroup, Attempts, Fate};
pub use opening::{BothHandshakes, SeenHandshake, SynOption, SynOptions, SynSeen};
pub use unseen::{LastPackets, Unseen};

/// Largest number of marks of all connections together; 24 bytes each, so that two captures of any size fit
/// into memory.
const MOST_MARKS: usize = 20_000_000;
/// Memory of a connection as a number of marks, including its place in the table.
const MARKS_PER_FLOW: usize = (size_of::<FlowMarks>() + size_of::<([Endpoint; 2], usize)>()).div_ceil(24);
/// Largest number of connections for which all marks are kept. If there are more, marks are kept only for
/// requested connections, and the others are only listed.
const MOST_WHOLE: usize = 20_000;
/// Positions begin here, so that data before the first captured segment has a position too.
const FIRST_POSITION: i64 = 1 << 33;

/// Packets of one connection at a capture point, with their times.
#[derive(Clone, Debug)]
pub struct FlowMarks {
    /// Client and server if the SYN was captured, otherwise in address order.
    pub ends: [Endpoint; 2],
    /// Initial sequence number of the client; `None` when the SYN was not captured.
    pub isn: Option<SeqNum>,
    /// Packet number of its first packet.
    pub first_packet: u64,
    /// Its handshake.
    pub opening: SeenHandshake,
    ways: [WayMarks; 2],
}

/// Marks of the data of one end.
#[derive(Clone, Debug, Default)]
struct WayMarks {
    last: Option<i64>,
    /// Range of positions with data: the first, and the one after the last.
    range: Option<(i64, i64)>,
    marks: Option<Box<Marks>>,
}

/// Data and ACKs, with their times.
#[derive(Clone, Debug, Default)]
struct Marks {
    /// Every segment with payload: first position, position after it, time.
    data: Vec<(i64, i64, Timestamp)>,
    /// Every ACK of this data that acknowledged more than all before.
    acks: Vec<(i64, Timestamp)>,
}

impl WayMarks {
    /// Returns the position nearest to the last one.
    fn position(&mut self, seq: SeqNum) -> i64 {
        let position = match self.last {
            None => FIRST_POSITION + i64::from(seq.0),
            Some(last) => last + i64::from(seq.distance_from(SeqNum(last as u32))),
        };
        self.last = Some(position);
        position
    }

    fn data(&self) -> &[(i64, i64, Timestamp)] {
        self.marks.as_ref().map_or(&[], |marks| &marks.data)
    }

    fn acks(&self) -> &[(i64, Timestamp)] {
        self.marks.as_ref().map_or(&[], |marks| &marks.acks)
    }

    /// Returns the payload bytes between two positions, including retransmissions.
    fn bytes_within(&self, (low, high): (i64, i64)) -> u64 {
        self.data().iter().map(|&(start, end, _)| (end.min(high) - start.max(low)).max(0).unsigned_abs()).sum()
    }

    /// Returns data that passed for the first time and is beyond all before, and stretches that passed more
    /// than once.
    fn first_and_repeated(&self) -> (Vec<(i64, i64, Timestamp)>, Stretches) {
        let (mut first, mut repeated) = (Vec::with_capacity(self.data().len()), Vec::new());
        let mut most = i64::MIN;
        for &(start, end, time) in self.data() {
            if start < most {
                repeated.push((start, end.min(most)));
            }
            if end > most {
                first.push((start.max(most), end, time));
                most = end;
            }
        }
        repeated.sort_unstable();
        (first, repeated)
    }
}

/// Collects marks of the connections of one capture.
#[derive(Debug, Default)]
pub struct MarkRecorder {
    open: HashMap<[Endpoint; 2], usize>,
    flows: Vec<FlowMarks>,
    marks: usize,
    wanted: Wanted,
}

/// The connections of which marks are kept.
#[derive(Debug, Default)]
enum Wanted {
    /// All connections, while there are few.
    #[default]
    Few,
    /// No connection, because there were too many.
    None,
    /// These connections, by the packet number of the first packet.
    These(HashSet<u64>),
}

impl MarkRecorder {
    /// Keeps marks of the connections whose first packets have these numbers, however many others there are.
    pub fn of(first_packets: HashSet<u64>) -> Self {
        Self { wanted: Wanted::These(first_packets), ..Self::default() }
    }

    /// Whether it has marks of all its connections. Otherwise it only lists them, and a recorder [`Self::of`]
    /// the interesting ones has to read the capture again.
    pub const fn is_whole(&self) -> bool {
        matches!(self.wanted, Wanted::Few)
    }

    /// Takes the next segments, in the order of the capture.
    pub fn observe_all(&mut self, batch: &[Segment]) {
        for segment in batch {
            self.observe(segment);
        }
    }

    /// Takes the next segment, in the order of the capture.
    pub fn observe(&mut self, segment: &Segment) {
        if segment.undelivered().is_some() || self.marks >= MOST_MARKS {
            return;
        }
        let (source, destination) = (segment.source, segment.destination);
        let key = if source < destination { [source, destination] } else { [destination, source] };
        let is_syn = segment.flags.contains(TcpFlags::SYN) && !segment.flags.contains(TcpFlags::ACK);
        let known = self.open.get(&key).copied();
        let is_other = |index: usize| is_syn && self.flows[index].isn != Some(segment.seq);
        let index = match known {
            Some(index) if !is_other(index) => index,
            _ => {
                let (ends, isn) = if is_syn { ([source, destination], Some(segment.seq)) } else { (key, None) };
                self.marks += MARKS_PER_FLOW;
                let opening = SeenHandshake::default();
                self.flows.push(FlowMarks {
                    ends,
                    isn,
                    first_packet: segment.number,
                    opening,
                    ways: Default::default(),
                });
                self.open.insert(key, self.flows.len() - 1);
                if self.flows.len() > MOST_WHOLE && self.is_whole() {
                    self.wanted = Wanted::None;
                    self.flows.iter_mut().flat_map(|flow| &mut flow.ways).for_each(|way| way.marks = None);
                    self.marks = self.flows.len() * MARKS_PER_FLOW;
                }
                self.flows.len() - 1
            }
        };
        let flow = &mut self.flows[index];
        let is_wanted = match &self.wanted {
            Wanted::Few => true,
            Wanted::None => false,
            Wanted::These(wanted) => wanted.contains(&flow.first_packet),
        };
        let side = usize::from(flow.ends[1] == source);
        if flow.isn.is_some() && !flow.opening.is_acknowledged {
            flow.opening.note(segment, side);
        }
        if segment.payload_len > 0 {
            let way = &mut flow.ways[side];
            let start = way.position(segment.seq) + i64::from(segment.flags.contains(TcpFlags::SYN));
            let end = start + i64::from(segment.payload_len);
            way.range = Some(way.range.map_or((start, end), |(first, last)| (first.min(start), last.max(end))));
            if is_wanted {
                way.marks.get_or_insert_default().data.push((start, end, segment.timestamp));
                self.marks += 1;
            }
        }
        if segment.flags.contains(TcpFlags::ACK) && !segment.flags.contains(TcpFlags::RST) {
            let way = &mut flow.ways[1 - side];
            let position = way.position(segment.ack);
            if is_wanted && way.acks().last().is_none_or(|last| position > last.0) {
                way.marks.get_or_insert_default().acks.push((position, segment.timestamp));
                self.marks += 1;
            }
        }
    }

    /// Whether the limit of marks was reached, so that later packets are missing.
    pub const fn is_full(&self) -> bool {
        self.marks >= MOST_MARKS
    }

    /// Returns the connections, in order of their first packets.
    pub fn finish(mut self) -> Vec<FlowMarks> {
        self.flows.shrink_to_fit();
        self.flows
    }
}

/// Stretches from one position to another.
type Stretches = Vec<(i64, i64)>;

/// Change of the delay between two capture points, for packets of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayChange {
    /// Number of packets that were compared.
    pub samples: u64,
    /// Median of the delay above the least one, nanoseconds.
    pub median: i64,
    /// 95 % quantile of the delay above the least one, nanoseconds.
    pub p95: i64,
    /// Maximum of the delay above the least one, nanoseconds.
    pub max: i64,
    /// Time of the maximum, on the clock of the first capture.
    pub max_at: Timestamp,
}

/// Data of one direction between the two capture points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Payload bytes, including retransmissions, that passed the capture point nearer to their sender. Only
    /// data that passed both points counts.
    pub sent: u64,
    /// The same at the other capture point.
    pub arrived: u64,
    /// Change of the delay; `None` if no packet could be matched.
    pub delay: Option<DelayChange>,
}

/// One connection in two captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Index of the end that the first capture is nearer to (0: client, or first in order).
    pub first_near: usize,
    /// Least time from one point to the other and back, nanoseconds. It does not depend on the clocks.
    pub round_trip: i64,
    /// Offset of the second clock ahead of the first, nanoseconds, if the least delays of both directions are
    /// equal.
    pub clock_offset: i64,
    /// Data of each end.
    pub ways: [Way; 2],
}

impl FlowMarks {
    /// Whether `other`, from another capture, is the same connection. The initial sequence number and the
    /// server's port decide, because addresses may be translated on the path. If a SYN is missing, the ends
    /// and the common sequence numbers decide.
    pub fn is_same(&self, other: &Self) -> bool {
        if let (Some(a), Some(b)) = (self.isn, other.isn) {
            return a == b && self.ends[1].port == other.ends[1].port;
        }
        let is_swapped = self.ends == [other.ends[1], other.ends[0]];
        let overlaps = |side: usize| {
            let (a, b) = (self.ways[side].range, other.ways[side ^ usize::from(is_swapped)].range);
            a.zip(b).is_some_and(|(a, b)| a.0 < b.1 && b.0 < a.1)
        };
        (is_swapped || self.ends == other.ends) && (overlaps(0) || overlaps(1))
    }

    /// Returns 1 if the ends of `other` are in the opposite order, otherwise 0.
    fn swapped(&self, other: &Self) -> usize {
        usize::from(self.isn.is_none() || other.isn.is_none()) & usize::from(self.ends != other.ends)
    }

    /// Returns the handshake in both captures; `None` unless both have its SYN.
    pub fn openings(&self, other: &Self) -> Option<BothHandshakes> {
        (self.isn.is_some() && other.isn.is_some()).then_some(BothHandshakes([self.opening, other.opening]))
    }

    /// Returns the comparison of this capture with `other`. `None` if too little passed in both directions to
    /// show which capture is nearer to which end, or if both were made at one place.
    pub fn crossing(&self, other: &Self) -> Option<Crossing> {
        let swap = self.swapped(other);
        let mut deltas = [Vec::new(), Vec::new()];
        for side in 0..2 {
            let (a, b) = (&self.ways[side], &other.ways[side ^ swap]);
            deltas[side].extend(data_deltas(a, b));
            // The ACKs of an end's data come from the other end.
            deltas[1 - side].extend(ack_deltas(a, b));
        }
        let least = |side: usize| deltas[side].iter().map(|d| d.1).min();
        let most = |side: usize| deltas[side].iter().map(|d| d.1).max();
        // Whatever the clocks show, a packet from the first to the second point passes the first one earlier,
        // and vice versa.
        let there_and_back = |from: usize| Some(least(from)?.saturating_sub(most(1 - from)?));
        let first_near = (0..2).find(|&side| there_and_back(side).is_some_and(|nanos| nanos > 0))?;
        let (there, back) = (least(first_near)?, most(1 - first_near)?);
        let ways = [0, 1].map(|side| {
            let (a, b) = (&self.ways[side], &other.ways[side ^ swap]);
            let both = a.range.zip(b.range).map(|(a, b)| (a.0.max(b.0), a.1.min(b.1)));
            let (near, far) = if side == first_near { (a, b) } else { (b, a) };
            let passed = |marks: &WayMarks| both.map_or(0, |range| marks.bytes_within(range));
            let above: Vec<_> = deltas[side]
                .iter()
                .map(|&(time, delta)| {
                    let above =
                        if side == first_near { delta.saturating_sub(there) } else { back.saturating_sub(delta) };
                    (above, time)
                })
                .collect();
            Way { sent: passed(near), arrived: passed(far), delay: change(above) }
        });
        Some(Crossing {
            first_near,
            round_trip: there.saturating_sub(back),
            clock_offset: i64::midpoint(there, back),
            ways,
        })
    }
}

/// Returns the time at `b` minus the time at `a` of data that each captured once, with the time at `a`.
fn data_deltas(a: &WayMarks, b: &WayMarks) -> Vec<(Timestamp, i64)> {
    let (first_a, repeated_a) = a.first_and_repeated();
    let (first_b, repeated_b) = b.first_and_repeated();
    let Some((begin, _)) = a.range else { return Vec::new() };
    first_b
        .into_iter()
        .filter(|&(_, end, _)| end > begin && !is_within(&repeated_a, end - 1) && !is_within(&repeated_b, end - 1))
        .filter_map(|(_, end, time)| {
            // The segment with its last byte; there is none if the first capture misses it.
            let &(start, _, at_a) = first_a.get(first_a.partition_point(|mark| mark.1 < end))?;
            (start < end).then(|| (at_a, time.since(at_a)))
        })
        .collect()
}

/// Returns the same for ACKs that both captured.
fn ack_deltas(a: &WayMarks, b: &WayMarks) -> Vec<(Timestamp, i64)> {
    let found = |&(position, time): &(i64, Timestamp)| {
        let index = a.acks().binary_search_by_key(&position, |mark| mark.0).ok()?;
        let at_a = a.acks()[index].1;
        Some((at_a, time.since(at_a)))
    };
    // The first ones may have been sent before one of the captures began.
    b.acks().iter().skip(1).filter_map(found).collect()
}

/// Whether `position` is in one of `stretches`, which are sorted.
fn is_within(stretches: &[(i64, i64)], position: i64) -> bool {
    let before = &stretches[..stretches.partition_point(|s| s.0 <= position)];
    // Retransmissions may be nested, and a few before the last are enough to check.
    before.iter().rev().take(64).any(|s| s.1 > position)
}

fn change(mut above: Vec<(i64, Timestamp)>) -> Option<DelayChange> {
    let (max, max_at) = above.iter().copied().max()?;
    above.sort_unstable();
    let at = |share: f64| above[((above.len() - 1) as f64 * share) as usize].0;
    Some(DelayChange { samples: above.len() as u64, median: at(0.5), p95: at(0.95), max, max_at })
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use tcpwhy_model::{IpHeader, TcpOptions, WindowField};

    use super::*;

    const MS: i64 = 1_000_000;

    fn end(host: u8, port: u16) -> Endpoint {
        Endpoint { address: [10, 0, 0, host].into(), port }
    }

    /// A segment that passes at `millis`: from the client or from the server.
    fn segment(millis: f64, is_client: bool, flags: u16, seq: u32, ack: u32, len: u32) -> Segment {
        let (client, server) = (end(1, 40_000), end(2, 80));
        let (source, destination) = if is_client { (client, server) } else { (server, client) };
        let time = Timestamp::from_nanos((millis * MS as f64) as i64);
        Segment {
            number: 1,
            timestamp: time,
            source,
            destination,
            seq: SeqNum(seq),
            ack: SeqNum(ack),
            flags: TcpFlags(flags),
            window: WindowField(0),
            payload_len: len,
            options: TcpOptions::default(),
            ip: IpHeader::default(),
        }
    }

    fn marks(segments: &[Segment]) -> FlowMarks {
        let mut recorder = MarkRecorder::default();
        for segment in segments {
            recorder.observe(segment);
        }
        recorder.finish().remove(0)
    }

    const SYN: u16 = 0x02;
    const ACK: u16 = 0x10;

    /// A download of 6,000 bytes over 10 ms in each direction. One capture is at the server, whose offload
    /// makes segments of 2,000 bytes. The other is at the client, whose clock is `ahead` and which captures
    /// segments of 1,000 bytes. The fourth thousand is lost once; the fifth and sixth take 3 ms longer.
    fn both_ends(ahead: f64) -> [FlowMarks; 2] {
        let isn = u32::MAX - 2500;
        let server = [
            segment(10.0, true, SYN, 7, 0, 0),
            segment(10.1, false, SYN | ACK, isn, 8, 0),
            segment(30.0, true, ACK, 8, isn.wrapping_add(1), 0),
            segment(31.0, false, ACK, isn.wrapping_add(1), 8, 2000),
            segment(32.0, false, ACK, isn.wrapping_add(2001), 8, 2000),
            segment(40.0, false, ACK, isn.wrapping_add(4001), 8, 2000),
            segment(51.5, true, ACK, 8, isn.wrapping_add(2001), 0),
            segment(52.5, true, ACK, 8, isn.wrapping_add(3001), 0),
            segment(60.0, false, ACK, isn.wrapping_add(3001), 8, 1000),
            segment(80.0, true, ACK, 8, isn.wrapping_add(6001), 0),
        ];
        let at = |millis: f64| millis + ahead;
        let client = [
            segment(at(0.0), true, SYN, 7, 0, 0),
            segment(at(20.1), false, SYN | ACK, isn, 8, 0),
            segment(at(20.1), true, ACK, 8, isn.wrapping_add(1), 0),
            segment(at(41.0), false, ACK, isn.wrapping_add(1), 8, 1000),
            segment(at(41.0), false, ACK, isn.wrapping_add(1001), 8, 1000),
            segment(at(41.5), true, ACK, 8, isn.wrapping_add(2001), 0),
            segment(at(42.0), false, ACK, isn.wrapping_add(2001), 8, 1000),
            segment(at(42.5), true, ACK, 8, isn.wrapping_add(3001), 0),
            segment(at(53.0), false, ACK, isn.wrapping_add(4001), 8, 1000),
            segment(at(53.0), false, ACK, isn.wrapping_add(5001), 8, 1000),
            segment(at(70.0), false, ACK, isn.wrapping_add(3001), 8, 1000),
            segment(at(70.0), true, ACK, 8, isn.wrapping_add(6001), 0),
        ];
        [marks(&server), marks(&client)]
    }

    #[test]
    fn two_ends_say_what_was_lost_and_what_waited() {
        for ahead in [0.0, 5000.0, -250.0] {
            let [server, client] = both_ends(ahead);
            assert!(server.is_same(&client));
            let crossing = server.crossing(&client).unwrap();
            assert_eq!((crossing.first_near, crossing.round_trip), (1, 20 * MS), "{ahead}");
            assert_eq!(crossing.clock_offset, (ahead * MS as f64) as i64);
            let down = crossing.ways[1];
            assert_eq!((down.sent, down.arrived), (7000, 6000));
            let delay = down.delay.unwrap();
            assert_eq!((delay.max, delay.max_at), (3 * MS, Timestamp::from_nanos(40 * MS)));
            assert_eq!(crossing.ways[0].delay.unwrap().max, 0);
            assert_eq!((crossing.ways[0].sent, crossing.ways[0].arrived), (0, 0));
            // In the opposite order the result is the same, and the clock is behind.
            let reversed = client.crossing(&server).unwrap();
            assert_eq!((reversed.first_near, reversed.clock_offset), (0, -crossing.clock_offset));
            assert_eq!((reversed.ways[1].sent, reversed.ways[1].arrived), (7000, 6000));
        }
    }

    /// A capture that misses packets shows nothing about them, and its other results stay.
    #[test]
    fn what_a_capture_misses_moves_no_clock() {
        let isn = 1000;
        let at_server = |missing: Option<usize>| {
            let mut all = vec![segment(0.0, true, SYN, 7, 0, 0), segment(0.1, false, SYN | ACK, isn, 8, 0)];
            let data = (0..40).map(|i| segment(20.0 + f64::from(i) * 5.0, false, ACK, isn + 1 + i * 1000, 8, 1000));
            all.extend(
                data.enumerate().filter(|(i, _)| missing.is_none_or(|m| !(m..m + 10).contains(i))).map(|(_, s)| s),
            );
            all.extend((0..40).map(|i| segment(40.0 + f64::from(i) * 5.0, true, ACK, 8, isn + 1001 + i * 1000, 0)));
            marks(&all)
        };
        let mut at_client = vec![segment(-10.0, true, SYN, 7, 0, 0), segment(10.1, false, SYN | ACK, isn, 8, 0)];
        at_client.extend((0..40).map(|i| segment(30.0 + f64::from(i) * 5.0, false, ACK, isn + 1 + i * 1000, 8, 1000)));
        at_client.extend((0..40).map(|i| segment(30.0 + f64::from(i) * 5.0, true, ACK, 8, isn + 1001 + i * 1000, 0)));
        let client = marks(&at_client);
        let whole = at_server(None).crossing(&client).unwrap();
        assert_eq!((whole.round_trip, whole.clock_offset), (20 * MS, 0));
        for missing in [0, 5, 20, 30] {
            let cut = at_server(Some(missing)).crossing(&client).unwrap();
            assert_eq!((cut.round_trip, cut.clock_offset), (20 * MS, 0), "{missing}");
            assert_eq!(cut.ways[1].delay.unwrap().max, 0, "{missing}");
        }
    }

    /// Times of a damaged file.
    #[test]
    fn times_at_the_ends_of_all_times_are_no_harm() {
        let at = |nanos: i64, s: Segment| Segment { timestamp: Timestamp::from_nanos(nanos), ..s };
        let data = |i: u32| segment(0.0, false, ACK, 1000 + i * 1000, 8, 1000);
        let ack = |i: u32| segment(0.0, true, ACK, 8, 2000 + i * 1000, 0);
        let flow = |times: [i64; 4]| {
            marks(&[at(times[0], data(0)), at(times[1], ack(0)), at(times[2], data(1)), at(times[3], ack(1))])
        };
        let ends = [i64::MIN, -1, 0, i64::MAX];
        for shift in 0..4 {
            let other = std::array::from_fn(|i| ends[(i + shift) % 4]);
            let _ = flow(ends).crossing(&flow(other));
        }
    }

    #[test]
    fn one_place_is_no_two_ends() {
        let [server, _] = both_ends(0.0);
        assert_eq!(server.crossing(&server.clone()), None);
    }

    #[test]
    fn other_connections_are_not_the_same() {
        let [server, _] = both_ends(0.0);
        let other = marks(&[segment(0.0, true, SYN, 99, 0, 0)]);
        assert!(!server.is_same(&other));
        // Without a SYN, the ends and the sequence numbers decide.
        let middle = marks(&[segment(0.0, false, ACK, u32::MAX - 1000, 8, 1000)]);
        assert!(server.is_same(&middle) && middle.is_same(&server));
        let far = marks(&[segment(0.0, false, ACK, 1_000_000_000, 8, 1000)]);
        assert!(!server.is_same(&far));
    }
}
