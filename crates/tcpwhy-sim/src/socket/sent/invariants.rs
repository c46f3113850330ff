//! Invariants of segments in flight at any moment.

use super::Sent;

impl Sent {
    /// Checks that the segments cover `una` to `nxt`, and that the counters match them.
    pub(crate) fn check(&self, una: u64, nxt: u64) {
        let mut at = una;
        let [mut sacked, mut lost, mut resent] = [0, 0, 0];
        for (place, one) in self.all.iter().enumerate() {
            assert!(one.seq == at && one.end > one.seq, "{una}: {one:?}");
            // A tail loss probe may retransmit a delivered segment.
            assert!(!(one.is_sacked && one.is_lost), "what has arrived is not lost: {one:?}");
            assert!(one.was_resent || !one.is_resent, "{one:?}");
            let awaits = one.is_lost && !one.is_resent;
            assert!(!awaits || place >= self.hint, "no lost segment is before the hint {}: {one:?}", self.hint);
            sacked += u64::from(one.is_sacked);
            lost += u64::from(one.is_lost);
            resent += u64::from(one.is_resent);
            at = one.end;
        }
        assert_eq!(at, nxt);
        // Without SACK, delivered segments are only counted.
        assert!(self.sacked == sacked || sacked == 0);
        assert_eq!((self.lost, self.resent), (lost, resent));
        assert!(self.sacked + lost <= self.count() + resent);
    }
}
