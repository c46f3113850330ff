//! Whether a rebuilt transfer repeats times of the capture.
//!
//! A program whose rests are copied from the capture rests as long again, whatever made them. A writer that
//! waits on a full send buffer then looks like one with a pace of its own. Such a transfer contains the
//! observation, so it can only agree with it: it neither proves nor refutes a cause.

use serde::Serialize;
use tcpwhy_scenario::{Calls, Phase, Scenario, Stream, Turns, Work};

use super::noise::NOISE;

/// The captured times that a scenario repeats. Message id after `prove-replays-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Replay {
    /// When the sender wrote.
    Writes,
    /// How long the receiver paused between reads.
    Reads,
    /// How long the two programs waited before requests and responses.
    Waits,
}

impl Replay {
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Writes => "writes",
            Self::Reads => "reads",
            Self::Waits => "waits",
        }
    }

    /// The times of a transfer of `seconds` that `scenario`, which was rebuilt from it, repeats. All fields
    /// are named here: a new one does not compile until somebody has decided whether it is a time.
    pub(super) fn of(scenario: &Scenario, seconds: f64) -> Option<Self> {
        match &scenario.work {
            Work::Stream(Stream { phases, opener: _, credit: _, ending: _ }) => phases.iter().find_map(Self::of_phase),
            Work::Turns(turns) => Self::of_turns(turns, seconds),
            // Never rebuilt from a capture.
            Work::Talk(_) | Work::Application(_) => None,
        }
    }

    fn of_phase(phase: &Phase) -> Option<Self> {
        let Phase { bytes: _, write, read, imposes: _ } = phase;
        // A rhythm is copied too: what ACKs release has one as well, the round trip.
        if is_timed(write) || write.rate.is_some() {
            return Some(Self::Writes);
        }
        // A reader's rate is a number, as the path's is: when it reads follows from the lab's clock.
        is_timed(read).then_some(Self::Reads)
    }

    fn of_turns(turns: &Turns, seconds: f64) -> Option<Self> {
        let Turns { count, think, service, every, sender_asks: _, ahead: _, request: _, response: _, ending: _ } =
            turns;
        let waited = f64::from(*count) * (think.seconds() + service.seconds());
        // Runs of one situation differ by as much: shorter waits decide nothing.
        (every.is_some() || waited >= NOISE * seconds).then_some(Self::Waits)
    }
}

/// Whether a program rests for times that its scenario gives.
fn is_timed<const SIZE: u64>(calls: &Calls<SIZE>) -> bool {
    let Calls { delay, portion, rate: _, every: _, size: _, varies: _, waits: _ } = calls;
    // `every` is the rest after each portion; with `rate` it only divides the rate.
    delay.0 > 0 || portion.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transfer of ten seconds that does `work`.
    fn of(work: &str) -> Option<Replay> {
        let scenario = Scenario::from_toml("test", &format!("[work.{work}\n")).unwrap();
        Replay::of(&scenario, 10.0)
    }

    #[test]
    fn copied_times_are_a_replay_and_sizes_are_none() {
        for (work, expected) in [
            ("stream]\nphases = [{ bytes = \"1MB\" }]", None),
            ("stream]\nphases = [{ bytes = \"1MB\", write = { size = \"4KiB\", waits = \"poll\" } }]", None),
            ("stream]\nphases = [{ bytes = \"1MB\", read = { rate = \"1mbit\", every = \"10ms\" } }]", None),
            ("stream]\ncredit = { window = \"65535B\", grant = \"35B\" }\nphases = [{ bytes = \"1MB\" }]", None),
            ("turns]\ncount = 100\nrequest = [\"9B\"]\nresponse = [\"9B\"]", None),
            // 0.3 s of ten.
            ("turns]\ncount = 100\nrequest = [\"9B\"]\nresponse = [\"9B\"]\nservice = \"3ms\"", None),
            (
                "stream]\nphases = [{ bytes = \"1MB\" }, { bytes = \"1MB\", write = { delay = \"30ms\" } }]",
                Some(Replay::Writes),
            ),
            (
                "stream]\nphases = [{ bytes = \"1MB\", write = { rate = \"1mbit\", every = \"10ms\" } }]",
                Some(Replay::Writes),
            ),
            (
                "stream]\nphases = [{ bytes = \"1MB\", write = { portion = \"9kB\", every = \"10ms\" } }]",
                Some(Replay::Writes),
            ),
            (
                "stream]\nphases = [{ bytes = \"1MB\", read = { portion = \"9kB\", every = \"10ms\" } }]",
                Some(Replay::Reads),
            ),
            ("stream]\nphases = [{ bytes = \"1MB\", read = { delay = \"1s\" } }]", Some(Replay::Reads)),
            // 0.6 s of ten, each side half of it.
            (
                "turns]\ncount = 100\nrequest = [\"9B\"]\nresponse = [\"9B\"]\nthink = \"3ms\"\nservice = \"3ms\"",
                Some(Replay::Waits),
            ),
            ("turns]\ncount = 100\nrequest = [\"9B\"]\nresponse = [\"9B\"]\nevery = \"100ms\"", Some(Replay::Waits)),
        ] {
            assert_eq!(of(work), expected, "{work}");
        }
    }
}
