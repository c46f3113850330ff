//! Bytes in half the memory.

/// Bytes, as far as 32 bits hold them: no window is larger than 1 GiB (RFC 7323 §2.3), so about a round trip moves less
/// than that hold. It has no arithmetic of its own, which would overflow: whoever computes takes 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bytes(u32);

impl Bytes {
    /// As many, or as many as 32 bits hold.
    #[inline]
    pub(crate) fn of(bytes: u64) -> Self {
        Self(u32::try_from(bytes).unwrap_or(u32::MAX))
    }

    /// How many, bytes.
    #[inline]
    pub(crate) fn get(self) -> u64 {
        self.0.into()
    }

    /// So many more: a length of a stream, whose positions 63 bits hold.
    #[inline]
    pub(crate) fn add(&mut self, bytes: u64) {
        *self = Self::of(self.get() + bytes);
    }

    /// So many at least.
    #[inline]
    pub(crate) fn raise(&mut self, bytes: u64) {
        if bytes > self.get() {
            *self = Self::of(bytes);
        }
    }
}

impl From<Bytes> for u64 {
    fn from(bytes: Bytes) -> Self {
        bytes.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_32_bits_do_not_hold_stays_at_the_most_that_they_do() {
        let most = u64::from(u32::MAX);
        assert_eq!(Bytes::of(most).get(), most);
        assert_eq!(Bytes::of(most + 1).get(), most);
        let mut bytes = Bytes::of(most - 1);
        bytes.add(1);
        assert_eq!(bytes.get(), most);
        bytes.add(u64::MAX >> 1);
        bytes.raise(7);
        assert_eq!(bytes.get(), most);
    }
}
