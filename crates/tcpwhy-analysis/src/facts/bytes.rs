//! A byte count of 32 bits, which takes half the memory of 64.

/// A byte count, saturating at the largest value of 32 bits. No window is larger than 1 GiB (RFC 7323 §2.3),
/// so about one round trip never moves more. Arithmetic could overflow, so callers compute with 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bytes(u32);

impl Bytes {
    /// Converts `bytes`; larger values saturate.
    #[inline]
    pub(crate) fn of(bytes: u64) -> Self {
        Self(u32::try_from(bytes).unwrap_or(u32::MAX))
    }

    /// The count, bytes.
    #[inline]
    pub(crate) fn get(self) -> u64 {
        self.0.into()
    }

    /// Adds `bytes`. The sum does not overflow, because positions in a stream have at most 63 bits.
    #[inline]
    pub(crate) fn add(&mut self, bytes: u64) {
        *self = Self::of(self.get() + bytes);
    }

    /// Raises the count to `bytes` if it is smaller.
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
