//! The socket's internal pacing, for algorithms that set a rate (`SK_PACING_NEEDED`).

use super::Socket;
use crate::time::{SECOND, Time};

/// The first window is not paced, as with the queueing discipline fq (`tcp_update_skb_after_send`).
const UNPACED: u64 = 10;

impl Socket {
    /// `tcp_pacing_check`: whether the next segment must wait. If so, sets the timer.
    pub(super) fn is_paced(&mut self, now: Time) -> bool {
        if !self.control.sets_rate() || self.write_stamp <= now {
            return false;
        }
        self.pacing_due.get_or_insert(self.write_stamp);
        true
    }

    /// `tcp_update_skb_after_send`: after `len` bytes, sets the time of the next send at the rate. Idle time
    /// since `prior` is credited, up to half of the time for these bytes.
    pub(super) fn pace(&mut self, len: u64, prior: Time) {
        if !self.control.sets_rate() || self.counts.data_segments < UNPACED {
            return;
        }
        let takes = self.pacing_rate.map(u128::from).and_then(|rate| (u128::from(len * SECOND)).checked_div(rate));
        let Some(takes) = takes.and_then(|takes| u64::try_from(takes).ok()) else { return };
        let credit = (takes / 2).min(self.write_stamp - prior);
        self.write_stamp += takes - credit;
    }

    /// `tcp_pacing_delay`: additional time of timers for later sends, in ticks of the kernel's clock.
    pub(super) fn pacing_delay(&self, now: Time) -> Time {
        let tick = self.rules.ticks.round_up(1);
        self.write_stamp.saturating_sub(now) / tick * tick
    }

    /// `tcp_pace_kick`: the paced send is due.
    pub(super) fn on_pace(&mut self, now: Time) {
        self.pacing_due = None;
        self.retransmit_lost(now);
        self.push(now, self.own_nagle());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Algorithm, Rules};
    use crate::segment::{Kind, Segment};
    use crate::testing::rules;
    use crate::time::MILLISECOND;

    /// A socket whose handshake took 20 ms, with 300 kB to send.
    fn sending(algorithm: Algorithm) -> (Socket, Time) {
        let mut socket = Socket::new(Rules { algorithm, sndbuf: 4 << 20, ..rules() });
        socket.open(0);
        let now = 20 * MILLISECOND;
        let answer = Segment { kind: Kind::SynAck, window: 1 << 20, ..Segment::default() };
        while socket.poll_transmit().is_some() {}
        socket.on_segment(now, &answer);
        while socket.poll_transmit().is_some() {}
        let mut left = 300_000;
        while left > 0 {
            left -= socket.write_some(now, left, left < 300_000);
        }
        socket.end_write(now);
        (socket, now)
    }

    /// Time and bytes of each burst.
    fn bursts(socket: &mut Socket, mut now: Time, until: Time) -> Vec<(Time, u64)> {
        let mut all = Vec::new();
        loop {
            while let Some(burst) = socket.poll_transmit() {
                all.push((now, burst.segment.len));
                socket.on_left_host(now, burst.memory, true);
            }
            match socket.next_timer() {
                Some(at) if at <= until => now = at,
                _ => return all,
            }
            socket.on_timer(now);
        }
    }

    #[test]
    fn a_window_leaves_in_bursts_at_the_rate() {
        let (mut socket, began) = sending(Algorithm::Bbr);
        // The initial window would allow only ten segments.
        socket.window.size = 100;
        let rate = socket.pacing_rate.unwrap();
        let all = bursts(&mut socket, began, began + 19 * MILLISECOND);
        assert!(all.len() > 5, "{all:?}");
        let mut sent = 0;
        for pair in all.windows(2) {
            let ((at, len), (next, _)) = (pair[0], pair[1]);
            sent += len;
            if sent >= UNPACED * socket.mss() {
                let takes = len * SECOND / rate;
                assert!(next - at >= takes / 2 && next - at <= takes + 1, "{at} {len} {next}");
            } else {
                assert_eq!(at, next, "the first window leaves at once");
            }
        }
        // Half of the time since the start of the connection is credited to the first send.
        let allowed = rate * 19 / 1_000 + 2 * UNPACED * socket.mss();
        assert!(sent < allowed, "{sent} of {allowed}");
    }

    #[test]
    fn others_are_not_paced() {
        let (mut socket, began) = sending(Algorithm::Cubic);
        socket.window.size = 100;
        socket.push(began, socket.own_nagle());
        let all = bursts(&mut socket, began, began + MILLISECOND);
        assert!(all.iter().all(|&(at, _)| at == began), "{all:?}");
        assert_eq!(socket.pacing_due, None);
    }

    #[test]
    fn timers_run_longer_by_whole_ticks() {
        let (mut socket, began) = sending(Algorithm::Bbr);
        let tick = socket.rules.ticks.round_up(1);
        socket.write_stamp = began + tick - 1;
        assert_eq!(socket.pacing_delay(began), 0);
        socket.write_stamp = began + 2 * tick + 5;
        assert_eq!(socket.pacing_delay(began), 2 * tick);
    }
}
