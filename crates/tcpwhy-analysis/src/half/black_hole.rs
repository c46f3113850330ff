//! Full-sized segments that vanish while smaller ones pass: a path that drops what exceeds its MTU without a word
//! (RFC 2923 §2.1). Only retransmissions are looked at.

const SECOND: i64 = 1_000_000_000;

/// Sizes that vanished and passed, payload bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vanished {
    pub(crate) lost: u64,
    pub(crate) passed: u64,
    /// How often the large segment was sent again in vain.
    pub(crate) repeats: u32,
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
}

impl BlackHole {
    /// Fewer repeats may be a bad moment of the path.
    const LEAST_REPEATS: u32 = 2;

    /// Data at `start` was sent again in a segment of `len` bytes.
    pub(crate) fn repeated(&mut self, start: u64, len: u64) {
        match &mut self.stuck {
            Some(s) if s.start == start && len >= s.len => s.repeats += 1,
            Some(s) if s.start == start && s.repeats >= Self::LEAST_REPEATS => s.smaller = Some(len),
            Some(s) if s.smaller.is_some() && start > s.start && start < s.start + s.len => {}
            _ => self.stuck = Some(Stuck { start, len, repeats: 1, smaller: None }),
        }
    }

    /// Everything below `ack` has arrived.
    pub(crate) fn acknowledged(&mut self, ack: u64) {
        let Some(s) = self.stuck.filter(|s| ack > s.start) else { return };
        self.stuck = None;
        if let (Some(passed), None) = (s.smaller, self.found) {
            self.found = Some(Vanished { lost: s.len, passed, repeats: s.repeats });
        }
    }

    /// A segment of `len` bytes filled `filled` bytes of a hole that had been open for `age`.
    pub(crate) fn filled(&mut self, len: u64, filled: u64, age: i64) {
        if age >= SECOND && filled == len {
            self.late_part = self.late_part.max(len);
        }
    }

    /// What was found; `limit` is the payload that the SYNs allow, `largest` the largest that came through the capture, and
    /// `is_tail_held` says that the receiver holds smaller data behind the segment that is stuck.
    pub(crate) fn conclude(&self, limit: u64, mss: u64, largest: u64, is_tail_held: bool) -> Option<Vanished> {
        if self.found.is_some() {
            return self.found;
        }
        if let Some(s) = self.stuck.filter(|s| s.repeats > 3 && s.len >= mss && is_tail_held) {
            return Some(Vanished { lost: s.len, passed: 0, repeats: s.repeats });
        }
        // Away from the sender only what passes is seen: never a full-sized segment, and the missing part in small pieces.
        let is_small = largest * 10 < limit * 9 && mss * 10 < limit * 9 && self.late_part == mss;
        (self.late_part > 0 && is_small).then_some(Vanished { lost: limit, passed: largest, repeats: 0 })
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
        assert_eq!(b.conclude(1460, 1460, 1460, false), Some(Vanished { lost: 1460, passed: 536, repeats: 3 }));
    }

    #[test]
    fn a_segment_that_passes_in_the_end_is_only_a_loss() {
        let mut b = BlackHole::default();
        for _ in 0..5 {
            b.repeated(1, 1460);
        }
        b.acknowledged(1461);
        assert_eq!(b.conclude(1460, 1460, 1460, false), None);
    }
}
