//! Data that passed one of two capture points but not the other.

use tcpwhy_model::Timestamp;

use super::{Crossing, FlowMarks, WayMarks};
use crate::thresholds::VANISHED_REPEATS_ALONE;

/// Data of one end that one capture has and the other lacks, including all retransmissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unseen {
    /// The capture that has it.
    pub seen_at: usize,
    /// Payload bytes, each counted once.
    pub bytes: u64,
    /// Segments, including retransmissions.
    pub segments: u64,
    /// Payload of the smallest of these segments.
    pub smallest: u64,
    /// Payload of the largest segment that passed both points; 0 if there is none.
    pub largest_passed: u64,
    /// Time of the first of these segments, on the clock of the capture that has them.
    pub since: Timestamp,
    /// Whether the other capture has later packets, so that it had not ended.
    pub is_covered: bool,
}

impl Unseen {
    /// Whether size decides: all segments that passed are smaller than all that did not, including
    /// retransmissions.
    pub fn is_by_size(&self) -> bool {
        self.largest_passed > 0
            && self.smallest > self.largest_passed
            && self.segments > u64::from(VANISHED_REPEATS_ALONE.get())
    }
}

/// The last packet of each capture, of any connection.
pub type LastPackets = [Option<Timestamp>; 2];

impl FlowMarks {
    /// Returns the data of each end that only one of this capture and `other` has. `crossing` shows which
    /// capture is nearer to which end. Without it, data counts only if nothing is missing the other way
    /// round.
    pub fn unseen(&self, other: &Self, crossing: Option<&Crossing>, last: LastPackets) -> [Option<Unseen>; 2] {
        let swap = self.swapped(other);
        let ahead = crossing.map(|crossing| crossing.clock_offset).or_else(|| self.apart(other));
        [0, 1].map(|side| {
            let (a, b) = (&self.ways[side], &other.ways[side ^ swap]);
            let found = [missing(a, b, other.isn.is_some()), missing(b, a, self.isn.is_some())];
            let seen_at = match (crossing, &found) {
                (Some(crossing), _) => usize::from(side != crossing.first_near),
                (None, [Some(_), None]) => 0,
                (None, [None, Some(_)]) => 1,
                (None, _) => return None,
            };
            let mut unseen = found[seen_at]?;
            // Packets of the first capture are due at the second when its clock shows this much more.
            let ahead = if seen_at == 0 { ahead } else { ahead.map(|ahead| -ahead) };
            let due = ahead.map(|ahead| unseen.since.as_nanos().saturating_add(ahead));
            unseen.seen_at = seen_at;
            unseen.is_covered = due.zip(last[1 - seen_at]).is_some_and(|(due, last)| last.as_nanos() > due);
            Some(unseen)
        })
    }

    /// Returns the delay of the SYN at `other`, on the clocks of both.
    fn apart(&self, other: &Self) -> Option<i64> {
        let [a, b] = [self, other].map(|flow| flow.opening.syns[0]);
        Some(b?.first.since(a?.first))
    }
}

/// Returns the data at `near` that never passed `far`. `has_beginning`: `far` has the beginning of the
/// connection.
fn missing(near: &WayMarks, far: &WayMarks, has_beginning: bool) -> Option<Unseen> {
    let mut arrived: Vec<(i64, i64)> = far.data().iter().map(|mark| (mark.0, mark.1)).collect();
    arrived.sort_unstable();
    let begin = if has_beginning { i64::MIN } else { arrived.first()?.0 };
    let arrived = union(arrived);
    let has_any = |start: i64, end: i64| {
        let next = arrived.partition_point(|stretch| stretch.1 <= start);
        arrived.get(next).is_some_and(|stretch| stretch.0 < end)
    };
    let mut found: Option<Unseen> = None;
    let (mut largest_passed, mut lost) = (0, Vec::new());
    for &(start, end, time) in near.data().iter().filter(|mark| mark.0 >= begin && mark.0 < mark.1) {
        let len = end.abs_diff(start);
        if has_any(start, end) {
            largest_passed = largest_passed.max(len);
            continue;
        }
        lost.push((start, end));
        let all = found.get_or_insert(Unseen {
            seen_at: 0,
            bytes: 0,
            segments: 0,
            smallest: len,
            largest_passed: 0,
            since: time,
            is_covered: false,
        });
        all.segments += 1;
        all.smallest = all.smallest.min(len);
    }
    lost.sort_unstable();
    let bytes = union(lost).into_iter().map(|(start, end)| end.abs_diff(start)).sum();
    found.map(|found| Unseen { bytes, largest_passed, ..found })
}

/// Returns stretches, sorted by their beginnings, without overlaps.
fn union(stretches: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64)> = Vec::new();
    for (start, end) in stretches {
        match all.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => all.push((start, end)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Endpoint, SeqNum};

    use super::super::{Marks, SeenHandshake};
    use super::*;

    fn at(nanos: i64) -> Timestamp {
        Timestamp::from_nanos(nanos)
    }

    fn way(data: &[(i64, i64)]) -> WayMarks {
        let data: Vec<_> = data.iter().enumerate().map(|(n, &(start, end))| (start, end, at(10 + n as i64))).collect();
        WayMarks { marks: Some(Box::new(Marks { data, acks: Vec::new() })), ..WayMarks::default() }
    }

    fn flow(ways: [&[(i64, i64)]; 2]) -> FlowMarks {
        let end = |host| Endpoint { address: [10, 0, 0, host].into(), port: 80 };
        FlowMarks {
            ends: [end(1), end(2)],
            isn: Some(SeqNum(1)),
            first_packet: 1,
            opening: SeenHandshake::default(),
            ways: ways.map(way),
        }
    }

    #[test]
    fn what_one_capture_lacks() {
        type Data<'a> = &'a [(i64, i64)];
        let found = |near: Data<'_>, far: Data<'_>, has_beginning| {
            missing(&way(near), &way(far), has_beginning)
                .map(|u| (u.bytes, u.segments, u.smallest, u.largest_passed, u.since.as_nanos()))
        };
        for (what, near, far, has_beginning, expected) in [
            ("all arrived", &[(0, 10), (10, 20)][..], &[(0, 20)][..], true, None),
            ("the end is missing", &[(0, 10), (10, 30)], &[(0, 10)], true, Some((20, 1, 20, 10, 11))),
            ("a repeat arrived", &[(0, 10), (0, 10)], &[(0, 10)], true, None),
            ("a part arrived", &[(0, 10)], &[(9, 10)], true, None),
            ("all of it lies before", &[(0, 10)], &[(10, 20)], true, Some((10, 1, 10, 0, 10))),
            ("no repeat arrived", &[(0, 10), (0, 10), (0, 7)], &[], true, Some((10, 3, 7, 0, 10))),
            ("before the capture began", &[(0, 10), (10, 20)], &[(10, 20)], false, None),
            ("nothing of it, and no beginning", &[(0, 10)], &[], false, None),
            ("between", &[(0, 10), (10, 20), (20, 30)], &[(0, 10), (20, 30)], true, Some((10, 1, 10, 10, 11))),
        ] {
            assert_eq!(found(near, far, has_beginning), expected, "{what}");
        }
    }

    #[test]
    fn size_decides() {
        for (smallest, largest_passed, segments, expected) in [
            (1448, 149, 4, true),
            (1448, 149, 3, false),
            (149, 149, 4, false),
            (150, 149, 4, true),
            (1448, 0, 4, false),
        ] {
            let since = at(0);
            let unseen = Unseen { seen_at: 0, bytes: 1, segments, smallest, largest_passed, since, is_covered: true };
            assert_eq!(unseen.is_by_size(), expected, "{smallest} {largest_passed} {segments}");
        }
    }

    #[test]
    fn which_capture_has_more() {
        let all: &[(i64, i64)] = &[(0, 10), (10, 20)];
        let less: &[(i64, i64)] = &[(0, 10)];
        let crossing = |first_near, clock_offset| {
            let way = crate::Way { sent: 0, arrived: 0, delay: None };
            Crossing { first_near, round_trip: 1, clock_offset, ways: [way; 2] }
        };
        let of = |a, b, crossing: Option<&Crossing>, last| {
            let (a, b) = (flow([a, &[]]), flow([b, &[]]));
            a.unseen(&b, crossing, last).map(|unseen| unseen.map(|unseen| (unseen.seen_at, unseen.is_covered)))
        };
        let never = [None; 2];
        assert_eq!(of(all, less, None, never), [Some((0, false)), None]);
        assert_eq!(of(less, all, None, never), [Some((1, false)), None]);
        assert_eq!(of(&[(0, 10)], &[(10, 20)], None, never), [None; 2], "each has what the other lacks");
        assert_eq!(of(&[(0, 10)], &[(10, 20)], Some(&crossing(0, 0)), never)[0], Some((0, false)));
        assert_eq!(of(&[(0, 10)], &[(10, 20)], Some(&crossing(1, 0)), never)[0], Some((1, false)));
        // The second clock is 5 ns ahead, so a packet of 11 is due at 16.
        for (last, expected) in [(16, false), (17, true)] {
            let last = [None, Some(at(last))];
            assert_eq!(of(all, less, Some(&crossing(0, 5)), last)[0], Some((0, expected)));
        }
        for (last, expected) in [(6, false), (7, true)] {
            let last = [Some(at(last)), None];
            assert_eq!(of(less, all, Some(&crossing(1, 5)), last)[0], Some((1, expected)));
        }
    }
}
