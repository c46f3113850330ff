//! What the emulator really did.

use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use tcpwhy_path::link::LinkCounts;

/// A run whose deliveries were later than this says nothing about TCP.
const LATE_P99_NS: u64 = 1_500_000;
const LATE_MAX_NS: u64 = 15_000_000;

/// What the emulator did in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EmulatorReport {
    /// How long it ran, seconds.
    pub duration_s: f64,
    /// Processor time of the relay, seconds.
    pub cpu_s: f64,
    /// Whether it ran before all ordinary work (`SCHED_FIFO`).
    pub is_real_time: bool,
    /// Deliveries against the time at which they were due.
    pub lateness: Lateness,
    /// From the sender to the receiver.
    pub forward: DirectionReport,
    /// From the receiver to the sender.
    pub back: DirectionReport,
    /// The emulation was too late to be trusted.
    pub is_late: bool,
}

/// How late frames were delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lateness {
    /// Frames that were delivered.
    pub frames: u64,
    /// Half of them were later than this, nanoseconds.
    pub p50_ns: u64,
    /// One in a hundred was later.
    pub p99_ns: u64,
    /// The latest.
    pub max_ns: u64,
}

/// One direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DirectionReport {
    /// What the link did to frames.
    #[serde(flatten)]
    pub counts: LinkCounts,
    /// Rate at which frames were delivered while the queue was not empty, bits per second with Ethernet's overhead; `None` where
    /// it never was so for 10 ms.
    pub rate_held_bps: Option<f64>,
    /// The same by the model.
    pub rate_asked_bps: Option<f64>,
    /// Writes to the receiving device; fewer than frames where neighbours went together.
    pub writes: u64,
}

/// Trains shorter than this say little of a rate: their ends may be late by a part of it. Nanoseconds.
const TRAIN: u64 = 10_000_000;

/// Rate of trains: frames that left the queue right behind each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RateHeld {
    /// Of the train that is passing.
    first_delivery: u64,
    last_delivery: u64,
    train: Passed,
    /// Of those before it.
    all: Passed,
    real_ns: u64,
}

/// Bytes behind the first frame, and the time that they take by the model.
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

    /// Whether the run is to be distrusted.
    pub const fn is_late(&self) -> bool {
        self.p99_ns > LATE_P99_NS || self.max_ns > LATE_MAX_NS
    }
}
