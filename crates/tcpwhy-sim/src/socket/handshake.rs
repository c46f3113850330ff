//! Effects of lost handshake segments.

use super::Socket;
use crate::segment::Kind;
use crate::time::Time;

/// Number of retransmissions after which the first window is still full. With more, it is one segment
/// (`tcp_init_transfer`; RFC 5681 §3.1 requires this after the first).
const FORGIVEN: u32 = 1;

impl Socket {
    /// Number of doublings of the wait for an answer. The wait for the answer to a SYN does not double at
    /// first (`tcp_syn_linear_timeouts`).
    pub(super) const fn handshake_doublings(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Syn => self.handshake_tries.saturating_sub(self.rules.linear_syns),
            Kind::SynAck | Kind::Plain | Kind::Reset => self.handshake_tries,
        }
    }

    /// Send time of the answered segment, if it was sent only once.
    pub(super) const fn asked_once(&self) -> Option<Time> {
        if self.handshake_tries == 1 { Some(self.opened) } else { None }
    }

    /// `tcp_init_transfer`.
    pub(super) const fn begin_window(&mut self) {
        if self.handshake_tries.saturating_sub(1) > FORGIVEN {
            self.window.size = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Segment;
    use crate::testing::rules;
    use crate::time::SECOND;

    /// A socket whose first `lost` SYNs are lost, and their send times.
    fn opened(lost: usize) -> (Socket, Vec<Time>) {
        let mut socket = Socket::new(rules());
        let mut sent = vec![0];
        socket.open(0);
        while sent.len() <= lost {
            let now = socket.next_timer().unwrap();
            while socket.poll_transmit().is_some() {}
            socket.on_timer(now);
            sent.push(now);
        }
        let now = sent[lost];
        let answer = Segment { kind: Kind::SynAck, window: 65_535, echo: now, ..Segment::default() };
        socket.on_segment(now + SECOND / 50, &answer);
        (socket, sent)
    }

    #[test]
    fn a_syn_is_tried_five_times_before_the_wait_doubles() {
        let seconds: Vec<_> = opened(7).1.iter().map(|at| at / SECOND).collect();
        assert_eq!(seconds, [0, 1, 2, 3, 4, 5, 7, 11]);
    }

    #[test]
    fn the_second_lost_syn_costs_the_first_window() {
        assert_eq!(opened(1).0.window.size, 10);
        assert_eq!(opened(2).0.window.size, 1);
    }
}
