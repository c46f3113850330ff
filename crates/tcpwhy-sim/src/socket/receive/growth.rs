//! How the window grows: with what segments leave of their memory, and with what the program reads.

use super::{Receiving, STAMP};
use crate::segment::Segment;
use crate::time::{MICROSECOND, Time, micros};

impl Receiving {
    /// `tcp_grow_window`: whether it grew.
    pub(super) fn grow(&mut self, segment: &Segment, memory: u64) -> bool {
        let space = self.window_of(self.limit.saturating_sub(self.taken()));
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

    /// `__tcp_grow_window`: small segments let it grow to where their memory fits.
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

    /// `tcp_rcv_rtt_measure_ts`, `tcp_rcv_rtt_measure`.
    pub(super) fn measure_round_trip(&mut self, segment: &Segment, now: Time) {
        self.measure_by_window(now);
        if segment.echo == 0 || segment.echo == self.last_echo {
            return;
        }
        self.last_echo = segment.echo;
        let stamps = (now / STAMP).saturating_sub(segment.echo / STAMP);
        if segment.len >= self.segment && stamps > 0 {
            let sample = micros(stamps * STAMP);
            self.rtt = if self.rtt == 0 { sample * 8 } else { self.rtt - self.rtt / 8 + sample };
        }
    }

    /// How long a window takes: for paths whose stamps do not differ.
    fn measure_by_window(&mut self, now: Time) {
        if let Some(since) = self.rtt_since {
            if self.next < self.rtt_ends {
                return;
            }
            let sample = micros(now - since).max(1) * 8;
            self.rtt = if self.rtt == 0 { sample } else { self.rtt.min(sample) };
        }
        self.rtt_ends = self.next + self.offered;
        self.rtt_since = Some(now);
    }

    /// `tcp_rcv_space_adjust` with `tcp_rcvbuf_grow` (6.18): the buffer is to hold twice what was read in a
    /// round trip.
    pub(super) fn adjust_space(&mut self, now: Time) {
        let round_trip = self.rtt / 8 * MICROSECOND;
        if round_trip == 0 || now - self.space_since < round_trip {
            return;
        }
        let waiting = self.next - self.read;
        let read = (self.read - self.space_from).saturating_sub(waiting);
        if read > self.space {
            let before = std::mem::replace(&mut self.space, read);
            if !self.is_limit_set {
                self.grow_buffer(read, before);
            }
        }
        self.space_from = self.read;
        self.space_since = now;
    }

    fn grow_buffer(&mut self, read: u64, before: u64) {
        let mut window = 2 * read;
        // Slow start doubles what comes.
        let more = u128::from(window) * u128::from(read - before) / u128::from(before.max(1));
        window = window.saturating_add(2 * u64::try_from(more).unwrap_or(u64::MAX / 4));
        if let Some(end) = self.behind.last_end() {
            window += end.saturating_sub(self.next);
        }
        let memory = u64::try_from((u128::from(window) << 8) / u128::from(self.ratio)).unwrap_or(u64::MAX);
        let memory = memory.min(self.most_limit);
        if memory > self.limit {
            self.limit = memory;
            self.clamp = self.window_of(memory);
        }
    }
}
