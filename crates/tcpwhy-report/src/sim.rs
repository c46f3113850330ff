//! Simulated transfers: the data that text and JSON are made from.

use tcpwhy_model::Cause;

/// A simulated transfer.
#[derive(Clone, Debug, PartialEq)]
pub struct SimRun {
    /// Name of the scenario.
    pub name: String,
    /// Its title in the reader's language; empty if it has none.
    pub title: String,
    /// Kernel series of both ends: `6.18`.
    pub kernel: String,
    /// Values that replace those of the scenario's file: keys and values as typed.
    pub settings: Vec<(String, String)>,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Payload bytes that the receiver's program read.
    pub bytes: u64,
    /// Seconds from the first step of the end that opens the connection to the end of the transfer.
    pub seconds: f64,
    /// Limits of the sender, with nanoseconds, longest first.
    pub limits: Vec<(Cause, u64)>,
    /// Counts of the sender and of the receiver.
    pub ends: [SimEnd; 2],
    /// Counts of the path from sender to receiver, and back.
    pub paths: [SimPath; 2],
    /// Durations of several runs; `None` if there was only one.
    pub range: Option<SimRange>,
}

/// Counts of one socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimEnd {
    /// Segments with data, retransmissions included.
    pub data_segments: u64,
    /// Segments that were retransmitted.
    pub retransmitted: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Largest congestion window, segments.
    pub largest_window: u64,
    /// Final sizes of its send buffer and its receive buffer, bytes.
    pub buffers: [u64; 2],
}

/// Counts of one direction of the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimPath {
    /// Frames that entered it.
    pub frames: u64,
    /// Frames that the scenario's random loss removed.
    pub lost: u64,
    /// Frames that a full queue or a policer dropped.
    pub dropped: u64,
}

/// Durations of the same transfer with other losses and other hosts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimRange {
    /// Number of runs, including the first.
    pub runs: u64,
    /// Shortest duration, less the error of the simulator itself.
    pub low_seconds: f64,
    /// Median duration.
    pub median_seconds: f64,
    /// Longest duration, plus the error of the simulator itself.
    pub high_seconds: f64,
    /// Runs that did not end by their deadline; the other numbers exclude them.
    pub stalled: u64,
}

impl SimRun {
    /// Bits per second; 0 if it took no time.
    pub fn goodput(&self) -> f64 {
        if self.seconds > 0.0 { self.bytes as f64 * 8.0 / self.seconds } else { 0.0 }
    }
}
