//! Simulated transfers, ready to be shown: data that text and JSON are made from.

use tcpwhy_model::Cause;

/// A simulated transfer.
#[derive(Clone, Debug, PartialEq)]
pub struct SimRun {
    /// Name of the scenario.
    pub name: String,
    /// Its title in the reader's language; empty if it has none.
    pub title: String,
    /// Series of both kernels: `6.18`.
    pub kernel: String,
    /// What was set instead of what its file says: keys and values as typed.
    pub settings: Vec<(String, String)>,
    /// Seed of everything random.
    pub seed: u64,
    /// Payload bytes that the receiver's program read.
    pub bytes: u64,
    /// From the first step of who opens the connection until the transfer is over.
    pub seconds: f64,
    /// What held the sender back, in nanoseconds, the longest first.
    pub limits: Vec<(Cause, u64)>,
    /// Counts of the sender and of the receiver.
    pub ends: [SimEnd; 2],
    /// Counts of the way there and of the way back.
    pub paths: [SimPath; 2],
    /// Durations of more runs; `None`: there was one.
    pub range: Option<SimRange>,
}

/// What one socket counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimEnd {
    /// Segments with data, each as often as it was sent.
    pub data_segments: u64,
    /// Segments that were retransmitted.
    pub retransmitted: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// The largest congestion window, segments.
    pub largest_window: u64,
    /// Its send buffer and its receive buffer in the end, bytes.
    pub buffers: [u64; 2],
}

/// What one direction of the path counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimPath {
    /// Frames that came.
    pub frames: u64,
    /// Those of them that the scenario's losses took.
    pub lost: u64,
    /// Those of them that a full queue or a policer dropped.
    pub dropped: u64,
}

/// Durations of the same transfer with other losses and other hosts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimRange {
    /// Runs, the first counted.
    pub runs: u64,
    /// The shortest, less what the simulator itself may be off.
    pub low_seconds: f64,
    /// The one in the middle.
    pub median_seconds: f64,
    /// The longest, and so much more.
    pub high_seconds: f64,
    /// Runs that did not end by their deadline, and are in no other number.
    pub stalled: u64,
}

impl SimRun {
    /// Bits per second; 0 if it took no time.
    pub fn goodput(&self) -> f64 {
        if self.seconds > 0.0 { self.bytes as f64 * 8.0 / self.seconds } else { 0.0 }
    }
}
