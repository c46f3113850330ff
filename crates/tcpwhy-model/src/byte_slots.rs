use crate::{Span, Timestamp};

/// Bytes over time, in slots of equal width. The width is a power of two of nanoseconds, and slots are
/// aligned to the epoch.
///
/// **Bounded:** beyond [`ByteSlots::MOST`] slots, neighbours are merged in pairs. The same bytes at the same
/// times give the same slots in any order of arrival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteSlots {
    /// Base-2 logarithm of a slot's width in nanoseconds.
    shift: u32,
    /// Number of slots between the epoch and the first slot.
    first: i64,
    bytes: Vec<u64>,
}

impl Default for ByteSlots {
    fn default() -> Self {
        Self { shift: Self::FINEST, first: 0, bytes: Vec::new() }
    }
}

impl ByteSlots {
    /// Maximum number of slots. One hour then has slots of 9 s.
    pub const MOST: usize = 512;
    /// Base-2 logarithm of the narrowest slot, about 1 ms. Narrower slots would show single packets, not a
    /// rate.
    const FINEST: u32 = 20;

    /// Number of slots for bytes that are assumed to be spread evenly. More slots would add no information.
    const EVEN: i64 = 32;

    /// Slots for `bytes` spread evenly over `span`.
    pub fn evenly(span: Span, bytes: u64) -> Self {
        let mut all = Self::default();
        while span.nanos() >> all.shift >= Self::EVEN {
            all.shift += 1;
        }
        all.add_over(span, bytes);
        all
    }

    /// Adds `bytes` at `time`.
    pub fn add(&mut self, time: Timestamp, bytes: u64) {
        self.cover(time.as_nanos(), time.as_nanos());
        self.add_at(time.as_nanos() >> self.shift, bytes);
    }

    /// Adds `bytes` spread evenly over `span`.
    pub fn add_over(&mut self, span: Span, bytes: u64) {
        let (start, end) = (span.start().as_nanos(), span.end().as_nanos());
        self.cover(start, end);
        let all = end.saturating_sub(start).max(1).cast_unsigned();
        let passed = |until: i64| in_proportion(bytes, until.saturating_sub(start).cast_unsigned(), all);
        let last = end >> self.shift;
        let mut before = 0;
        for slot in start >> self.shift..last {
            let until = passed(self.start_of(slot + 1));
            self.add_at(slot, until - before);
            before = until;
        }
        self.add_at(last, bytes - before);
    }

    /// Adds all bytes of `other`.
    pub fn absorb(&mut self, other: &Self) {
        let Some(span) = other.span() else { return };
        while self.shift < other.shift {
            self.widen();
        }
        self.cover(span.start().as_nanos(), span.end().as_nanos().saturating_sub(1));
        for (slot, &bytes) in (other.first..).zip(&other.bytes) {
            self.add_at(other.start_of(slot) >> self.shift, bytes);
        }
    }

    /// The same shape over time with `total` bytes in all.
    #[must_use]
    pub fn scaled_to(mut self, total: u64) -> Self {
        let all = self.total().max(1);
        let (mut seen, mut given) = (0_u64, 0);
        for bytes in &mut self.bytes {
            seen = seen.saturating_add(*bytes);
            let until = in_proportion(total, seen.min(all), all);
            (*bytes, given) = (until - given, until);
        }
        self
    }

    /// Bytes of heap memory.
    #[doc(hidden)]
    pub fn heap(&self) -> usize {
        self.bytes.capacity() * size_of::<u64>()
    }

    /// Sum of all bytes.
    pub fn total(&self) -> u64 {
        self.bytes.iter().fold(0, |sum, bytes| sum.saturating_add(*bytes))
    }

    /// Width of a slot, nanoseconds.
    pub const fn width(&self) -> i64 {
        1 << self.shift
    }

    /// Time from the start of the first slot to the end of the last; `None` without slots.
    pub fn span(&self) -> Option<Span> {
        let end = self.first + i64::try_from(self.bytes.len()).unwrap_or_default();
        let at = |slot| Timestamp::from_nanos(self.start_of(slot));
        (!self.bytes.is_empty()).then(|| Span::new(at(self.first), at(end)))
    }

    /// Bytes within `spans`, which are in order and do not overlap. A slot that is only partly within a span
    /// counts in proportion.
    pub fn within(&self, spans: &[Span]) -> f64 {
        let Some(own) = self.span() else { return 0.0 };
        let before = spans.partition_point(|span| span.end() <= own.start());
        let overlapping = spans[before..].iter().take_while(|span| span.start() < own.end());
        overlapping.map(|span| self.within_one(*span, own)).sum()
    }

    /// Bytes within `span`. `own` is the span of all slots.
    fn within_one(&self, span: Span, own: Span) -> f64 {
        let (start, end) = (span.start().max(own.start()).as_nanos(), span.end().min(own.end()).as_nanos());
        if start >= end {
            return 0.0;
        }
        let (first, last) = (start >> self.shift, (end - 1) >> self.shift);
        let part = |slot: i64| {
            let (from, until) = (self.start_of(slot).max(start), self.start_of(slot + 1).min(end));
            self.at(slot) as f64 * (until.saturating_sub(from) as f64 / self.width() as f64)
        };
        if first == last {
            return part(first);
        }
        let place = |slot: i64| usize::try_from(slot - self.first).unwrap_or(usize::MAX);
        let whole = self.bytes.get(place(first + 1)..place(last)).unwrap_or_default();
        whole.iter().fold(part(first), |sum, &bytes| sum + bytes as f64) + part(last)
    }

    fn at(&self, slot: i64) -> u64 {
        let place = usize::try_from(slot - self.first).ok();
        place.and_then(|place| self.bytes.get(place)).copied().unwrap_or_default()
    }

    fn add_at(&mut self, slot: i64, bytes: u64) {
        let place = usize::try_from(slot - self.first).ok();
        if let Some(sum) = place.and_then(|place| self.bytes.get_mut(place)) {
            *sum = sum.saturating_add(bytes);
        }
    }

    fn start_of(&self, slot: i64) -> i64 {
        slot.saturating_mul(self.width())
    }

    /// Ensures that every instant from `start` to `end` (both included, nanoseconds) has a slot.
    fn cover(&mut self, start: i64, end: i64) {
        loop {
            let (from, to) = (start >> self.shift, end >> self.shift);
            let count = i64::try_from(self.bytes.len()).unwrap_or_default();
            if from >= self.first && to < self.first + count {
                return;
            }
            let (from, to) = match count {
                0 => (from, to),
                _ => (from.min(self.first), to.max(self.first + count - 1)),
            };
            let wanted = usize::try_from(i128::from(to) - i128::from(from) + 1).unwrap_or(usize::MAX);
            if wanted <= Self::MOST {
                if count > 0 && from < self.first {
                    let before = usize::try_from(self.first - from).unwrap_or_default();
                    self.bytes.splice(0..0, std::iter::repeat_n(0, before));
                }
                self.first = from;
                self.bytes.resize(wanted, 0);
                return;
            }
            self.widen();
        }
    }

    /// Doubles the width of the slots by merging them in pairs.
    fn widen(&mut self) {
        let first = self.first >> 1;
        let mut wider: Vec<u64> = Vec::new();
        for (slot, &bytes) in (self.first..).zip(&self.bytes) {
            let place = usize::try_from((slot >> 1) - first).unwrap_or_default();
            if place == wider.len() {
                wider.push(0);
            }
            if let Some(sum) = wider.get_mut(place) {
                *sum = sum.saturating_add(bytes);
            }
        }
        (self.shift, self.first, self.bytes) = (self.shift + 1, first, wider);
    }
}

/// `bytes` × `part` ÷ `all`, where `part` is at most `all`. Most products fit into 64 bits, and 64-bit
/// division is several times as fast as 128-bit division.
fn in_proportion(bytes: u64, part: u64, all: u64) -> u64 {
    match bytes.checked_mul(part) {
        Some(product) => product / all,
        None => u64::try_from(u128::from(bytes) * u128::from(part) / u128::from(all)).unwrap_or(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn span(start: i64, end: i64) -> Span {
        Span::new(Timestamp::from_nanos(start), Timestamp::from_nanos(end))
    }

    fn at(nanos: i64) -> Timestamp {
        Timestamp::from_nanos(nanos)
    }

    /// Evenly spread bytes use at most 33 slots and keep their sum.
    #[test]
    fn what_passed_evenly_takes_few_slots() {
        for nanos in [0, 1, SECOND / 1000, 3 * SECOND, 3600 * SECOND] {
            let all = ByteSlots::evenly(span(7 * SECOND, 7 * SECOND + nanos), 1_000_000);
            assert!(all.bytes.len() <= 33, "{nanos}: {}", all.bytes.len());
            assert_eq!(all.total(), 1_000_000, "{nanos}");
        }
        let all = ByteSlots::evenly(span(0, 8 * SECOND), 8_000_000);
        assert!((all.within(&[span(2 * SECOND, 4 * SECOND)]) - 2_000_000.0).abs() < 300_000.0);
    }

    #[test]
    fn a_stretch_has_its_part() {
        let mut slots = ByteSlots::default();
        slots.add_over(span(10 * SECOND, 20 * SECOND), 10_000);
        // Slots at the edges of a span count in proportion.
        let within = |spans: &[(i64, i64)], bytes: f64| {
            let spans: Vec<Span> = spans.iter().map(|&(from, to)| span(from * SECOND, to * SECOND)).collect();
            let found = slots.within(&spans);
            assert!((found - bytes).abs() <= 10_000.0 * slots.width() as f64 / SECOND as f64, "{spans:?}: {found}");
        };
        within(&[(10, 20)], 10_000.0);
        within(&[(12, 15)], 3000.0);
        within(&[(0, 10)], 0.0);
        within(&[(20, 30)], 0.0);
        within(&[(10, 11), (15, 17)], 3000.0);
        assert_eq!(slots.total(), 10_000);
    }

    #[test]
    fn what_comes_before_is_not_lost() {
        let mut slots = ByteSlots::default();
        for second in [50, 3, 70, 20] {
            slots.add(at(second * SECOND), 7);
        }
        assert_eq!(slots.total(), 28);
        assert!((slots.within(&[span(0, 10 * SECOND)]) - 7.0).abs() < 1e-9);
    }

    #[test]
    fn the_order_does_not_matter() {
        let times: Vec<i64> = (0..500).map(|n| (n * 7919 % 1000) * 37_000_000).collect();
        let of = |times: &[i64]| {
            let mut slots = ByteSlots::default();
            for &time in times {
                slots.add_over(span(time, time + 90_000_000), 1_003);
            }
            slots
        };
        let mut sorted = times.clone();
        sorted.sort_unstable();
        assert_eq!(of(&times), of(&sorted));
        let (some, rest) = times.split_at(100);
        let mut joined = of(some);
        joined.absorb(&of(rest));
        assert_eq!(joined.total(), of(&times).total());
    }

    #[test]
    fn the_shape_stays() {
        let mut slots = ByteSlots::default();
        slots.add_over(span(0, 10 * SECOND), 1_000);
        slots.add_over(span(10 * SECOND, 20 * SECOND), 3_000);
        let scaled = slots.clone().scaled_to(1_000_003);
        assert_eq!((scaled.total(), scaled.span()), (1_000_003, slots.span()));
        let first = scaled.within(&[span(0, 10 * SECOND)]);
        assert!((first / 250_000.0 - 1.0).abs() < 0.01, "{first}");
        assert_eq!(ByteSlots::default().scaled_to(7), ByteSlots::default());
    }

    #[test]
    fn slots_stay_few_whatever_the_times() {
        let mut slots = ByteSlots::default();
        for time in [0, 1, SECOND, 86_400 * SECOND, i64::MAX, i64::MIN] {
            slots.add(at(time), 1);
            assert!(slots.bytes.len() <= ByteSlots::MOST);
        }
        slots.add_over(span(i64::MIN, i64::MAX), 100);
        assert_eq!(slots.total(), 106);
        assert!(slots.within(&[span(i64::MIN, i64::MAX)]) > 100.0);
        let mut other = ByteSlots::default();
        other.add(at(5), 3);
        other.absorb(&slots);
        assert_eq!(other.total(), 109);
    }
}
