//! Packets of a connection in the order in which they passed, where the capture wrote them a little late.
//!
//! What arrives and what leaves often reaches a capture on two ways (queues of a network card, processors, threads of the program that
//! captures): the file then holds an acknowledgment behind the data that it let go, with a time before it. Whoever reads in the order of
//! the file sees data that nothing let go, and takes it for a pace of the application's.

use tcpwhy_model::{Segment, SeqNum};

/// Times further back are a step of the clock: nobody knows when those packets passed.
const MOST_NANOS: i64 = 1_000_000;
/// Packets that may lie between: what many connections wrote meanwhile.
const MOST_PACKETS: usize = 128;

/// Brings packets with a time before that of their connection's packets before them to their place, as far as the times are right:
/// each direction stays in its order, and nothing is acknowledged before it was there. What a connection begins with stays, too, since
/// that says which it is.
pub(crate) fn by_time(segments: &mut [Segment]) {
    let Some(first) = segments.first() else { return };
    let mut latest = first.timestamp;
    for place in 1..segments.len() {
        let time = segments[place].timestamp;
        if time >= latest || latest.since(time) > MOST_NANOS {
            latest = time;
        } else {
            bring_forward(segments, place);
        }
    }
}

/// Brings the segment at `place` to the front of those of its connection that passed later. Others stay where they are.
#[cold]
fn bring_forward(segments: &mut [Segment], place: usize) {
    let late = segments[place];
    // Places of what it overtakes, the last first, and whether one of its connection is before them all.
    let mut overtaken = Vec::new();
    let mut has_earlier = false;
    for earlier in (place.saturating_sub(MOST_PACKETS)..place).rev() {
        let other = &segments[earlier];
        if is_of_one_connection(other, &late) {
            if !overtakes(&late, other) {
                has_earlier = true;
                break;
            }
            overtaken.push(earlier);
        }
    }
    if !has_earlier {
        return;
    }
    let mut free = place;
    for earlier in overtaken {
        segments[free] = segments[earlier];
        free = earlier;
    }
    segments[free] = late;
}

fn is_of_one_connection(a: &Segment, b: &Segment) -> bool {
    let is_same = |x: &Segment, y: &Segment| x.source == y.source && x.destination == y.destination;
    is_same(a, b) || a.source == b.destination && a.destination == b.source
}

/// Whether `late` passed before `other`, which the capture wrote first.
fn overtakes(late: &Segment, other: &Segment) -> bool {
    let back = other.timestamp.since(late.timestamp);
    let is_of_other_direction = late.source == other.destination;
    // It answers what `other` carries.
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
    use tcpwhy_model::Timestamp;
    use tcpwhy_testkit::script;

    use super::*;

    /// Packets as the capture wrote them, with the microseconds that it wrote beside them.
    fn captured(packets: &[(i64, &str)]) -> Vec<Segment> {
        let lines = packets.iter().enumerate().map(|(i, (_, packet))| format!("0.{i:03} {packet}\n"));
        let mut segments = script(&lines.collect::<String>()).segments;
        for (segment, (micros, _)) in segments.iter_mut().zip(packets) {
            segment.timestamp = Timestamp::from_nanos(micros * 1000);
        }
        segments
    }

    /// Numbers of `packets` in the order in which they are taken; the connection began long before.
    fn order(packets: &[(i64, &str)]) -> Vec<u64> {
        let mut segments = captured(&[&[(-9_000, "> . 1:1(0) ack 1")], packets].concat());
        by_time(&mut segments);
        segments.iter().skip(1).map(|segment| segment.number - 1).collect()
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
        // The second goes no further than the first, which its direction sent before.
        assert_eq!(late(100_030), [1, 2, 4, 5, 3, 6]);
    }

    #[test]
    fn nothing_is_acknowledged_before_it_was_there() {
        let answered =
            |answer| order(&[(120, "> . 1:1001(1000) ack 1"), (140, "> . 1001:2001(1000) ack 1"), (100, answer)]);
        // Its time is wrong, whatever it is.
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
        let numbers = |packets: &[(i64, &str)]| {
            let mut segments = captured(packets);
            let mut other = segments[0];
            (other.number, other.source.port) = (99, 9);
            segments.insert(segments.len() - 1, other);
            by_time(&mut segments);
            segments.iter().map(|segment| segment.number).collect::<Vec<_>>()
        };
        let late = [(20, "> . 1:1001(1000) ack 1"), (0, "< . 1:1(0) ack 1")];
        assert_eq!(numbers(&late), [1, 99, 2]);
        assert_eq!(numbers(&[&[(-5, "> . 1:1(0) ack 1")], &late[..]].concat()), [1, 3, 99, 2]);
    }
}
