//! Explicit congestion notification (RFC 3168; `tcp_ecn_…` of `tcp_input.c` and `tcp_output.c`).

use super::Socket;
use crate::rules::Rules;
use crate::segment::{Kind, Notification, Segment};

/// ACKs that are sent at once after a mark.
const QUICK: u64 = 2;

/// ECN state of this end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ecn {
    is_used: bool,
    /// `TCP_ECN_DEMAND_CWR`: a mark arrived, and the peer has not reported a reduction yet.
    demands: bool,
    /// `TCP_ECN_SEEN`: the peer sent ECN-capable data.
    has_seen: bool,
    /// `TCP_ECN_QUEUE_CWR`: the next new data reports this end's reduction.
    has_slowed_down: bool,
}

impl Ecn {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { is_used: rules.ecn.is_used, ..Self::default() }
    }

    /// `tcp_ecn_send_syn`, `tcp_ecn_make_synack`.
    pub(super) fn of_handshake(rules: &Rules, kind: Kind) -> Notification {
        let asks = kind == Kind::Syn && rules.ecn.asks;
        let agrees = kind == Kind::SynAck && rules.ecn.is_used;
        Notification { echoes: asks || agrees, has_reduced: asks, ..Notification::default() }
    }

    /// `tcp_ecn_send` for a segment without new data.
    pub(super) fn of_ack(self) -> Notification {
        Notification { echoes: self.is_used && self.demands, ..Notification::default() }
    }

    /// `tcp_ecn_send` for a segment with new data, after `of_ack`.
    pub(super) fn with_new_data(&mut self, said: Notification) -> Notification {
        let has_reduced = self.is_used && std::mem::take(&mut self.has_slowed_down);
        Notification { is_capable: self.is_used, has_reduced, ..said }
    }

    /// `tcp_ecn_queue_cwr`.
    pub(super) const fn slowed_down(&mut self) {
        self.has_slowed_down = self.is_used;
    }

    /// `tcp_ecn_withdraw_cwr`.
    pub(super) const fn withdraw(&mut self) {
        self.has_slowed_down = false;
    }

    /// `tcp_ecn_rcv_ecn_echo`: whether the peer received a mark.
    pub(super) const fn hears_echo(self, segment: &Segment) -> bool {
        self.is_used && segment.ecn.echoes
    }
}

impl Socket {
    /// `tcp_ecn_accept_cwr`: the peer has reduced its window, perhaps to the single segment that it just
    /// sent.
    pub(super) const fn accept_reduction(&mut self, segment: &Segment) {
        if segment.ecn.has_reduced {
            self.ecn.demands = false;
            self.acknowledging.is_urgent |= segment.len > 0;
        }
    }

    /// `tcp_ecn_check_ce`: data has arrived.
    pub(super) fn check_mark(&mut self, segment: &Segment) {
        let ecn = &mut self.ecn;
        if !ecn.is_used {
            return;
        }
        let is_new_mark = segment.ecn.is_marked && !ecn.demands;
        // Data without ECT, after data with ECT, was probably retransmitted.
        let is_probably_resent = !segment.ecn.is_capable && !segment.ecn.is_marked && ecn.has_seen;
        ecn.demands |= segment.ecn.is_marked;
        ecn.has_seen |= segment.ecn.is_capable || segment.ecn.is_marked;
        if is_new_mark || is_probably_resent {
            let [offered, full] = self.receiving.offered_and_full();
            self.acknowledging.enter_quick(offered, full, QUICK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::EcnRules;
    use crate::socket::recovery::Phase;
    use crate::socket::sending_rules::{MSS, connected, rules, ten, write};
    use crate::time::{MILLISECOND, SECOND};

    fn with_ecn() -> Rules {
        Rules { ecn: EcnRules { asks: true, agrees: true, is_used: true }, ..rules() }
    }

    fn next(socket: &mut Socket) -> Notification {
        socket.poll_transmit().unwrap().segment.ecn
    }

    /// RFC 3168 §6.1.2: an echo halves the window once, and the next new data reports it once.
    #[test]
    fn an_echo_slows_down_once() {
        let mut socket = ten(with_ecn(), 40 * MILLISECOND);
        let echo = Notification { echoes: true, ..Notification::default() };
        for n in 1..=10 {
            let now = SECOND + 40 * MILLISECOND + n;
            let answer = Segment { ack: n * MSS, window: 1 << 30, echo: SECOND, ecn: echo, ..Segment::default() };
            socket.on_segment(now, &answer);
            assert_eq!((socket.recovery.phase, socket.window.threshold), (Phase::Reduced, 5), "{n}");
        }
        assert_eq!(socket.window.size, 5);
        socket.write_some(SECOND + 50 * MILLISECOND, 2 * MSS, false);
        socket.end_write(SECOND + 50 * MILLISECOND);
        write(&mut socket, SECOND + 51 * MILLISECOND, MSS);
        assert!(!socket.ecn.has_slowed_down);
        assert_eq!(socket.counts.retransmitted, 0);
    }

    /// A mark is echoed until the peer reports its reduction.
    #[test]
    fn a_mark_is_echoed_until_it_is_heard() {
        let mut socket = connected(with_ecn(), 40 * MILLISECOND);
        let mut come = |n: u64, is_marked, has_reduced| {
            let ecn = Notification { is_capable: true, is_marked, has_reduced, ..Notification::default() };
            let data = Segment { seq: n * MSS, len: MSS, frames: 1, ecn, ..Segment::default() };
            socket.on_segment(SECOND + n * MILLISECOND, &data);
            next(&mut socket).echoes
        };
        assert_eq!([come(0, false, false), come(1, true, false), come(2, false, false)], [false, true, true]);
        assert_eq!([come(3, false, true), come(4, false, false)], [false, false]);
        // A segment may be marked and report a reduction at the same time.
        assert_eq!([come(5, true, true), come(6, false, false)], [true, true]);
    }

    #[test]
    fn only_new_data_may_be_marked() {
        let mut socket = connected(with_ecn(), 40 * MILLISECOND);
        socket.write_some(SECOND, MSS, false);
        socket.end_write(SECOND);
        assert!(next(&mut socket).is_capable);
        socket.send_ack(SECOND);
        assert!(!next(&mut socket).is_capable);
        while socket.counts.retransmitted == 0 {
            let now = socket.next_timer().unwrap();
            socket.on_timer(now);
        }
        assert!(!next(&mut socket).is_capable);
    }
}
