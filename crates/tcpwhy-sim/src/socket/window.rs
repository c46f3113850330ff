//! Use of the congestion window, and the pacing rate (`tcp_cwnd_validate`, `tcp_update_pacing_rate`).

use super::Socket;
use super::recovery::Phase;
use crate::time::{SECOND, Time};

/// `sk_pacing_shift`: a burst has at most the bytes of 1/1024 s.
pub(super) const PACING_SHIFT: u32 = 10;

impl Socket {
    /// `tcp_is_cwnd_limited`.
    pub(super) const fn is_window_used(&self) -> bool {
        self.usage.is_limited || (self.window.is_in_slow_start() && self.window.size < 2 * self.usage.most_out)
    }

    /// `tcp_cwnd_validate`, called after a send, or if the window limited the send.
    pub(super) fn validate_window(&mut self, now: Time, is_limited: bool) {
        let out = self.sent.count();
        let usage = &mut self.usage;
        if self.una >= usage.ends || is_limited || (!usage.is_limited && out > usage.most_out) {
            (usage.is_limited, usage.most_out, usage.ends) = (is_limited, out, self.nxt);
        }
        self.counts.largest_window = self.counts.largest_window.max(self.window.size);
        if self.is_window_used() {
            (self.usage.used, self.usage.stamp) = (0, now);
            return;
        }
        self.usage.used = self.usage.used.max(out);
        let ticks = self.rules.ticks;
        let rest = ticks.at(now) - ticks.at(self.usage.stamp);
        if self.shrinks_after_rest() && rest >= ticks.of(self.round_trip.rto()) {
            self.shrink_unused(now);
        }
    }

    /// Whether an idle time shrinks the window; algorithms that set their own window are exempt.
    const fn shrinks_after_rest(&self) -> bool {
        self.rules.has_slow_start_after_idle && !self.control.sets_rate()
    }

    /// `tcp_cwnd_application_limited`.
    fn shrink_unused(&mut self, now: Time) {
        if self.recovery.phase == Phase::Open && !self.queue.is_awaited {
            let used = self.usage.used.max(self.rules.initial_window);
            if used < self.window.size {
                self.window.threshold = self.window.current_threshold();
                self.window.size = u64::midpoint(self.window.size, used);
            }
            self.usage.used = 0;
        }
        self.usage.stamp = now;
    }

    /// `tcp_slow_start_after_idle_check`, `tcp_cwnd_restart`.
    pub(super) fn restart_after_rest(&mut self, now: Time) {
        if !self.shrinks_after_rest() || !self.sent.is_empty() || self.last_sent == 0 {
            return;
        }
        let ticks = self.rules.ticks;
        let rto = ticks.of(self.round_trip.rto());
        let mut rest = ticks.at(now) - ticks.at(self.last_sent);
        if rest <= rto {
            return;
        }
        self.window.threshold = self.window.current_threshold();
        let least = self.rules.initial_window.min(self.window.size);
        let mut size = self.window.size;
        while rest > rto && size > least {
            rest -= rto;
            if rest > 0 {
                size /= 2;
            }
        }
        self.window.size = size.max(least);
        (self.usage.stamp, self.usage.used) = (now, 0);
    }

    /// `tcp_update_pacing_rate`.
    pub(super) fn update_pacing_rate(&mut self) {
        let eighths = self.round_trip.eighths();
        if eighths == 0 {
            return;
        }
        let percent = self.rules.pacing[usize::from(self.window.size >= self.window.threshold / 2)];
        let segments = self.window.size.max(self.sent.count());
        let bytes = u128::from(self.mss() * segments * percent) * u128::from(8 * SECOND / 1000 / 100);
        self.pacing_rate = u64::try_from(bytes / u128::from(eighths)).ok();
    }

    /// Bytes of 1/1024 s at the pacing rate.
    pub(super) fn paced_bytes(&self) -> u64 {
        self.pacing_rate.map_or(u64::MAX, |rate| rate >> PACING_SHIFT)
    }

    /// `tcp_tso_autosize`: maximum number of segments per burst.
    pub(super) fn burst_segments(&self) -> u64 {
        let largest = self.rules.largest_burst;
        // The additional burst size halves per 512 µs of round trip.
        let more = self.rules.burst_round_trip_shift.map_or(0, |shift| {
            let halvings = self.round_trip.least() >> shift;
            if halvings < 32 { largest >> halvings } else { 0 }
        });
        let bytes = self.paced_bytes().saturating_add(more).min(largest);
        (bytes / self.mss()).max(self.control.least_burst(self.rules.least_burst))
    }

    /// Payload of a full segment: at most half of the largest window that the peer has advertised
    /// (`tcp_bound_to_half_wnd`).
    pub(super) fn mss(&self) -> u64 {
        self.rules.mss.min(self.half_of_window()).max(1)
    }

    const fn half_of_window(&self) -> u64 {
        match self.largest_peer_window {
            0 => u64::MAX,
            small @ 1..=536 => small,
            large => large / 2,
        }
    }

    /// `tcp_xmit_size_goal`: maximum bytes of one buffer.
    pub(super) fn size_goal(&self) -> u64 {
        let mss = self.mss();
        (self.rules.largest_burst.min(self.half_of_window()) / mss).max(1) * mss
    }

    /// `tcp_sndbuf_expand`, if growth is allowed (`tcp_should_expand_sndbuf`).
    pub(super) fn expand_send_buffer(&mut self, now: Time) {
        if self.rules.is_sndbuf_set || self.sent.in_flight() >= self.window.size {
            return;
        }
        let segments = self.window.size.max(self.rules.initial_window).max(self.recovery.reordering + 1);
        let wanted = self.control.windows_of_buffer() * segments * self.rules.memory_per_segment;
        self.queue.limit = self.queue.limit.max(wanted.min(self.rules.most_sndbuf));
        // In any case, `tcp_new_space` marks the window as used.
        self.usage.stamp = now;
    }
}
