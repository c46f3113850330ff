//! Measurements of the emulator during a run.

use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use tcpwhy_path::link::LinkCounts;

/// Limits for the lateness of deliveries, nanoseconds. A run with later deliveries is no evidence about TCP.
const LATE_P99_NS: u64 = 1_500_000;
const LATE_MAX_NS: u64 = 15_000_000;

/// Measurements of the emulator in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EmulatorReport {
    /// Duration of the run, seconds.
    pub duration_s: f64,
    /// CPU time of the relay, seconds.
    pub cpu_s: f64,
    /// Whether the relay ran before all ordinary threads (`SCHED_FIFO`).
    pub is_real_time: bool,
    /// Delay of deliveries after their due time.
    pub lateness: Lateness,
    /// From the sender to the receiver.
    pub forward: DirectionReport,
    /// From the receiver to the sender.
    pub back: DirectionReport,
    /// Whether the deliveries were too late for reliable results.
    pub is_late: bool,
}

/// Lateness of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lateness {
    /// Frames that were delivered.
    pub frames: u64,
    /// Median, nanoseconds.
    pub p50_ns: u64,
    /// 99th percentile, nanoseconds.
    pub p99_ns: u64,
    /// Maximum, nanoseconds.
    pub max_ns: u64,
}

/// One direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DirectionReport {
    /// Effects of the link on frames.
    #[serde(flatten)]
    pub counts: LinkCounts,
    /// Rate at which frames were delivered while the queue was not empty, bits per second with Ethernet's
    /// overhead. `None` if the queue was never filled for 10 ms.
    pub rate_held_bps: Option<f64>,
    /// The same rate by the model of the link.
    pub rate_asked_bps: Option<f64>,
    /// Writes to the receiving device. There are fewer than frames if segments were joined.
    pub writes: u64,
}

/// Shortest train that counts for a rate, nanoseconds. The ends of a shorter one may be late by a large part
/// of it.
const TRAIN: u64 = 10_000_000;

/// Rate of trains: frames that left the queue directly after each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RateHeld {
    /// First delivery of the current train.
    first_delivery: u64,
    last_delivery: u64,
    train: Passed,
    /// Sums of the previous trains.
    all: Passed,
    real_ns: u64,
}

/// Bytes after the first frame, and their transmission time by the model, nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Passed {
    bytes: u64,
    model_ns: u64,
}

impl RateHeld {
    pub(super) const fn delivered(&mut self, now: u64, bytes: u32, gap: Option<u64>) {
        if let Some(gap) = gap {
            self.train.bytes += bytes as u64;
            self.train.model_ns += gap;
        } else {
            self.end_train();
            self.first_delivery = now;
        }
        self.last_delivery = now;
    }

    const fn end_train(&mut self) {
        if self.train.model_ns >= TRAIN {
            self.all.bytes += self.train.bytes;
            self.all.model_ns += self.train.model_ns;
            self.real_ns += self.last_delivery - self.first_delivery;
        }
        self.train = Passed { bytes: 0, model_ns: 0 };
    }

    pub(super) fn report(mut self, counts: LinkCounts, writes: u64) -> DirectionReport {
        self.end_train();
        let rate = |nanos: u64| (nanos > 0).then(|| self.all.bytes as f64 * 8e9 / nanos as f64);
        DirectionReport { counts, rate_held_bps: rate(self.real_ns), rate_asked_bps: rate(self.all.model_ns), writes }
    }
}

impl Lateness {
    pub(super) fn of(histogram: &Histogram) -> Self {
        Self {
            frames: histogram.count(),
            p50_ns: histogram.quantile(0.5),
            p99_ns: histogram.quantile(0.99),
            max_ns: histogram.max(),
        }
    }

    /// Whether the deliveries were too late for reliable results.
    pub const fn is_late(&self) -> bool {
        self.p99_ns > LATE_P99_NS || self.max_ns > LATE_MAX_NS
    }
}
