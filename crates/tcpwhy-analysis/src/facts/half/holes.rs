//! Sequence ranges that had not passed the capture point when later data passed.

/// The open holes, in the order of sequence numbers.
///
/// **Bounded:** at most [`Holes::MAX`] holes are kept apart. Beyond that, the lowest two are merged into one
/// blurred hole, of which only the number of missing bytes is known. The lowest are the oldest, unless later
/// holes were split. Each missing byte is still counted once: as data when it arrives, or as never captured
/// when it is acknowledged. A late segment inside the blurred hole may be missing data or repeat data that
/// passed; which of them is not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holes {
    /// Disjoint and sorted. Only the first may be blurred.
    open: Vec<Hole>,
}

#[derive(Clone, Copy, Debug)]
struct Hole {
    start: u64,
    end: u64,
    since: i64,
    /// Bytes missing between `start` and `end`: all of them, unless the hole is blurred.
    missing: u64,
}

impl Hole {
    fn new(start: u64, end: u64, since: i64) -> Self {
        Self { start, end, since, missing: end - start }
    }

    fn is_blurred(&self) -> bool {
        self.missing < self.end - self.start
    }

    /// Bytes of the hole that `[start, end)` fills.
    fn part(&self, start: u64, end: u64) -> u64 {
        (self.end.min(end) - self.start.max(start)).min(self.missing)
    }
}

impl Holes {
    /// Bounds memory.
    const MAX: usize = 128;
    /// Number of holes merged into one when there are too many.
    const BLURRED: usize = 2;

    /// Records that `[start, end)` was skipped at `time`. It is above all ranges skipped before.
    pub(crate) fn open(&mut self, start: u64, end: u64, time: i64) {
        debug_assert!(self.open.last().is_none_or(|h| h.end <= start), "{start} lies below a hole that is open");
        if self.open.len() >= Self::MAX {
            self.blur();
        }
        self.open.push(Hole::new(start, end, time));
        self.check();
    }

    /// Records that `[start, end)` passed. Returns the bytes of holes that it fills, and since when the
    /// oldest of these holes was open.
    pub(crate) fn fill(&mut self, start: u64, end: u64) -> Option<(u64, i64)> {
        let first = self.open.partition_point(|h| h.end <= start);
        let touched = self.open[first..].iter().take_while(|h| h.start < end).count();
        let (low, high) = match &self.open[first..first + touched] {
            [] => return None,
            [only] => (*only, *only),
            [low, .., high] => (*low, *high),
        };
        let mut filled = 0;
        let mut since = i64::MAX;
        for hole in &self.open[first..first + touched] {
            filled += hole.part(start, end);
            since = since.min(hole.since);
        }
        if low.is_blurred() {
            // Which bytes of the blurred hole are still missing is not known.
            let missing = low.missing - low.part(start, end);
            let right = (touched > 1 && high.end > end).then(|| Hole::new(end, high.end, high.since));
            let left = (missing > 0).then_some(Hole { missing, ..low });
            self.open.splice(first..first + touched, left.into_iter().chain(right));
        } else {
            self.cut(first, touched, [low, high], start, end);
        }
        self.check();
        Some((filled, since))
    }

    /// Keeps the parts outside `[start, end)` of the `touched` holes from `first` on. None of them is
    /// blurred.
    fn cut(&mut self, mut first: usize, touched: usize, [low, high]: [Hole; 2], start: u64, end: u64) {
        let left = (low.start < start).then(|| Hole::new(low.start, start, low.since));
        let right = (high.end > end).then(|| Hole::new(end, high.end, high.since));
        if touched == 1 && left.is_some() && right.is_some() && self.open.len() >= Self::MAX {
            // One hole becomes two.
            if first < Self::BLURRED {
                // The hole is one of the lowest two: it is blurred, including the part that was filled.
                let missing = low.missing - (end - start);
                self.open[first].missing = missing;
                if first == 1 {
                    self.blur();
                }
                return;
            }
            self.blur();
            first -= 1;
        }
        self.open.splice(first..first + touched, left.into_iter().chain(right));
    }

    /// Removes everything below `ack`, which has arrived. Returns the bytes of holes below it, which the
    /// capture will never show.
    pub(crate) fn acknowledged(&mut self, ack: u64) -> u64 {
        if self.open.first().is_none_or(|h| h.start >= ack) {
            return 0;
        }
        let gone = self.open.partition_point(|h| h.end <= ack);
        let mut bytes = self.open.drain(..gone).map(|h| h.missing).sum();
        if let Some(cut) = self.open.first_mut().filter(|h| h.start < ack) {
            // All missing bytes of a blurred hole may be above `ack`, if they fit there.
            let above = cut.missing.min(cut.end - ack);
            bytes += cut.missing - above;
            cut.start = ack;
            cut.missing = above;
        }
        self.check();
        bytes
    }

    /// Missing bytes of the lowest open hole, and since when it is open.
    pub(crate) fn lowest(&self) -> Option<(u64, i64)> {
        self.open.first().map(|hole| (hole.missing, hole.since))
    }

    /// Merges the lowest two holes.
    #[cold]
    fn blur(&mut self) {
        if let [low, next, ..] = &mut self.open[..] {
            *next = Hole {
                start: low.start,
                end: next.end,
                since: low.since.min(next.since),
                missing: low.missing + next.missing,
            };
            self.open.remove(0);
        }
    }

    fn check(&self) {
        debug_assert!(self.open.len() <= Self::MAX, "{} holes", self.open.len());
    }

    /// Heap memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        self.open.capacity() * size_of::<Hole>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_acknowledged_will_not_come() {
        let mut h = Holes::default();
        h.open(100, 200, 1);
        h.open(300, 400, 2);
        assert_eq!(h.acknowledged(100), 0);
        assert_eq!(h.acknowledged(350), 150);
        assert_eq!(h.fill(0, 1000), Some((50, 2)));
    }

    #[test]
    fn fills_parts_and_keeps_the_rest() {
        let mut h = Holes::default();
        h.open(100, 200, 1);
        h.open(300, 400, 2);
        assert_eq!(h.fill(120, 150), Some((30, 1)));
        assert_eq!(h.fill(0, 1000), Some((170, 1)));
        assert_eq!(h.fill(0, 1000), None);
    }

    /// Every second segment in flight is lost and retransmitted. There are more holes than are kept apart,
    /// and every byte is counted once.
    #[test]
    fn what_is_blurred_is_counted_once() {
        let mut h = Holes::default();
        let holes = Holes::MAX as u64 * 3;
        for i in 0..holes {
            h.open(i * 20, i * 20 + 10, i as i64);
        }
        let filled: u64 = (0..holes / 2).filter_map(|i| h.fill(i * 20, i * 20 + 10)).map(|f| f.0).sum();
        assert_eq!(filled, holes / 2 * 10);
        assert_eq!(h.acknowledged(holes * 20), (holes - holes / 2) * 10);
        assert_eq!(h.fill(0, u64::MAX), None);
    }

    /// One huge hole is cut into ever more pieces: from below, from above, and in the middle.
    #[test]
    fn splitting_stays_bounded_in_every_order() {
        const PIECES: u64 = 5000;
        let orders: [fn(u64) -> u64; 4] = [
            |i| i,
            |i| PIECES - 1 - i,
            |i| (i * 2617) % PIECES,
            |i| if i % 2 == 0 { i / 2 } else { PIECES - 1 - i / 2 },
        ];
        for (n, order) in orders.into_iter().enumerate() {
            let mut h = Holes::default();
            h.open(0, PIECES * 10, 7);
            let mut filled = 0;
            for i in 0..PIECES {
                let at = order(i) * 10;
                filled += h.fill(at + 4, at + 6).map_or(0, |f| f.0);
                assert!(h.open.len() <= Holes::MAX, "order {n}: {} holes", h.open.len());
                assert!(h.heap() <= 2 * Holes::MAX * size_of::<Hole>(), "order {n}: {} bytes", h.heap());
            }
            assert_eq!(filled + h.acknowledged(u64::MAX), PIECES * 10, "order {n}");
        }
    }

    /// The missing bytes, one entry per byte.
    #[derive(Default)]
    struct Model(BTreeMap<u64, i64>);

    impl Model {
        fn fill(&mut self, start: u64, end: u64) -> Option<(u64, i64)> {
            let gone: Vec<(u64, i64)> = self.0.range(start..end).map(|(&at, &since)| (at, since)).collect();
            self.0.retain(|at, _| !(start..end).contains(at));
            Some((gone.len() as u64, gone.iter().map(|g| g.1).min()?))
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// As long as all holes are kept apart, they equal a set of bytes.
        #[test]
        fn is_a_set_of_bytes(steps in prop::collection::vec((0_u8..4, 0_u64..600, 1_u64..40), 1..120)) {
            let (mut holes, mut model, mut top) = (Holes::default(), Model::default(), 0);
            for (time, (what, at, len)) in (0..).zip(steps) {
                match what {
                    0 | 1 => {
                        holes.open(top, top + len, time);
                        model.0.extend((top..top + len).map(|at| (at, time)));
                        top += len + at % 9;
                    }
                    2 => prop_assert_eq!(holes.fill(at, at + len), model.fill(at, at + len)),
                    _ => prop_assert_eq!(holes.acknowledged(at / 4), model.fill(0, at / 4).map_or(0, |f| f.0)),
                }
            }
        }

        /// With any number of holes, the list is bounded, sorted and disjoint, and each missing byte is
        /// counted exactly once.
        #[test]
        fn is_bounded_and_counts_every_byte_once(
            steps in prop::collection::vec((0_u8..8, 0_u64..12_000, 1_u64..60), 1..1000),
        ) {
            let (mut holes, mut top, mut opened, mut counted) = (Holes::default(), 0, 0, 0);
            for (time, (what, at, len)) in (0..).zip(steps) {
                match what {
                    0..5 => {
                        holes.open(top, top + len, time);
                        opened += len;
                        top += len + at % 9;
                    }
                    5 | 6 => counted += holes.fill(at, at + len).map_or(0, |f| f.0),
                    _ => counted += holes.acknowledged(at / 8),
                }
                prop_assert!(holes.open.len() <= Holes::MAX);
                prop_assert!(holes.open.iter().all(|h| h.start < h.end && h.missing > 0));
                prop_assert!(holes.open.iter().skip(1).all(|h| !h.is_blurred()));
                prop_assert!(holes.open.windows(2).all(|w| w[0].end <= w[1].start));
            }
            prop_assert_eq!(counted + holes.acknowledged(top), opened);
        }
    }

    /// The remainder of a hole of 100 to 200 after a part of it is filled or acknowledged.
    #[test]
    fn a_hole_keeps_what_is_not_filled() {
        for (what, start, end, filled, rest) in [
            ("before it", 0, 100, None, 100),
            ("its first byte", 0, 101, Some(1), 99),
            ("its middle", 140, 160, Some(20), 80),
            ("its last byte", 199, 300, Some(1), 99),
            ("behind it", 200, 300, None, 100),
            ("all of it", 100, 200, Some(100), 0),
        ] {
            let mut h = Holes::default();
            h.open(100, 200, 7);
            assert_eq!(h.fill(start, end), filled.map(|bytes| (bytes, 7)), "{what}");
            assert_eq!(h.acknowledged(1000), rest, "{what}");
        }
        for (ack, gone) in [(100, 0), (101, 1), (199, 99), (200, 100)] {
            let mut h = Holes::default();
            h.open(100, 200, 7);
            assert_eq!(h.acknowledged(ack), gone, "up to {ack}");
            assert_eq!(h.fill(0, 1000), (gone < 100).then_some((100 - gone, 7)), "up to {ack}");
        }
    }
}
