//! A direction that is followed: what was seen of it, and the account of its time.

use tcpwhy_model::Unwrapper;

use super::account::Account;
use super::summary::Summary;
use crate::facts::half::{AckSegment, After, DataSegment, Half};

/// A direction with its account. The facts know nothing of causes: after each packet this one asks whether
/// enough slots wait to be labelled, so that a direction of any length needs the same memory.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    /// What was seen.
    pub(crate) half: Half,
    account: Account,
}

impl Followed {
    /// Follows `half` from its first payload on.
    pub(crate) fn new(half: Half) -> Self {
        Self { account: Account::new(half.start), half }
    }

    /// Takes a data segment; whether it repeated data.
    #[inline]
    pub(crate) fn on_data(&mut self, data: &DataSegment, unwrapper: &mut Unwrapper) -> bool {
        let is_repeat = self.half.on_data(data, unwrapper);
        self.settle();
        is_repeat
    }

    /// Takes what the receiver says; how long it took from the capture to the receiver and back, nanoseconds,
    /// where this shows.
    #[inline]
    pub(crate) fn on_ack(&mut self, ack: &AckSegment<'_>, unwrapper: &mut Unwrapper) -> Option<i64> {
        let round_trip = self.half.on_ack(ack, unwrapper);
        self.settle();
        round_trip
    }

    /// Takes an acknowledgment that was ahead of its data, if one waits: nothing can come before it any more.
    pub(crate) fn settle_early(&mut self, unwrapper: &mut Unwrapper) {
        self.half.settle_early(unwrapper);
        self.settle();
    }

    /// Sums the direction up, once. `last_packet` is when the connection's last packet passed, `ended` when
    /// the sender closed or reset it, `after` what came after the last data.
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

    /// Labels what can be labelled once enough of it waits.
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

    /// Thousands of connections are more than fits a cache: a little over a size that the allocator has costs
    /// a fifth more.
    #[test]
    fn what_every_connection_has_fits_the_sizes_of_allocators() {
        assert!(size_of::<Followed>() <= 2560, "{}", size_of::<Followed>());
        assert!(size_of::<Summary>() <= 640, "{}", size_of::<Summary>());
    }
}
