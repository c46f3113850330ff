//! Full-sized segments that vanish while smaller ones pass: a path that silently drops packets above its MTU
//! (RFC 2923 §2.1). Only retransmissions are examined.

use crate::thresholds::{
    VANISHED_AGE, VANISHED_HEARD, VANISHED_REPEATS, VANISHED_REPEATS_ALONE, VANISHED_SMALLER, part,
};

/// The evidence that the size of a segment decides whether it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// The data passed in smaller pieces, or the receiver has smaller data above it.
    SmallerPassed,
    /// At most the handshake and less than one segment had passed, and the peer continued to send.
    PeerSpoke,
    /// It was the first of full size, smaller ones had just passed, and the peer never sent anything after
    /// it.
    FirstOfItsSize,
    /// In a capture away from the sender, no large segment arrived.
    OnlySmallCame,
}

/// Sizes of segments that vanished and that passed, payload bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vanished {
    pub(crate) lost: u64,
    pub(crate) passed: u64,
    /// Retransmissions of the large segment without effect.
    pub(crate) repeats: u32,
    pub(crate) ground: Ground,
}

/// The first segment of full size.
#[derive(Clone, Copy, Debug)]
struct FirstLarge {
    start: u64,
    /// Largest segment before it, bytes.
    before: u32,
    /// The peer had sent something just before.
    is_peer_there: bool,
}

/// Facts about the rest of the direction, at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivered {
    /// The largest payload of a segment that the SYNs allow.
    pub(crate) limit: u64,
    pub(crate) mss: u64,
    /// The largest segment that passed the capture, bytes.
    pub(crate) largest: u64,
    /// The receiver has less than one segment of data above the stuck segment.
    pub(crate) is_tail_held: bool,
    /// The receiver's last packets were duplicate ACKs: some data above that segment arrived, of unknown
    /// size.
    pub(crate) has_duplicates: bool,
    /// Bytes acknowledged since the handshake.
    pub(crate) bytes: u64,
    /// The receiver's SYN was captured, so no data passed before the capture started.
    pub(crate) is_from_syn: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct BlackHole {
    stuck: Option<Stuck>,
    found: Option<Vanished>,
    first_large: Option<FirstLarge>,
    /// Largest segment that filled part of a hole which had been open for 1 s or more, bytes.
    late_part: u64,
}

/// The segment at the left edge of the window, with its retransmissions.
#[derive(Clone, Copy, Debug)]
struct Stuck {
    start: u64,
    len: u32,
    repeats: u32,
    /// Size of the smaller pieces in which it was sent later, bytes; 0 without such pieces.
    smaller: u32,
    /// The peer sent something after more than `VANISHED_REPEATS_ALONE` retransmissions, and acknowledged
    /// nothing of the segment.
    is_answered: bool,
}

impl BlackHole {
    /// Records a segment of `len` bytes at `start` that is larger than all before it, of which the largest
    /// had `before` bytes. The peer was heard `quiet` nanoseconds ago; `None` if it was not heard since the
    /// handshake.
    pub(crate) fn grew(&mut self, start: u64, len: u64, before: u64, mss: u64, quiet: Option<i64>) {
        if self.first_large.is_none() && part(len, mss) >= VANISHED_SMALLER {
            let is_peer_there = quiet.is_some_and(|quiet| quiet <= VANISHED_HEARD.get());
            self.first_large = Some(FirstLarge { start, before: size(before), is_peer_there });
        }
    }

    /// Records that data at `start` was retransmitted in a segment of `len` bytes.
    pub(crate) fn repeated(&mut self, start: u64, len: u64) {
        let len = size(len);
        match &mut self.stuck {
            Some(s) if s.start == start && len >= s.len => s.repeats += 1,
            Some(s) if s.start == start && s.repeats >= VANISHED_REPEATS => s.smaller = len,
            Some(s) if s.smaller > 0 && start > s.start && start < s.start + u64::from(s.len) => {}
            _ => self.stuck = Some(Stuck { start, len, repeats: 1, smaller: 0, is_answered: false }),
        }
    }

    /// Records that everything below `ack` has arrived.
    pub(crate) fn acknowledged(&mut self, ack: u64) {
        let Some(s) = self.stuck.filter(|s| ack > s.start) else { return };
        self.stuck = None;
        if s.smaller > 0 && self.found.is_none() {
            let (lost, passed, ground) = (s.len.into(), s.smaller.into(), Ground::SmallerPassed);
            self.found = Some(Vanished { lost, passed, repeats: s.repeats, ground });
        }
    }

    /// Records that the peer sent something of its own while it had received exactly the data below `ack`.
    pub(crate) fn spoken(&mut self, ack: u64) {
        if let Some(s) = self.stuck.as_mut().filter(|s| s.start == ack && s.repeats > VANISHED_REPEATS_ALONE) {
            s.is_answered = true;
        }
    }

    /// Records that a segment of `len` bytes filled `filled` bytes of a hole that had been open for `age`
    /// nanoseconds.
    pub(crate) fn filled(&mut self, len: u64, filled: u64, age: i64) {
        if age >= VANISHED_AGE && filled == len {
            self.late_part = self.late_part.max(len);
        }
    }

    /// Returns the finding, if any. If less than a segment was delivered, no full-sized one ever passed; a
    /// peer that still sends is not dead.
    pub(crate) fn conclude(&self, delivered: Delivered) -> Option<Vanished> {
        if self.found.is_some() {
            return self.found;
        }
        let Delivered { limit, mss, largest, .. } = delivered;
        if let Some(s) = self.stuck.filter(|s| s.repeats > VANISHED_REPEATS_ALONE && u64::from(s.len) >= mss)
            && let Some((ground, passed)) = self.ground(s, delivered)
        {
            return Some(Vanished { lost: s.len.into(), passed, repeats: s.repeats, ground });
        }
        // A capture away from the sender shows only the packets that pass: never a full-sized segment, and
        // the missing part in small pieces.
        let is_below = |size| part(size, limit) < VANISHED_SMALLER;
        let is_small = is_below(largest) && is_below(mss) && self.late_part == mss;
        (self.late_part > 0 && is_small).then_some(Vanished {
            lost: limit,
            passed: largest,
            repeats: 0,
            ground: Ground::OnlySmallCame,
        })
    }

    /// The evidence that the stuck segment is too large, and the largest size known to have passed.
    fn ground(&self, stuck: Stuck, delivered: Delivered) -> Option<(Ground, u64)> {
        if delivered.is_tail_held {
            return Some((Ground::SmallerPassed, 0));
        }
        if stuck.is_answered && delivered.bytes < delivered.mss {
            return Some((Ground::PeerSpoke, 0));
        }
        // A dead peer may fall silent at any time. A peer that is heard up to the first large segment and
        // never again did not get that segment.
        let first = self.first_large.filter(|first| first.start == stuck.start && delivered.is_from_syn)?;
        match delivered {
            Delivered { has_duplicates: true, .. } => Some((Ground::SmallerPassed, first.before.into())),
            Delivered { bytes: 1.., .. } if first.is_peer_there => Some((Ground::FirstOfItsSize, first.before.into())),
            _ => None,
        }
    }
}

/// Narrows a segment's size to 32 bits, which saves memory; no segment is larger.
fn size(len: u64) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A direction with captured SYNs.
    fn end(limit: u64, mss: u64, largest: u64, is_tail_held: bool, bytes: u64) -> Delivered {
        Delivered { limit, mss, largest, is_tail_held, has_duplicates: false, bytes, is_from_syn: true }
    }

    #[test]
    fn a_large_segment_that_only_passes_in_pieces() {
        let mut b = BlackHole::default();
        for _ in 0..3 {
            b.repeated(1, 1460);
        }
        b.repeated(1, 536);
        b.acknowledged(537);
        let found = Vanished { lost: 1460, passed: 536, repeats: 3, ground: Ground::SmallerPassed };
        assert_eq!(b.conclude(end(1460, 1460, 1460, false, 536)), Some(found));
    }

    #[test]
    fn a_segment_that_passes_in_the_end_is_only_a_loss() {
        let mut b = BlackHole::default();
        for _ in 0..5 {
            b.repeated(1, 1460);
        }
        b.acknowledged(1461);
        assert_eq!(b.conclude(end(1460, 1460, 1460, false, 1460)), None);
    }

    #[test]
    fn nothing_passes_and_the_peer_speaks() {
        let stuck = || {
            let mut b = BlackHole::default();
            (0..5).for_each(|_| b.repeated(1, 1460));
            b
        };
        let mut b = stuck();
        assert_eq!(b.conclude(end(1460, 1460, 1460, false, 0)), None, "a peer that may be dead");
        b.spoken(1);
        let found = Vanished { lost: 1460, passed: 0, repeats: 5, ground: Ground::PeerSpoke };
        assert_eq!(b.conclude(end(1460, 1460, 1460, false, 0)), Some(found));
        assert_eq!(b.conclude(end(1460, 1460, 1460, false, 1460)), None, "one had passed");
        // First small data that nobody acknowledges, then a peer that had sent something only before the
        // retransmissions.
        let mut b = stuck();
        b.spoken(0);
        assert_eq!(b.conclude(end(1460, 1460, 1460, false, 0)), None);
        let mut b = BlackHole::default();
        (0..5).for_each(|_| b.repeated(1, 500));
        b.spoken(1);
        assert_eq!(b.conclude(end(1460, 1460, 500, false, 0)), None);
    }

    /// `VANISHED_REPEATS`: two retransmissions without effect before smaller pieces pass.
    #[test]
    fn one_repeat_in_vain_may_be_a_bad_moment() {
        let found = |repeats: u32| {
            let mut b = BlackHole::default();
            (0..repeats).for_each(|_| b.repeated(1, 1460));
            b.repeated(1, 536);
            b.acknowledged(537);
            b.conclude(end(1460, 1460, 1460, false, 536)).is_some()
        };
        assert_eq!([1, 2].map(found), [false, true]);
    }

    /// `VANISHED_REPEATS_ALONE`: more than three retransmissions without effect if nothing else passed.
    #[test]
    fn more_than_three_repeats_in_vain_stand_alone() {
        let found = |repeats: u32| {
            let mut b = BlackHole::default();
            (0..repeats).for_each(|_| b.repeated(1, 1460));
            b.conclude(end(1460, 1460, 1460, true, 5000)).is_some()
        };
        assert_eq!([3, 4].map(found), [false, true]);
    }

    /// `VANISHED_AGE` and `VANISHED_SMALLER`: a hole open for 1 s is filled with segments below 90 % of the
    /// size that the SYNs allow.
    #[test]
    fn small_segments_fill_a_hole_of_a_second() {
        let found = |age: i64, len: u64, limit: u64| {
            let mut b = BlackHole::default();
            b.filled(len, len, age);
            b.conclude(end(limit, len, len, false, 0)).is_some()
        };
        assert!(found(1_000_000_000, 899, 1000) && !found(999_999_999, 899, 1000));
        assert!(!found(1_000_000_000, 900, 1000));
    }

    /// Which retransmissions belong to the stuck segment, and which start another one.
    #[test]
    fn a_segment_is_stuck_until_another_is_repeated_or_it_arrives() {
        let found = Some((1460, 536, 2));
        let twice = &[(1, 1460), (1, 1460)][..];
        for (what, before, after, ack, expected) in [
            ("smaller pieces of it", twice, &[(1, 536)][..], 537, found),
            ("nothing of it arrived", twice, &[(1, 536)], 1, None),
            ("a byte of it arrived", twice, &[(1, 536)], 2, found),
            ("as large a piece", twice, &[(1, 1460)], 1461, None),
            ("one repeat before", &[(1, 1460)], &[(1, 536)], 537, None),
            ("the rest of it as well", twice, &[(1, 536), (537, 536), (1073, 388)], 537, found),
            ("another segment behind it", twice, &[(1, 536), (1461, 1460)], 1462, None),
            ("a piece without a smaller one before", twice, &[(537, 536)], 538, None),
            ("another segment before it", twice, &[(0, 1), (1, 536)], 537, None),
        ] {
            let mut b = BlackHole::default();
            before.iter().chain(after).for_each(|&(start, len)| b.repeated(start, len));
            b.acknowledged(ack);
            let vanished = b.conclude(end(1460, 1460, 1460, false, 5000));
            assert_eq!(vanished.map(|v| (v.lost, v.passed, v.repeats)), expected, "{what}");
        }
    }

    /// Each condition for a vanished segment without smaller retransmissions.
    #[test]
    fn a_stuck_segment_vanished_where_the_tail_or_the_peer_shows_it() {
        for (what, repeats, len, spoken, is_tail_held, delivered, expected) in [
            ("the tail is held", 4, 1460, None, true, 5000, Some(Ground::SmallerPassed)),
            ("the tail is held, a fragment", 4, 1459, None, true, 5000, None),
            ("three repeats", 3, 1460, None, true, 5000, None),
            ("the peer spoke", 4, 1460, Some(1), false, 1459, Some(Ground::PeerSpoke)),
            ("the peer spoke, a segment had passed", 4, 1460, Some(1), false, 1460, None),
            ("the peer acknowledged otherwise", 4, 1460, Some(2), false, 0, None),
            ("the peer is silent", 4, 1460, None, false, 0, None),
        ] {
            let mut b = BlackHole::default();
            (0..repeats).for_each(|_| b.repeated(1, len));
            if let Some(ack) = spoken {
                b.spoken(ack);
            }
            let found = b.conclude(end(1460, 1460, 1460, is_tail_held, delivered)).map(|v| v.ground);
            assert_eq!(found, expected, "{what}");
        }
        let mut early = BlackHole::default();
        (0..3).for_each(|_| early.repeated(1, 1460));
        early.spoken(1);
        early.repeated(1, 1460);
        assert_eq!(early.conclude(end(1460, 1460, 1460, false, 0)), None, "it spoke after three repeats only");
    }

    /// Each condition away from the sender: only small segments pass, and the late part is as long as they
    /// are.
    #[test]
    fn a_late_part_is_as_long_as_the_small_segments() {
        const SECOND: i64 = 1_000_000_000;
        for (what, len, filled, age, mss, largest, expected) in [
            ("after a second", 500, 500, SECOND, 500, 500, Some((1000, 500))),
            ("sooner", 500, 500, SECOND - 1, 500, 500, None),
            ("only a part of it was missing", 500, 499, SECOND, 500, 500, None),
            ("a larger one passed", 500, 500, SECOND, 500, 900, None),
            ("the MSS is larger", 500, 500, SECOND, 900, 500, None),
            ("it is shorter than the others", 499, 499, SECOND, 500, 500, None),
        ] {
            let mut b = BlackHole::default();
            b.filled(len, filled, age);
            let found = b.conclude(end(1000, mss, largest, false, 5000)).map(|v| (v.lost, v.passed));
            assert_eq!(found, expected, "{what}");
        }
    }

    /// `VANISHED_HEARD`: each condition for a first large segment after which the peer was never heard again.
    #[test]
    fn the_first_segment_of_full_size_silences_the_peer() {
        const SECOND: i64 = 1_000_000_000;
        let found = |grown: &[(u64, u64, Option<i64>)], (start, repeats): (u64, u32), mut all: Delivered| {
            let mut b = BlackHole::default();
            let mut before = 0;
            for &(start, len, quiet) in grown {
                b.grew(start, len, before, 1460, quiet);
                before = len;
            }
            (0..repeats).for_each(|_| b.repeated(start, 1460));
            all.bytes = start - 1;
            b.conclude(all).map(|v| (v.ground, v.passed, v.lost))
        };
        let all = end(1460, 1460, 1460, false, 0);
        let small = (1, 149, None);
        let expected = Some((Ground::FirstOfItsSize, 149, 1460));
        for (what, grown, stuck, all, expected) in [
            ("heard a second before", &[small, (150, 1460, Some(SECOND))][..], (150, 4), all, expected),
            ("longer before", &[small, (150, 1460, Some(SECOND + 1))], (150, 4), all, None),
            ("never heard", &[small, (150, 1460, None)], (150, 4), all, None),
            ("three repeats", &[small, (150, 1460, Some(0))], (150, 3), all, None),
            ("one of full size had passed", &[(1, 1460, Some(0))], (1461, 4), all, None),
            ("nearly of full size", &[(1, 1314, Some(0))], (1315, 4), all, None),
            (
                "less",
                &[(1, 1313, Some(0)), (1314, 1460, Some(0))],
                (1314, 4),
                all,
                Some((Ground::FirstOfItsSize, 1313, 1460)),
            ),
            ("nothing had passed", &[(1, 1460, Some(0))], (1, 4), all, None),
            (
                "duplicate ACKs",
                &[(1, 1460, None)],
                (1, 4),
                Delivered { has_duplicates: true, ..all },
                Some((Ground::SmallerPassed, 0, 1460)),
            ),
            (
                "duplicate ACKs, one had passed",
                &[(1, 1460, None)],
                (1461, 4),
                Delivered { has_duplicates: true, ..all },
                None,
            ),
            ("no SYN", &[small, (150, 1460, Some(0))], (150, 4), Delivered { is_from_syn: false, ..all }, None),
        ] {
            assert_eq!(found(grown, stuck, all), expected, "{what}");
        }
    }
}
