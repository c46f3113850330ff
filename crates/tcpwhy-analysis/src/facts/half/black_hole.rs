//! Full-sized segments that vanish while smaller ones pass: a path that drops what exceeds its MTU without a word
//! (RFC 2923 §2.1). Only retransmissions are looked at.

use crate::thresholds::{VANISHED_AGE, VANISHED_REPEATS, VANISHED_REPEATS_ALONE, VANISHED_SMALLER, part};

/// Sizes that vanished and passed, payload bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vanished {
    pub(crate) lost: u64,
    pub(crate) passed: u64,
    /// How often the large segment was sent again in vain.
    pub(crate) repeats: u32,
    /// Nothing but the handshake and, perhaps, less than a segment had passed.
    pub(crate) is_from_start: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct BlackHole {
    stuck: Option<Stuck>,
    found: Option<Vanished>,
    /// Largest segment that filled part of a hole which had been open for a second or more.
    late_part: u64,
}

/// The segment at the left edge of the window, sent again and again.
#[derive(Clone, Copy, Debug)]
struct Stuck {
    start: u64,
    len: u64,
    repeats: u32,
    /// It was then sent in smaller pieces.
    smaller: Option<u64>,
    /// The peer spoke after that, and still acknowledged nothing of it.
    is_answered: bool,
}

impl BlackHole {
    /// Data at `start` was sent again in a segment of `len` bytes.
    pub(crate) fn repeated(&mut self, start: u64, len: u64) {
        match &mut self.stuck {
            Some(s) if s.start == start && len >= s.len => s.repeats += 1,
            Some(s) if s.start == start && s.repeats >= VANISHED_REPEATS => s.smaller = Some(len),
            Some(s) if s.smaller.is_some() && start > s.start && start < s.start + s.len => {}
            _ => self.stuck = Some(Stuck { start, len, repeats: 1, smaller: None, is_answered: false }),
        }
    }

    /// Everything below `ack` has arrived.
    pub(crate) fn acknowledged(&mut self, ack: u64) {
        let Some(s) = self.stuck.filter(|s| ack > s.start) else { return };
        self.stuck = None;
        if let (Some(passed), None) = (s.smaller, self.found) {
            self.found = Some(Vanished { lost: s.len, passed, repeats: s.repeats, is_from_start: false });
        }
    }

    /// The peer sent something of its own, and had received everything below `ack` only.
    pub(crate) fn spoken(&mut self, ack: u64) {
        if let Some(s) = self.stuck.as_mut().filter(|s| s.start == ack && s.repeats > VANISHED_REPEATS_ALONE) {
            s.is_answered = true;
        }
    }

    /// A segment of `len` bytes filled `filled` bytes of a hole that had been open for `age`.
    pub(crate) fn filled(&mut self, len: u64, filled: u64, age: i64) {
        if age >= VANISHED_AGE && filled == len {
            self.late_part = self.late_part.max(len);
        }
    }

    /// What was found; `limit` is the payload that the SYNs allow, `largest` the largest that came through the capture, and
    /// `is_tail_held` says that the receiver holds smaller data behind the segment that is stuck. So many bytes were `delivered`
    /// since the handshake: if that is less than a segment, none of full size ever passed, and a peer that speaks is not dead.
    pub(crate) fn conclude(
        &self,
        limit: u64,
        mss: u64,
        largest: u64,
        is_tail_held: bool,
        delivered: u64,
    ) -> Option<Vanished> {
        if self.found.is_some() {
            return self.found;
        }
        if let Some(s) = self.stuck.filter(|s| s.repeats > VANISHED_REPEATS_ALONE && s.len >= mss) {
            let is_from_start = !is_tail_held;
            if is_tail_held || s.is_answered && delivered < mss {
                return Some(Vanished { lost: s.len, passed: 0, repeats: s.repeats, is_from_start });
            }
        }
        // Away from the sender only what passes is seen: never a full-sized segment, and the missing part in small pieces.
        let is_below = |size| part(size, limit) < VANISHED_SMALLER;
        let is_small = is_below(largest) && is_below(mss) && self.late_part == mss;
        (self.late_part > 0 && is_small).then_some(Vanished {
            lost: limit,
            passed: largest,
            repeats: 0,
            is_from_start: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_segment_that_only_passes_in_pieces() {
        let mut b = BlackHole::default();
        for _ in 0..3 {
            b.repeated(1, 1460);
        }
        b.repeated(1, 536);
        b.acknowledged(537);
        let found = Vanished { lost: 1460, passed: 536, repeats: 3, is_from_start: false };
        assert_eq!(b.conclude(1460, 1460, 1460, false, 536), Some(found));
    }

    #[test]
    fn a_segment_that_passes_in_the_end_is_only_a_loss() {
        let mut b = BlackHole::default();
        for _ in 0..5 {
            b.repeated(1, 1460);
        }
        b.acknowledged(1461);
        assert_eq!(b.conclude(1460, 1460, 1460, false, 1460), None);
    }

    #[test]
    fn nothing_passes_and_the_peer_speaks() {
        let stuck = || {
            let mut b = BlackHole::default();
            (0..5).for_each(|_| b.repeated(1, 1460));
            b
        };
        let mut b = stuck();
        assert_eq!(b.conclude(1460, 1460, 1460, false, 0), None, "a peer that may be dead");
        b.spoken(1);
        let found = Vanished { lost: 1460, passed: 0, repeats: 5, is_from_start: true };
        assert_eq!(b.conclude(1460, 1460, 1460, false, 0), Some(found));
        assert_eq!(b.conclude(1460, 1460, 1460, false, 1460), None, "one had passed");
        // Small data that nobody acknowledges, and a peer that had spoken before it was repeated.
        let mut b = stuck();
        b.spoken(0);
        assert_eq!(b.conclude(1460, 1460, 1460, false, 0), None);
        let mut b = BlackHole::default();
        (0..5).for_each(|_| b.repeated(1, 500));
        b.spoken(1);
        assert_eq!(b.conclude(1460, 1460, 500, false, 0), None);
    }

    /// `VANISHED_REPEATS`: two repeats in vain before smaller pieces pass.
    #[test]
    fn one_repeat_in_vain_may_be_a_bad_moment() {
        let found = |repeats: u32| {
            let mut b = BlackHole::default();
            (0..repeats).for_each(|_| b.repeated(1, 1460));
            b.repeated(1, 536);
            b.acknowledged(537);
            b.conclude(1460, 1460, 1460, false, 536).is_some()
        };
        assert_eq!([1, 2].map(found), [false, true]);
    }

    /// `VANISHED_REPEATS_ALONE`: more than three repeats in vain where nothing else passed.
    #[test]
    fn more_than_three_repeats_in_vain_stand_alone() {
        let found = |repeats: u32| {
            let mut b = BlackHole::default();
            (0..repeats).for_each(|_| b.repeated(1, 1460));
            b.conclude(1460, 1460, 1460, true, 5000).is_some()
        };
        assert_eq!([3, 4].map(found), [false, true]);
    }

    /// `VANISHED_AGE` and `VANISHED_SMALLER`: a hole of a second that is filled in segments below nine tenths of what the SYNs allow.
    #[test]
    fn small_segments_fill_a_hole_of_a_second() {
        let found = |age: i64, len: u64, limit: u64| {
            let mut b = BlackHole::default();
            b.filled(len, len, age);
            b.conclude(limit, len, len, false, 0).is_some()
        };
        assert!(found(1_000_000_000, 899, 1000) && !found(999_999_999, 899, 1000));
        assert!(!found(1_000_000_000, 900, 1000));
    }

    /// Which repeats belong to the segment that is stuck, and which begin another.
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
            let vanished = b.conclude(1460, 1460, 1460, false, 5000);
            assert_eq!(vanished.map(|v| (v.lost, v.passed, v.repeats)), expected, "{what}");
        }
    }

    /// Each term of a segment that vanished although nothing smaller was tried.
    #[test]
    fn a_stuck_segment_vanished_where_the_tail_or_the_peer_shows_it() {
        for (what, repeats, len, spoken, is_tail_held, delivered, expected) in [
            ("the tail is held", 4, 1460, None, true, 5000, Some(false)),
            ("the tail is held, a fragment", 4, 1459, None, true, 5000, None),
            ("three repeats", 3, 1460, None, true, 5000, None),
            ("the peer spoke", 4, 1460, Some(1), false, 1459, Some(true)),
            ("the peer spoke, a segment had passed", 4, 1460, Some(1), false, 1460, None),
            ("the peer acknowledged otherwise", 4, 1460, Some(2), false, 0, None),
            ("the peer is silent", 4, 1460, None, false, 0, None),
        ] {
            let mut b = BlackHole::default();
            (0..repeats).for_each(|_| b.repeated(1, len));
            if let Some(ack) = spoken {
                b.spoken(ack);
            }
            let found = b.conclude(1460, 1460, 1460, is_tail_held, delivered).map(|v| v.is_from_start);
            assert_eq!(found, expected, "{what}");
        }
        let mut early = BlackHole::default();
        (0..3).for_each(|_| early.repeated(1, 1460));
        early.spoken(1);
        early.repeated(1, 1460);
        assert_eq!(early.conclude(1460, 1460, 1460, false, 0), None, "it spoke after three repeats only");
    }

    /// Each term of what shows away from the sender: small segments alone, and a late part as long as they are.
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
            let found = b.conclude(1000, mss, largest, false, 5000).map(|v| (v.lost, v.passed));
            assert_eq!(found, expected, "{what}");
        }
    }
}
