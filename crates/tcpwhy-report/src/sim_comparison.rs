//! A transfer on a real kernel beside the simulated one: data that the text is made from.

use crate::sim::SimRange;
use crate::text::AnswerLine;
use tcpwhy_model::ByGroup;

/// A transfer that a kernel did and the simulator as well. Pairs have the kernel's value first.
#[derive(Clone, Debug, PartialEq)]
pub struct SimComparison {
    /// Name of the scenario.
    pub name: String,
    /// Its title in the reader's language; empty if it has none.
    pub title: String,
    /// Release of the kernel, as `uname -r` prints it.
    pub kernel: String,
    /// The version whose rules the simulator went by.
    pub rules: String,
    /// What was set instead of what its file says: keys and values as typed.
    pub settings: Vec<(String, String)>,
    /// Payload bytes that arrived.
    pub bytes: u64,
    /// From opening the connection until everything was read.
    pub seconds: [f64; 2],
    /// Durations of more simulated runs; `None`: there was one.
    pub range: Option<SimRange>,
    /// What held the sender back, in shares of the time; the kernel's are those of its sampled socket, `None`
    /// where it was not sampled.
    pub shares: [Option<ByGroup<f64>>; 2],
    /// Counters: the id of each and what was counted.
    pub counters: Vec<(&'static str, [u64; 2])>,
    /// The first lines of `explain` about the sender's capture.
    pub explained: [Vec<AnswerLine>; 2],
    /// The first packet in which both captures differ.
    pub order: Option<OrderDifference>,
    /// How long the same bytes leave at the same times.
    pub times: Option<TimeAgreement>,
    /// Why to distrust the kernel's run.
    pub doubts: Vec<String>,
}

/// A captured packet with data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentPacket {
    /// The first byte's place in the stream.
    pub offset: u64,
    /// Payload, bytes.
    pub bytes: u64,
    /// Since the first packet with data, seconds.
    pub seconds: f64,
}

/// Where two captures of one transfer part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderDifference {
    /// The packet with data that differs, from 1.
    pub number: u64,
    /// That packet; `None` where one of both has no more.
    pub packets: [Option<SentPacket>; 2],
}

/// How long bytes leave at the same times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAgreement {
    /// Times that differ by no more are the same, seconds.
    pub within: f64,
    /// The first byte that left at another time, and when, in seconds since the first packet with data;
    /// `None`: there is none.
    pub first: Option<(u64, [f64; 2])>,
}

impl SimComparison {
    /// How much longer the simulated transfer took, as a share of the kernel's time; 0 if that took none.
    pub fn error(&self) -> f64 {
        let [kernel, simulated] = self.seconds;
        if kernel > 0.0 { simulated / kernel - 1.0 } else { 0.0 }
    }
}
