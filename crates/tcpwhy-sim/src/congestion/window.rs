//! The congestion window and its basic operations.

use crate::time::Time;

/// `TCP_INFINITE_SSTHRESH`.
pub(crate) const NO_THRESHOLD: u64 = 0x7fff_ffff;

/// The variables that an algorithm changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// `snd_cwnd`, segments.
    pub(crate) size: u64,
    /// `snd_ssthresh`, segments.
    pub(crate) threshold: u64,
    /// `snd_cwnd_cnt`: segments acknowledged since the last growth.
    pub(super) counted: u64,
}

impl Window {
    pub(crate) const fn new(size: u64) -> Self {
        Self { size, threshold: NO_THRESHOLD, counted: 0 }
    }

    pub(crate) const fn is_in_slow_start(&self) -> bool {
        self.size < self.threshold
    }

    pub(crate) const fn forget_counted(&mut self) {
        self.counted = 0;
    }

    /// `tcp_current_ssthresh` outside of a reduction.
    pub(crate) fn current_threshold(&self) -> u64 {
        self.threshold.max(self.size / 2 + self.size / 4)
    }

    /// `tcp_slow_start`: returns the unused part of `acked`.
    pub(super) fn slow_start(&mut self, acked: u64) -> u64 {
        let size = (self.size + acked).min(self.threshold);
        let left = acked - (size - self.size);
        self.size = size;
        left
    }

    /// `tcp_cong_avoid_ai`: adds one segment per `per` acknowledged ones.
    pub(super) fn add(&mut self, per: u64, acked: u64) {
        let per = per.max(1);
        if self.counted >= per {
            self.counted = 0;
            self.size += 1;
        }
        self.counted += acked;
        if self.counted >= per {
            let more = self.counted / per;
            self.counted -= more * per;
            self.size += more;
        }
    }
}

/// Input of an algorithm per acknowledgment (`struct ack_sample`, and values that `HyStart` reads from the
/// socket).
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckSample {
    pub(crate) now: Time,
    /// Microseconds.
    pub(crate) rtt: u64,
    pub(crate) una: u64,
    pub(crate) nxt: u64,
    /// `sk_pacing_rate`, bytes/s; `None` before it is set.
    pub(crate) pacing_rate: Option<u64>,
}
