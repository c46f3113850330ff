//! A direction that is being followed: its facts and its timeline.

use tcpwhy_model::Unwrapper;

use super::account::Account;
use super::summary::Summary;
use crate::facts::half::{AckSegment, After, DataSegment, Half};

/// A direction with its timeline. The facts do not depend on causes. After each packet, this type labels
/// slots if enough of them are complete, so memory is independent of the direction's length.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    /// Facts of the direction.
    pub(crate) half: Half,
    account: Account,
}

impl Followed {
    /// Follows `half` from its first payload.
    pub(crate) fn new(half: Half) -> Self {
        Self { account: Account::new(half.start), half }
    }

    /// Processes a data segment. Returns whether it repeated data.
    #[inline]
    pub(crate) fn on_data(&mut self, data: &DataSegment, unwrapper: &mut Unwrapper) -> bool {
        let is_repeat = self.half.on_data(data, unwrapper);
        self.settle();
        is_repeat
    }

    /// Processes an ACK of the receiver. Returns the delay from the capture point to the receiver and back,
    /// nanoseconds, if this ACK shows it.
    #[inline]
    pub(crate) fn on_ack(&mut self, ack: &AckSegment<'_>, unwrapper: &mut Unwrapper) -> Option<i64> {
        let round_trip = self.half.on_ack(ack, unwrapper);
        self.settle();
        round_trip
    }

    /// Processes a deferred ACK that was captured before its data, if there is one. Call this when no earlier
    /// packet can follow.
    pub(crate) fn settle_early(&mut self, unwrapper: &mut Unwrapper) {
        self.half.settle_early(unwrapper);
        self.settle();
    }

    /// Summarises the direction; called once. `last_packet` is the time of the connection's last packet,
    /// `ended` that of the sender's FIN or RST. `after` has the events after the last data.
    pub(crate) fn conclude(&mut self, last_packet: i64, ended: Option<i64>, after: After) -> Summary {
        while self.half.release_rest() {
            self.settle();
        }
        let opened = after.opened;
        self.half.finish(last_packet, ended, after);
        let context = self.half.context();
        let account = std::mem::replace(&mut self.account, Account::new(0));
        let accounted = account.finish(&mut self.half.ledger.slots, &context);
        Summary::of(&mut self.half, accounted, opened)
    }

    /// Bytes of memory beyond its own size.
    pub(crate) fn heap(&self) -> usize {
        self.half.heap() + self.account.heap()
    }

    /// Labels the complete slots if there are enough of them.
    #[inline]
    fn settle(&mut self) {
        if Account::is_due(&self.half.ledger.slots) {
            self.settle_account();
        }
    }

    #[cold]
    fn settle_account(&mut self) {
        let context = self.half.context();
        self.account.settle(&mut self.half.ledger.slots, &context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thousands of connections exceed the cache. A type slightly larger than a size class of the allocator
    /// would need 20 % more memory.
    #[test]
    fn what_every_connection_has_fits_the_sizes_of_allocators() {
        assert!(size_of::<Followed>() <= 2560, "{}", size_of::<Followed>());
        assert!(size_of::<Summary>() <= 640, "{}", size_of::<Summary>());
    }
}
