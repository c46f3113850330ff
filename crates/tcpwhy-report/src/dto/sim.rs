//! What `tcpwhy sim run --json` writes.

use serde::Serialize;

use tcpwhy_model::Cause;

use super::limit_share::detail_id;
use super::{Id, SCHEMA, Tool, rounded};
use crate::ratio::ratio;
use crate::sim;

/// What `tcpwhy sim run --json` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct SimDocument {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Who wrote it.
    pub(crate) tool: Tool,
    /// In the order in which they were named.
    pub(crate) runs: Vec<SimRun>,
}

/// One simulated transfer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimRun {
    /// Name of the scenario.
    pub(crate) scenario: String,
    /// Its title, in the language asked for; empty if it has none.
    pub(crate) title: String,
    /// Series of both kernels, as `6.18`.
    pub(crate) kernel: String,
    /// What was set instead of what its file says.
    pub(crate) settings: Vec<SimSetting>,
    /// Decides everything random.
    pub(crate) seed: u64,
    /// Payload bytes that the receiver's program read.
    pub(crate) bytes: u64,
    /// From the first step of who opens the connection until the transfer is over.
    pub(crate) duration_s: f64,
    /// Those bytes over that time.
    pub(crate) goodput_bits_per_s: f64,
    /// What held the sender back, the longest first.
    pub(crate) limits: Vec<SimLimit>,
    /// Counts of the sender's socket.
    pub(crate) sender: SimEnd,
    /// Counts of the receiver's socket.
    pub(crate) receiver: SimEnd,
    /// From the sender to the receiver.
    pub(crate) forward: SimPath,
    /// From the receiver to the sender.
    pub(crate) back: SimPath,
    /// Durations of more runs, with other losses and other hosts; null: there was one run.
    pub(crate) range: Option<SimRange>,
}

/// A value that was set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimSetting {
    /// As typed.
    pub(crate) key: String,
    /// As typed.
    pub(crate) value: String,
}

/// Time under one limit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimLimit {
    /// Limit id.
    pub(crate) limit: Id,
    /// Detail id; null when the limit has one form.
    pub(crate) detail: Option<Id>,
    /// Time.
    pub(crate) seconds: f64,
    /// Its part of the time in which anything held the sender back, between 0 and 1.
    pub(crate) share: f64,
}

/// What one socket counted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimEnd {
    /// Segments with data, each as often as it was sent.
    pub(crate) data_segments: u64,
    /// Segments that were retransmitted.
    pub(crate) retransmitted_segments: u64,
    /// Retransmission timeouts.
    pub(crate) timeouts: u64,
    /// The largest congestion window.
    pub(crate) largest_congestion_window_segments: u64,
    /// Its send buffer in the end (`sk_sndbuf`).
    pub(crate) send_buffer_bytes: u64,
    /// Its receive buffer in the end (`sk_rcvbuf`).
    pub(crate) receive_buffer_bytes: u64,
}

/// What one direction of the path counted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimPath {
    /// Frames that came.
    pub(crate) frames: u64,
    /// Those of them that the scenario's losses took.
    pub(crate) lost_frames: u64,
    /// Those of them that a full queue or a policer dropped.
    pub(crate) dropped_frames: u64,
}

/// Durations of several runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimRange {
    /// Runs, the first counted.
    pub(crate) runs: u64,
    /// The shortest, less 5 % that the simulator itself may be off.
    pub(crate) low_s: f64,
    /// The one in the middle.
    pub(crate) median_s: f64,
    /// The longest, and 5 % more.
    pub(crate) high_s: f64,
    /// Runs that did not end by their deadline, and are in no other number.
    pub(crate) stalled_runs: u64,
}

impl SimDocument {
    /// The document with these runs.
    pub fn new(runs: &[sim::SimRun]) -> Self {
        Self { schema: SCHEMA.into(), tool: Tool::this(), runs: runs.iter().map(SimRun::from).collect() }
    }
}

impl From<&sim::SimRun> for SimRun {
    fn from(run: &sim::SimRun) -> Self {
        let total: u64 = run.limits.iter().map(|(_, nanos)| nanos).sum();
        let limit = |&(cause, nanos): &(Cause, u64)| SimLimit {
            limit: cause.limit.id().into(),
            detail: detail_id(cause),
            seconds: nanos as f64 / 1e9,
            share: rounded(ratio(nanos as f64, total as f64)),
        };
        let setting = |(key, value): &(String, String)| SimSetting { key: key.clone(), value: value.clone() };
        let [sender, receiver] = run.ends.map(SimEnd::from);
        let [forward, back] = run.paths.map(SimPath::from);
        Self {
            scenario: run.name.clone(),
            title: run.title.clone(),
            kernel: run.kernel.clone(),
            settings: run.settings.iter().map(setting).collect(),
            seed: run.seed,
            bytes: run.bytes,
            duration_s: run.seconds,
            goodput_bits_per_s: run.goodput(),
            limits: run.limits.iter().map(limit).collect(),
            sender,
            receiver,
            forward,
            back,
            range: run.range.map(SimRange::from),
        }
    }
}

impl From<sim::SimEnd> for SimEnd {
    fn from(end: sim::SimEnd) -> Self {
        Self {
            data_segments: end.data_segments,
            retransmitted_segments: end.retransmitted,
            timeouts: end.timeouts,
            largest_congestion_window_segments: end.largest_window,
            send_buffer_bytes: end.buffers[0],
            receive_buffer_bytes: end.buffers[1],
        }
    }
}

impl From<sim::SimPath> for SimPath {
    fn from(path: sim::SimPath) -> Self {
        Self { frames: path.frames, lost_frames: path.lost, dropped_frames: path.dropped }
    }
}

impl From<sim::SimRange> for SimRange {
    fn from(range: sim::SimRange) -> Self {
        Self {
            runs: range.runs,
            low_s: range.low_seconds,
            median_s: range.median_seconds,
            high_s: range.high_seconds,
            stalled_runs: range.stalled,
        }
    }
}
