//! What the receiver reports to hold beyond the acknowledgment (SACK, RFC 2018).

use tcpwhy_model::Unwrapper;

use super::segment::AckSegment;
use super::{Half, MILLISECOND};

impl Half {
    /// Reads SACK blocks into the scoreboard; whether they tell of bytes not told before.
    pub(super) fn read_sack(&mut self, s: &AckSegment<'_>, ack: u64, unwrapper: &mut Unwrapper) -> bool {
        let mut grew = 0;
        for (i, &(left, right)) in s.sack().iter().enumerate() {
            let left = unwrapper.unwrap(left).as_u64();
            let right = unwrapper.unwrap(right).as_u64();
            if right <= left || right > self.max_end.max(ack) {
                continue;
            }
            if i == 0 && (right <= ack || self.sacked.contains(left, right)) {
                // RFC 2883: the first block reports data received twice.
                if right <= ack {
                    self.counts.dsacks += 1;
                    self.ledger.on_duplicate_report();
                }
                continue;
            }
            if left >= ack {
                if left > self.sacked.highest().unwrap_or(ack).max(ack) {
                    self.note_loss(s.time, ack);
                }
                grew += self.sacked.insert(left, right);
            }
        }
        grew > 0
    }

    /// A hole that the receiver told of at `time`.
    pub(super) fn note_loss(&mut self, time: i64, ack: u64) {
        let base = self.ledger.rtt_min().unwrap_or(0);
        let is_inflated = self.ledger.rtt_recent().is_some_and(|r| r > base + (5 * MILLISECOND).max(base / 5));
        self.policing.lost(time, ack + self.sacked.total(), base, is_inflated);
    }
}
