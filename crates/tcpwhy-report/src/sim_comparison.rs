//! A transfer on a real kernel in comparison with the simulated one: the data that the text is made from.

use crate::sim::SimRange;
use crate::text::AnswerLine;
use tcpwhy_model::ByGroup;

/// A transfer that a kernel did, and that the simulator did too. In pairs, the kernel's value is first.
#[derive(Clone, Debug, PartialEq)]
pub struct SimComparison {
    /// Name of the scenario.
    pub name: String,
    /// Its title in the reader's language; empty if it has none.
    pub title: String,
    /// Release of the kernel, as `uname -r` prints it.
    pub kernel: String,
    /// Version whose rules the simulator followed.
    pub rules: String,
    /// Values that replace those of the scenario's file: keys and values as typed.
    pub settings: Vec<(String, String)>,
    /// Payload bytes that arrived.
    pub bytes: u64,
    /// Seconds from opening the connection until everything was read.
    pub seconds: [f64; 2],
    /// Durations of several simulated runs; `None` if there was only one.
    pub range: Option<SimRange>,
    /// Shares of the sender's time by limit. The kernel's shares are from samples of its socket; `None` if it
    /// was not sampled.
    pub shares: [Option<ByGroup<f64>>; 2],
    /// Counters: the id of each, and both counts.
    pub counters: Vec<(&'static str, [u64; 2])>,
    /// The first lines of `explain` about the sender's capture.
    pub explained: [Vec<AnswerLine>; 2],
    /// The first packet in which both captures differ.
    pub order: Option<OrderDifference>,
    /// Time up to which the same bytes leave at the same times.
    pub times: Option<TimeAgreement>,
    /// Reasons to distrust the kernel's run.
    pub doubts: Vec<String>,
}

/// A captured packet with data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentPacket {
    /// Offset of the first byte in the stream.
    pub offset: u64,
    /// Payload, bytes.
    pub bytes: u64,
    /// Seconds since the first packet with data.
    pub seconds: f64,
}

/// The first difference between two captures of one transfer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderDifference {
    /// Number of the packet with data that differs, from 1.
    pub number: u64,
    /// That packet in each capture; `None` if the capture has no more packets.
    pub packets: [Option<SentPacket>; 2],
}

/// The agreement of the times at which bytes leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAgreement {
    /// Tolerance: times that differ by at most this are equal, seconds.
    pub within: f64,
    /// The first byte that left at different times, and these times, in seconds since the first packet with
    /// data; `None` if there is none.
    pub first: Option<(u64, [f64; 2])>,
}

impl SimComparison {
    /// Excess of the simulated time, as a share of the kernel's time; 0 if the kernel's time is 0.
    pub fn error(&self) -> f64 {
        let [kernel, simulated] = self.seconds;
        if kernel > 0.0 { simulated / kernel - 1.0 } else { 0.0 }
    }
}
