//! The document that `tcpwhy sim run --json` writes.

use serde::Serialize;

use tcpwhy_model::Cause;

use super::limit_share::detail_id;
use super::{Id, SCHEMA, Tool, rounded};
use crate::ratio::ratio;
use crate::sim;

/// The document that `tcpwhy sim run --json` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct SimDocument {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Program that wrote the document.
    pub(crate) tool: Tool,
    /// Runs, in the order in which they were named.
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
    /// Kernel series of both ends, such as `6.18`.
    pub(crate) kernel: String,
    /// Values that replace those of the scenario's file.
    pub(crate) settings: Vec<SimSetting>,
    /// Seed of all random numbers.
    pub(crate) seed: u64,
    /// Payload bytes that the receiver's program read.
    pub(crate) bytes: u64,
    /// Seconds from the first step of the end that opens the connection to the end of the transfer.
    pub(crate) duration_s: f64,
    /// Payload bytes per time.
    pub(crate) goodput_bits_per_s: f64,
    /// Limits of the sender, longest first.
    pub(crate) limits: Vec<SimLimit>,
    /// Counts of the sender's socket.
    pub(crate) sender: SimEnd,
    /// Counts of the receiver's socket.
    pub(crate) receiver: SimEnd,
    /// Path from the sender to the receiver.
    pub(crate) forward: SimPath,
    /// Path from the receiver to the sender.
    pub(crate) back: SimPath,
    /// Durations of several runs with other losses and other hosts; null if there was only one run.
    pub(crate) range: Option<SimRange>,
}

/// A value that was set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimSetting {
    /// Key as typed.
    pub(crate) key: String,
    /// Value as typed.
    pub(crate) value: String,
}

/// Time under one limit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimLimit {
    /// Limit id.
    pub(crate) limit: Id,
    /// Detail id; null if the limit has no details.
    pub(crate) detail: Option<Id>,
    /// Time.
    pub(crate) seconds: f64,
    /// Share of the time in which anything limited the sender, from 0 to 1.
    pub(crate) share: f64,
}

/// Counts of one socket.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimEnd {
    /// Segments with data, retransmissions included.
    pub(crate) data_segments: u64,
    /// Segments that were retransmitted.
    pub(crate) retransmitted_segments: u64,
    /// Retransmission timeouts.
    pub(crate) timeouts: u64,
    /// Largest congestion window.
    pub(crate) largest_congestion_window_segments: u64,
    /// Final size of its send buffer (`sk_sndbuf`).
    pub(crate) send_buffer_bytes: u64,
    /// Final size of its receive buffer (`sk_rcvbuf`).
    pub(crate) receive_buffer_bytes: u64,
}

/// Counts of one direction of the path.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimPath {
    /// Frames that entered it.
    pub(crate) frames: u64,
    /// Frames that the scenario's random loss removed.
    pub(crate) lost_frames: u64,
    /// Frames that a full queue or a policer dropped.
    pub(crate) dropped_frames: u64,
}

/// Durations of several runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SimRange {
    /// Number of runs, including the first.
    pub(crate) runs: u64,
    /// Shortest duration less 5 %, the error of the simulator itself.
    pub(crate) low_s: f64,
    /// Median duration.
    pub(crate) median_s: f64,
    /// Longest duration plus 5 %.
    pub(crate) high_s: f64,
    /// Runs that did not end by their deadline; the other numbers exclude them.
    pub(crate) stalled_runs: u64,
}

impl SimDocument {
    /// Makes the document from these runs.
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
