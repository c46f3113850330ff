/// A 32-bit TCP sequence number (RFC 9293 §3.4). It has no order, only wrap-safe signed distances (RFC 1982).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeqNum(pub u32);

impl SeqNum {
    /// Signed distance from `other` to `self`, in bytes, within ±2³¹.
    pub const fn distance_from(self, other: Self) -> i32 {
        self.0.wrapping_sub(other.0) as i32
    }

    /// This number plus `bytes`, wrapping.
    #[must_use]
    pub const fn plus(self, bytes: u32) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

/// A position in a half-connection's byte stream that does not wrap. Position 0 is the initial sequence
/// number (the SYN), so the first payload byte is at 1. Without a captured SYN, streams start at 2³², which
/// leaves room for data before the first captured segment. Only [`Unwrapper`] makes offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamOffset(u64);

impl StreamOffset {
    /// Raw position.
    pub const fn as_u64(self) -> u64 {
        self.0
    }

    /// Signed bytes from `earlier` to `self`.
    pub const fn distance_from(self, earlier: Self) -> i64 {
        self.0.wrapping_sub(earlier.0) as i64
    }

    /// This position plus `bytes`, saturating.
    #[must_use]
    pub const fn plus(self, bytes: u64) -> Self {
        Self(self.0.saturating_add(bytes))
    }
}

/// Converts 32-bit sequence numbers to [`StreamOffset`]s, also beyond 4 GiB. Every number maps to the
/// position nearest to the highest one so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwrapper {
    near: Option<(SeqNum, StreamOffset)>,
}

impl Unwrapper {
    /// An unwrapper that puts `isn` at position 0 (the SYN was captured).
    pub const fn from_isn(isn: SeqNum) -> Self {
        Self { near: Some((isn, StreamOffset(0))) }
    }

    /// Whether it has an anchor, that is a first number.
    pub const fn is_anchored(&self) -> bool {
        self.near.is_some()
    }

    /// Position of `seq`. The first number of a capture that started mid-connection maps to 2³².
    pub fn unwrap(&mut self, seq: SeqNum) -> StreamOffset {
        let Some((near_seq, near_offset)) = self.near else {
            let offset = StreamOffset(1 << 32);
            self.near = Some((seq, offset));
            return offset;
        };
        let offset = StreamOffset(near_offset.0.saturating_add_signed(i64::from(seq.distance_from(near_seq))));
        if offset > near_offset {
            self.near = Some((seq, offset));
        }
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unwraps_past_four_gibibytes() {
        let mut u = Unwrapper::from_isn(SeqNum(u32::MAX - 10));
        let mut seq = SeqNum(u32::MAX - 10);
        let mut last = u.unwrap(seq);
        for _ in 0..10_000 {
            seq = seq.plus(1_000_000);
            let next = u.unwrap(seq);
            assert_eq!(next.as_u64() - last.as_u64(), 1_000_000);
            last = next;
        }
        assert_eq!(last.as_u64(), 10_000_000_000);
        assert_eq!(u.unwrap(SeqNum(seq.0.wrapping_sub(1448))).as_u64(), 10_000_000_000 - 1448);
    }

    #[test]
    fn a_mid_stream_join_has_room_before_it() {
        let mut u = Unwrapper::default();
        assert_eq!(u.unwrap(SeqNum(5)).as_u64(), 1 << 32);
        assert_eq!(u.unwrap(SeqNum(0xffff_fff0)).as_u64(), (1 << 32) - 21);
    }
}
