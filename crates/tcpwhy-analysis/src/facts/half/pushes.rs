//! The end of the sender's writes as the PSH flag shows it (RFC 9293 §3.9.1.2), in one byte.

/// Marks about the last segments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pushes(u8);

impl Pushes {
    /// The last segment ended a write.
    pub(super) const LAST: u8 = 1;
    /// The last bytes of the stream so far did not end a write: their segment was full and not pushed.
    pub(super) const AMID_WRITE: u8 = 2;

    pub(super) fn set(&mut self, mark: u8, is_set: bool) {
        self.0 = self.0 & !mark | if is_set { mark } else { 0 };
    }

    pub(super) fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mark_does_not_change_the_other() {
        let mut pushes = Pushes::default();
        pushes.set(Pushes::LAST, true);
        pushes.set(Pushes::AMID_WRITE, true);
        pushes.set(Pushes::LAST, false);
        assert!(!pushes.has(Pushes::LAST) && pushes.has(Pushes::AMID_WRITE));
    }
}
