//! The reliability of a run.

use serde::{Deserialize, Serialize};

use super::notes::Notes;
use super::rounding::rounded;
use crate::EmulatorReport;
use crate::capture::Captured;
use crate::sampler::Sample;

/// Longest gap between samples of an undisturbed run, nanoseconds. Samples are at most 5 ms apart. If the
/// sampler had to wait longer than this limit, the programs had to wait as well.
const STARVED_NS: i64 = 30_000_000;

/// The reliability of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Quality {
    /// Reasons to distrust the run; empty if there are none.
    pub doubts: Vec<Doubt>,
    /// Packets that passed an interface but are missing in its capture.
    pub capture_drops: u64,
    /// Packet counts of the sender's capture and the receiver's.
    pub captures: [Captured; 2],
    /// Number of samples of the sender and of the receiver.
    pub samples: [usize; 2],
    /// Mean duration of a sample.
    pub sample_mean_us: f64,
    /// Longest time without a sample.
    pub sample_gap_max_ms: f64,
    /// Measurements of the emulated link.
    pub emulator: EmulatorReport,
}

/// A reason to distrust a run: the machine may be the cause, not TCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// Frames were delivered later than the model of the link requires: `emulator.lateness`.
    LateLink,
    /// The captures lack packets: `capture_drops`.
    CaptureDrops,
    /// The machine was too busy to sample the sockets in time: `sample_gap_max_ms`.
    BusyMachine,
}

impl Quality {
    pub(super) fn of(notes: &Notes<'_>) -> Self {
        let capture_drops = notes.captures.iter().map(|capture| capture.drops).sum();
        let took: Vec<u64> = notes.samples.iter().flatten().map(|sample| sample.took).collect();
        let gap = notes.samples.iter().map(|samples| longest_gap(samples)).max().unwrap_or_default();
        let doubts = [
            (Doubt::LateLink, notes.emulator.is_late),
            (Doubt::CaptureDrops, capture_drops > 0),
            (Doubt::BusyMachine, gap > STARVED_NS),
        ];
        Self {
            doubts: doubts.into_iter().filter_map(|(doubt, is_there)| is_there.then_some(doubt)).collect(),
            capture_drops,
            captures: notes.captures,
            samples: [notes.samples[0].len(), notes.samples[1].len()],
            sample_mean_us: rounded(took.iter().sum::<u64>() as f64 / took.len().max(1) as f64 / 1000.0, 2),
            sample_gap_max_ms: rounded(gap as f64 / 1e6, 3),
            emulator: notes.emulator.clone(),
        }
    }
}

fn longest_gap(samples: &[Sample]) -> i64 {
    samples.windows(2).map(|pair| pair[1].time.since(pair[0].time)).max().unwrap_or_default()
}
