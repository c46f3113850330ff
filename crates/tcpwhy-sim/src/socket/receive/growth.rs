//! Growth of the window, depending on the memory of segments and on the program's reads.

use super::Receiving;
use crate::rules::Growth;
use crate::segment::Segment;
use crate::socket::round_trip::RoundTrip;
use crate::time::{MICROSECOND, MILLISECOND, Time, micros};
use tcpwhy_kernel::window::WindowShare;

/// Segments that `tcp_rcv_space_adjust` added to absorb small variations (until 6.15).
const CUSHION: u64 = 16;

impl Receiving {
    /// `tcp_grow_window`: returns whether it grew. `taken`: memory in use.
    pub(super) fn grow(&mut self, segment: &Segment, memory: u64, taken: u64) -> bool {
        let space = self.window_of(self.limit.saturating_sub(taken));
        let room = self.clamp.min(space).saturating_sub(self.threshold);
        if room == 0 {
            return false;
        }
        let grows = if self.window_of(memory) <= segment.len {
            2 * self.announced
        } else {
            self.careful_growth(segment.len, memory)
        };
        if grows == 0 {
            return false;
        }
        self.threshold += grows.max(2 * segment.len).min(room);
        true
    }

    /// `__tcp_grow_window`: small segments let the window grow as far as their memory fits.
    fn careful_growth(&self, len: u64, memory: u64) -> u64 {
        let mut memory = self.window_of(memory) / 2;
        let mut window = self.window_of(self.most_limit) / 2;
        while self.threshold <= window {
            if memory <= len {
                return 2 * self.segment;
            }
            memory /= 2;
            window /= 2;
        }
        0
    }

    /// `tcp_rcv_rtt_measure_ts`.
    pub(super) fn measure_round_trip(&mut self, segment: &Segment, now: Time) {
        let echo = self.ticks.stamp(segment.echo);
        if segment.echo == 0 || echo == self.last_echo {
            return;
        }
        self.last_echo = echo;
        let stamps = self.ticks.stamp(now).saturating_sub(echo);
        if segment.len >= self.segment && stamps > 0 {
            self.note_round_trip(micros(stamps * MILLISECOND), true);
        }
    }

    /// `tcp_rcv_rtt_update`: the minimum for samples by windows, the mean for samples by timestamps. Since
    /// 6.16 the minimum counts for both. Longer samples by timestamps then raise it slowly, while no data
    /// waits to be read.
    fn note_round_trip(&mut self, sample: u64, is_by_stamps: bool) {
        let is_mean = self.version.growth == Growth::Cushioned && is_by_stamps;
        if self.rtt == 0 || (sample * 8 < self.rtt && !is_mean) {
            self.rtt = sample * 8;
        } else if is_mean || (is_by_stamps && self.next == self.read) {
            self.rtt = self.rtt - self.rtt / 8 + sample;
        }
    }

    /// Round trip that determines the delay of compressed ACKs, in eighths of microseconds.
    pub(super) fn round_trip(&self, sending: &RoundTrip) -> u64 {
        let smoothed = sending.eighths();
        if smoothed > 0 { self.rtt.min(smoothed) } else { self.rtt }
    }

    /// `tcp_rcv_rtt_measure`: time for one window of data, for paths shorter than the unit of timestamps.
    pub(super) fn measure_by_window(&mut self, now: Time) {
        if let Some(since) = self.rtt_since {
            if self.next < self.rtt_ends {
                return;
            }
            self.note_round_trip(micros(now - since).max(1), false);
        }
        self.rtt_ends = self.next + self.offered;
        self.rtt_since = Some(now);
    }

    /// `tcp_rcv_space_adjust`: the buffer should hold twice the bytes read in a round trip.
    pub(super) fn adjust_space(&mut self) {
        let now = self.clock;
        if self.rtt == 0 || micros(now.saturating_sub(self.space_since)) < self.rtt / 8 {
            return;
        }
        let waiting = if self.version.subtracts_waiting { self.next - self.read } else { 0 };
        let read = (self.read - self.space_from).saturating_sub(waiting);
        if read > self.space {
            let before = std::mem::replace(&mut self.space, read);
            self.grow_buffer(read, before);
        }
        self.space_from = self.read;
        self.space_since = now;
    }

    /// `tcp_rcvbuf_grow`.
    fn grow_buffer(&mut self, read: u64, before: u64) {
        if self.is_limit_set || !self.is_moderated {
            return;
        }
        let memory = self.memory_for(self.wanted(read, before)).min(self.most_limit);
        if memory > self.limit {
            self.limit = memory;
            self.clamp = self.window_of(memory);
        }
    }

    /// The window to advertise after `read` bytes were read in a round trip; `before` were the most in any
    /// earlier one.
    fn wanted(&self, read: u64, before: u64) -> u64 {
        let twice = 2 * read;
        // The rate may double in slow start.
        let part = |window: u64, share: u64, whole: u64| {
            let part = u128::from(window) * u128::from(share) / u128::from(whole.max(1));
            u64::try_from(part).unwrap_or(u64::MAX / 4)
        };
        let by_growth = |window: u64| window.saturating_add(2 * part(window, read - before, before));
        let window = match self.version.growth {
            Growth::Cushioned => by_growth(twice + CUSHION * self.announced),
            Growth::Twice => twice,
            Growth::WithShortPaths if self.rtt / 8 * MICROSECOND < self.low_round_trip => {
                twice.saturating_add(part(twice, self.rtt / 8 * MICROSECOND, self.low_round_trip))
            }
            Growth::WithRise | Growth::WithShortPaths => by_growth(twice),
        };
        match self.behind.last_end() {
            Some(end) if self.version.growth != Growth::Cushioned => window + end.saturating_sub(self.next),
            _ => window,
        }
    }

    /// Memory needed for a window of `window` bytes (`tcp_space_from_win`; until 6.5 in whole segments).
    fn memory_for(&self, window: u64) -> u64 {
        match self.share {
            WindowShare::Ratio(ratio) => {
                u64::try_from((u128::from(window) << 8) / u128::from(ratio.max(1))).unwrap_or(u64::MAX)
            }
            WindowShare::AdvWinScale(_) => (window / self.announced.max(1)).saturating_mul(self.memory_per_segment),
        }
    }

    /// Data arrived after a hole (`tcp_data_queue_ofo` since 6.16), for which the buffer needs room.
    pub(super) fn grow_for_holes(&mut self) {
        if self.version.growth != Growth::Cushioned {
            self.grow_buffer(self.space, self.space);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{HostRules, Rules, SocketOptions};
    use tcpwhy_kernel::Link;

    /// `sk_rcvbuf` on guests with these kernels, between namespaces without offloads at 200 ms. The two
    /// numbers are the bytes read in the current round trip, and in the largest earlier one.
    #[test]
    fn buffers_grow_as_measured() {
        for (version, read, before, measured) in [
            // The initial space is ten segments of 1,460 bytes.
            ("5.10", 37_648, 14_600, 823_440),
            ("6.1", 37_648, 14_480, 832_200),
            ("6.12.117", 17_376, 14_480, 131_383),
            ("6.12.117", 43_440, 17_376, 713_222),
            ("6.17.8", 57_920, 14_480, 187_690),
            ("6.18.15", 31_856, 14_480, 350_979),
            ("7.3.4", 31_856, 14_480, 350_979),
        ] {
            let host = HostRules::defaults(version.parse().unwrap());
            let mut receiving = Receiving::new(&Rules::new(&host, &SocketOptions::default(), &Link::ETHERNET));
            receiving.rtt = 8 * 200_000;
            if let WindowShare::Ratio(ratio) = &mut receiving.share {
                // A segment of 1,448 bytes with 896 bytes of overhead.
                *ratio = 158;
            }
            // `MAX_TCP_HEADER` is 256 in the two oldest kernels.
            receiving.memory_per_segment = 2_920;
            let memory = receiving.memory_for(receiving.wanted(read, before));
            assert_eq!(memory, measured, "{version}");
        }
    }
}
