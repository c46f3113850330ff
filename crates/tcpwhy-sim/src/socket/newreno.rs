//! Recovery without SACK (RFC 6582): duplicate ACKs show that data has arrived, but not which. The kernel
//! counts them as if they were SACKs (`tcp_add_reno_sack`).

use super::Socket;
use super::recovery::{Phase, Progress};
use super::sent::Judged;

impl Socket {
    /// `tcp_add_reno_sack`: counts further segments that arrived after the hole.
    pub(super) fn add_duplicates(&mut self, progress: &mut Progress) {
        if progress.duplicates == 0 {
            return;
        }
        let before = self.sent.sacked;
        self.sent.sacked += progress.duplicates;
        self.limit_duplicates(0);
        let delivered = self.sent.sacked.saturating_sub(before);
        progress.delivered += delivered;
        self.recovery.delivered += delivered;
    }

    /// `tcp_remove_reno_sacks`: one of the acknowledged segments filled the hole; the others had caused
    /// duplicate ACKs.
    pub(super) fn remove_duplicates(&mut self, acked: u64, progress: &mut Progress) {
        if acked > 0 {
            let delivered = acked.saturating_sub(self.sent.sacked).max(1);
            progress.delivered += delivered;
            self.recovery.delivered += delivered;
            self.sent.sacked = self.sent.sacked.saturating_sub(acked - 1);
        }
        self.limit_duplicates(acked);
    }

    /// `tcp_check_reno_reordering`: more duplicates than segments after the holes indicate reordering.
    fn limit_duplicates(&mut self, acked: u64) {
        let count = self.sent.count();
        let holes = self.sent.lost.max(1).min(count);
        if self.sent.sacked + holes > count {
            self.sent.sacked = count - holes;
            self.recovery.saw_duplicates(count + acked);
        }
    }

    /// `tcp_reset_reno_sack`.
    pub(super) const fn reset_duplicates(&mut self) {
        self.sent.sacked = 0;
    }

    /// `tcp_newreno_mark_lost`: the first segment is lost after enough duplicates, and after each partial
    /// ACK.
    pub(super) fn mark_first_lost(&mut self, advanced: bool) {
        let (phase, reordering) = (self.recovery.phase, self.recovery.reordering);
        let is_lost =
            (phase < Phase::Recovery && self.sent.sacked >= reordering) || (phase == Phase::Recovery && advanced);
        if is_lost && self.sent.first().is_some_and(|first| !first.is_lost) {
            let mut is_first = true;
            self.sent.mark_lost(|_| if std::mem::take(&mut is_first) { Judged::Lost } else { Judged::AllLater });
        }
    }

    /// `tcp_is_non_sack_preventing_reopen`: until new data is acknowledged, duplicates of earlier data would
    /// start a second recovery.
    pub(super) fn holds_recovery(&mut self) -> bool {
        let holds = !self.rules.has_sack && self.una == self.recovery.high();
        if holds && !self.sent.has_any_resent() {
            self.recovery.forget_first_resent();
        }
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::socket::sending_rules::{MSS, ack, leave, rules, ten};
    use crate::time::{MILLISECOND, SECOND};

    const NOW: u64 = SECOND + 40 * MILLISECOND;

    /// A socket with ten segments in flight and three duplicate ACKs.
    fn recovering() -> Socket {
        let mut socket = ten(Rules { has_sack: false, ..rules() }, 40 * MILLISECOND);
        for n in 1..=3 {
            assert_eq!(socket.counts.retransmitted, 0);
            ack(&mut socket, NOW + n * MILLISECOND, 0, SECOND);
        }
        leave(&mut socket, NOW + 3 * MILLISECOND);
        socket
    }

    #[test]
    fn the_third_duplicate_and_each_partial_ack_resend_one_segment() {
        let mut socket = recovering();
        assert_eq!((socket.recovery.phase, socket.counts.retransmitted), (Phase::Recovery, 1));
        ack(&mut socket, NOW + 40 * MILLISECOND, 2 * MSS, NOW + 3 * MILLISECOND);
        assert_eq!((socket.recovery.phase, socket.sent.lost), (Phase::Recovery, 1));
        // The window is full, and the next duplicate makes room.
        ack(&mut socket, NOW + 41 * MILLISECOND, 2 * MSS, NOW + 3 * MILLISECOND);
        assert_eq!((socket.recovery.phase, socket.counts.retransmitted), (Phase::Recovery, 2));
    }

    /// RFC 6582 §4.1: duplicates from the old window do not start a second recovery.
    #[test]
    fn recovery_holds_until_something_new_is_acknowledged() {
        let mut socket = recovering();
        ack(&mut socket, NOW + 40 * MILLISECOND, 10 * MSS, NOW + 3 * MILLISECOND);
        assert_eq!(socket.recovery.phase, Phase::Recovery);
        for n in 41..=44 {
            ack(&mut socket, NOW + n * MILLISECOND, 10 * MSS, NOW);
        }
        assert_eq!(socket.counts.retransmitted, 1);
    }

    /// More duplicates than segments after the hole indicate reordering.
    #[test]
    fn too_many_duplicates_are_reordering() {
        let mut socket = recovering();
        for n in 4..=12 {
            ack(&mut socket, NOW + n * MILLISECOND, 0, SECOND);
        }
        assert_eq!((socket.sent.sacked, socket.recovery.reordering), (9, 10));
    }
}
