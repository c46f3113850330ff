//! Restores the order in which packets of a connection passed, if the capture wrote some a little late.
//!
//! Arriving and leaving packets often reach a capture on two paths: queues of a network card, processors, or
//! threads of the capturing program. The file then has an ACK after the data that it released, but with an
//! earlier time. In the order of the file, nothing released that data, so it would look like an application's
//! own pace.

use std::collections::VecDeque;

use tcpwhy_analysis::CaptureClock;
use tcpwhy_model::{Segment, SeqNum, Timestamp};

/// Largest correction, nanoseconds. A larger step back is a step of the clock, so the time at which packets
/// passed is unknown.
const MOST_NANOS: i64 = 1_000_000;
/// Most packets in between, which many other connections may have written.
const MOST_PACKETS: usize = 128;

/// Moves packets that were written late before the later ones of their connection, as far as their times are
/// plausible. Each direction keeps its order, and no ACK precedes the data that it acknowledges. The first
/// packet of a connection stays first, because it identifies the connection.
///
/// The result depends only on the packets and their order, not on how they are read. So packets that a later
/// one may still overtake are held back.
#[derive(Debug)]
pub(crate) struct Order {
    /// The last packets that were returned, at most [`MOST_PACKETS`].
    history: Vec<Segment>,
    /// Packets that are held back.
    waiting: Vec<Segment>,
    /// How many of these no packet can overtake any more.
    settled: usize,
    /// Whether the input has ended.
    is_over: bool,
    /// Time of the latest packet since the clock last stepped back.
    latest: Timestamp,
    /// Index of that step among the packets held back. No packet overtakes those before it.
    step: usize,
    clock: CaptureClock,
    /// Indexes among the packets held back at which [`CaptureClock::now`] changes, with the new values.
    moves: VecDeque<(usize, i64)>,
    /// The capture's time at the next packet that is returned, nanoseconds.
    now: i64,
}

impl Default for Order {
    fn default() -> Self {
        let clock = CaptureClock::default();
        Self {
            history: Vec::new(),
            waiting: Vec::new(),
            settled: 0,
            is_over: false,
            latest: Timestamp::from_nanos(i64::MIN),
            step: 0,
            now: clock.now(),
            clock,
            moves: VecDeque::new(),
        }
    }
}

/// Information about a returned batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// A time that the capture had certainly reached before the first of these packets, nanoseconds
    /// ([`CaptureClock::now`]).
    pub(crate) now: i64,
    /// Whether there may be more packets.
    pub(crate) has_more: bool,
}

impl Order {
    /// Fills `out`, which is empty, with about `max` next packets in order. `read` appends up to the
    /// requested number of packets, and returns false at the end of the input.
    pub(crate) fn next(
        &mut self,
        out: &mut Vec<Segment>,
        max: usize,
        read: impl FnOnce(&mut Vec<Segment>, usize) -> bool,
    ) -> Given {
        out.append(&mut self.waiting);
        if self.settled == 0 && !self.is_over {
            let known = out.len();
            self.is_over = !read(out, max.saturating_sub(known).max(1));
            self.arrange(out, known);
            self.settled = if self.is_over { out.len() } else { self.count_settled(out) };
        }
        let now = self.now;
        let mut given = self.settled;
        if let Some(&(place, moved)) = self.moves.front()
            && place <= given
        {
            self.moves.pop_front();
            given = place;
            self.now = moved;
        }
        self.waiting.extend_from_slice(&out[given..]);
        out.truncate(given);
        self.remember(out);
        self.settled -= given;
        self.step = self.step.saturating_sub(given);
        self.moves.iter_mut().for_each(|(place, _)| *place -= given);
        Given { now, has_more: !self.is_over || !self.waiting.is_empty() }
    }

    /// Moves the packets from index `new` on, which were read last, to their places.
    fn arrange(&mut self, segments: &mut [Segment], new: usize) {
        for place in new..segments.len() {
            let time = segments[place].timestamp;
            if self.clock.pass(time.as_nanos()) {
                self.moves.push_back((place + 1, self.clock.now()));
            }
            if time >= self.latest {
                self.latest = time;
            } else if self.latest.since(time) > MOST_NANOS {
                self.latest = time;
                self.step = place;
            } else {
                self.bring_forward(segments, place);
            }
        }
    }

    /// Number of packets at the start of `segments` that no packet can overtake any more.
    fn count_settled(&self, segments: &[Segment]) -> usize {
        let first = segments.len().saturating_sub(MOST_PACKETS).max(self.step);
        let may_be_overtaken = |segment: &Segment| self.latest.since(segment.timestamp) <= MOST_NANOS;
        let last = segments.get(first..).unwrap_or_default();
        first + last.iter().position(may_be_overtaken).unwrap_or(last.len())
    }

    /// Moves the packet at `place` before the packets of its connection that passed later. Other packets keep
    /// their places.
    #[cold]
    fn bring_forward(&self, segments: &mut [Segment], place: usize) {
        let late = segments[place];
        // Indexes of the packets that it overtakes, last first, and whether a packet of its connection
        // precedes them.
        let mut overtaken = Vec::new();
        let mut has_earlier = false;
        for earlier in (place.saturating_sub(MOST_PACKETS)..place).rev() {
            let other = &segments[earlier];
            if is_of_one_connection(other, &late) {
                if earlier < self.step || !overtakes(&late, other) {
                    has_earlier = true;
                    break;
                }
                overtaken.push(earlier);
            }
        }
        // Returned packets cannot be overtaken, but they show that the connection has begun.
        let mut before = self.history.iter().rev().take(MOST_PACKETS.saturating_sub(place));
        if !has_earlier && !before.any(|other| is_of_one_connection(other, &late)) {
            return;
        }
        let mut free = place;
        for earlier in overtaken {
            segments[free] = segments[earlier];
            free = earlier;
        }
        segments[free] = late;
    }

    /// Remembers the last packets that are returned.
    fn remember(&mut self, given: &[Segment]) {
        let last = &given[given.len().saturating_sub(MOST_PACKETS)..];
        let kept = MOST_PACKETS - last.len();
        self.history.drain(..self.history.len().saturating_sub(kept));
        self.history.extend_from_slice(last);
    }
}

fn is_of_one_connection(a: &Segment, b: &Segment) -> bool {
    let is_same = |x: &Segment, y: &Segment| x.source == y.source && x.destination == y.destination;
    is_same(a, b) || a.source == b.destination && a.destination == b.source
}

/// Whether `late` passed before `other`, which the capture wrote first.
fn overtakes(late: &Segment, other: &Segment) -> bool {
    let back = other.timestamp.since(late.timestamp);
    let is_of_other_direction = late.source == other.destination;
    // Whether `late` acknowledges data of `other`.
    let is_beyond = |seq: SeqNum| seq.distance_from(other.seq) > 0;
    let is_answer = other.sequence_len() > 0
        && (is_beyond(late.ack) || late.options.sack.as_slice().iter().any(|&(_, end)| is_beyond(end)));
    is_of_other_direction
        && (1..=MOST_NANOS).contains(&back)
        && !is_answer
        && [late, other].iter().all(|s| s.undelivered().is_none())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tcpwhy_testkit::script;

    use super::*;

    /// Packets as the capture wrote them, with these timestamps in microseconds.
    fn captured(packets: &[(i64, &str)]) -> Vec<Segment> {
        let lines = packets.iter().enumerate().map(|(i, (_, packet))| format!("0.{i:03} {packet}\n"));
        let mut segments = script(&lines.collect::<String>()).segments;
        for (segment, (micros, _)) in segments.iter_mut().zip(packets) {
            segment.timestamp = Timestamp::from_nanos(micros * 1000);
        }
        segments
    }

    /// Numbers of `packets` in the restored order; the connection began long before.
    fn order(packets: &[(i64, &str)]) -> Vec<u64> {
        let segments = captured(&[&[(-9_000, "> . 1:1(0) ack 1")], packets].concat());
        numbers(&segments).into_iter().skip(1).map(|number| number - 1).collect()
    }

    /// Numbers of `segments` in the restored order, which does not depend on the sizes of the pieces read.
    fn numbers(segments: &[Segment]) -> Vec<u64> {
        let at_once = taken(segments, &[usize::MAX]);
        for pauses in [&[1][..], &[2], &[3, 1], &[100]] {
            assert_eq!(taken(segments, pauses), at_once, "read in pieces of {pauses:?}");
        }
        at_once.into_iter().map(|(number, _)| number).collect()
    }

    /// Numbers of `segments` in the restored order, each with the capture's time before it. They are read in
    /// pieces of these lengths, repeatedly.
    fn taken(segments: &[Segment], pieces: &[usize]) -> Vec<(u64, i64)> {
        let (mut order, mut unread, mut all, mut out) = (Order::default(), segments, Vec::new(), Vec::new());
        let mut pieces = pieces.iter().cycle();
        loop {
            out.clear();
            let Given { now, has_more } = order.next(&mut out, 1000, |out, max| {
                let (piece, rest) = unread.split_at(unread.len().min(max).min(*pieces.next().unwrap()));
                out.extend_from_slice(piece);
                unread = rest;
                !unread.is_empty()
            });
            all.extend(out.iter().map(|segment| (segment.number, now)));
            if !has_more {
                return all;
            }
        }
    }

    #[test]
    fn an_ack_comes_before_the_data_that_it_let_go() {
        let late = |first_ack| {
            order(&[
                (0, "> . 1:1001(1000) ack 1"),
                (100_020, "> . 1001:2001(1000) ack 1"),
                (100_040, "> . 2001:3001(1000) ack 1"),
                (first_ack, "< . 1:1(0) ack 1001"),
                (100_010, "< . 1:1(0) ack 1001"),
                (100_060, "> . 3001:4001(1000) ack 1"),
            ])
        };
        assert_eq!(late(100_000), [1, 4, 5, 2, 3, 6]);
        // The second late packet stays after the first, which the same direction sent before it.
        assert_eq!(late(100_030), [1, 2, 4, 5, 3, 6]);
    }

    #[test]
    fn nothing_is_acknowledged_before_it_was_there() {
        let answered =
            |answer| order(&[(120, "> . 1:1001(1000) ack 1"), (140, "> . 1001:2001(1000) ack 1"), (100, answer)]);
        // The time of the ACK must be wrong, whatever its value.
        assert_eq!(answered("< . 1:1(0) ack 1001"), [1, 3, 2]);
        assert_eq!(answered("< . 1:1(0) ack 1 <sack 1001:2001>"), [1, 2, 3]);
        assert_eq!(answered("< . 1:1(0) ack 1"), [3, 1, 2]);
    }

    #[test]
    fn each_direction_stays_in_its_order_and_steps_of_the_clock_stay() {
        assert_eq!(order(&[(20, "> . 1001:2001(1000) ack 1"), (0, "> . 1:1001(1000) ack 1")]), [1, 2]);
        assert_eq!(order(&[(2_000, "> . 1:1001(1000) ack 1"), (0, "< . 1:1(0) ack 1")]), [1, 2]);
        assert_eq!(order(&[(900, "> . 1:1001(1000) ack 1"), (0, "< . 1:1(0) ack 1")]), [2, 1]);
    }

    #[test]
    fn connections_begin_as_they_did_and_others_keep_their_places() {
        let with_another = |packets: &[(i64, &str)]| {
            let mut segments = captured(packets);
            let mut other = segments[0];
            (other.number, other.source.port) = (99, 9);
            segments.insert(segments.len() - 1, other);
            numbers(&segments)
        };
        let late = [(20, "> . 1:1001(1000) ack 1"), (0, "< . 1:1(0) ack 1")];
        assert_eq!(with_another(&late), [1, 99, 2]);
        assert_eq!(with_another(&[&[(-5, "> . 1:1(0) ack 1")], &late[..]].concat()), [1, 3, 99, 2]);
    }

    /// The times at which packets before a step back passed are unknown, so no packet overtakes them.
    #[test]
    fn what_was_written_before_a_step_back_is_not_overtaken() {
        let packets =
            [(5_000, "> . 1:1001(1000) ack 1"), (0, "> . 1001:2001(1000) ack 1"), (4_900, "> . 2001:3001(1000) ack 1")];
        let late = (4_500, "< . 1:1(0) ack 1");
        assert_eq!(order(&[&packets[..], &[late]].concat()), [1, 2, 4, 3]);
    }

    proptest! {
        /// Packets of many connections are late by different times, and the clock steps. The order, and the
        /// capture's time at each packet, do not depend on the sizes of the pieces read.
        #[test]
        fn pauses_change_nothing(
            steps in prop::collection::vec((0..6_u8, -1_200_000..1_200_000_i64, 0..4_u16, any::<bool>()), 1..3000),
            pieces in prop::collection::vec(1..700_usize, 1..5),
        ) {
            let one = script("0.000 > . 1:1(0) ack 1").segments[0];
            let mut time = 0;
            let segments: Vec<Segment> = steps.into_iter().zip(1..).map(|((kind, nanos, port, is_reply), number)| {
                let mut segment = Segment { number, ..one };
                segment.source.port = port;
                let hour = 3_600_000_000_000;
                time += match kind {
                    0 if nanos % 50 == 0 => nanos % 3 * hour,
                    1 => nanos.abs() * 100_000,
                    _ => nanos.abs(),
                };
                segment.timestamp = Timestamp::from_nanos(time + nanos);
                if is_reply {
                    std::mem::swap(&mut segment.source, &mut segment.destination);
                }
                segment
            }).collect();
            let at_once = taken(&segments, &[usize::MAX]);
            prop_assert_eq!(at_once.len(), segments.len());
            prop_assert_eq!(taken(&segments, &pieces), at_once);
        }
    }
}
