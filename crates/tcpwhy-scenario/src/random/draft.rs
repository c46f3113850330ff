//! A draft of a transfer, before it becomes a scenario.

use super::dice::Dice;
use super::formula;
use crate::{BitRate, Bytes, End, EndSpec, LinkSpec, Nanos, Phase, Reader, Stream, Turns, Work, Writer};

/// Least ratio of the rate that other limits allow to the rate that the cause allows.
pub(super) const MARGIN: f64 = 1.7;

/// Range of the intended duration of a run, seconds, by its cause's formula.
pub(super) const SECONDS: (f64, f64) = (1.2, 8.0);

/// A draft of a transfer.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// Round trip, seconds.
    pub(super) rtt: f64,
    pub(super) link: LinkSpec,
    pub(super) sender: EndSpec,
    pub(super) receiver: EndSpec,
    pub(super) work: Work,
    /// Payload bytes per second that the drawn cause allows.
    pub(super) imposed: f64,
    /// Payload bytes per second that the next limit would allow.
    pub(super) others: f64,
    /// Duration of the run by the formula, seconds.
    pub(super) seconds: f64,
}

impl Draft {
    /// A path with a large queue, and no cause yet.
    pub(super) fn new(dice: &mut Dice) -> Self {
        let rtt = dice.log(0.001, 0.150);
        let rate = dice.log(5e6, 500e6);
        let product = rate / 8.0 * rtt;
        let link = LinkSpec {
            rtt: micros(rtt),
            rate: Some(BitRate(rate as u64)),
            queue: Some(Bytes((product * 1.5).max(200_000.0) as u64)),
            ..LinkSpec::default()
        };
        Self {
            rtt,
            link,
            sender: EndSpec { nodelay: dice.percent(50), ..EndSpec::default() },
            receiver: EndSpec::default(),
            work: stream(0.0, Writer::default(), Reader::default()),
            imposed: 0.0,
            others: formula::path(rate).min(formula::autotuned(rtt)),
            seconds: dice.between(1.5, 5.0).max(40.0 * rtt),
        }
    }

    pub(super) fn rate(&self) -> f64 {
        self.link.rate.map_or(f64::MAX, |rate| rate.0 as f64)
    }

    /// The same draft with a stream of the bytes that `bytes_per_sec` moves in the drawn time.
    pub(super) fn streaming(mut self, bytes_per_sec: f64, write: Writer, read: Reader) -> Self {
        self.work = stream(bytes_per_sec * self.seconds, write, read);
        self
    }

    /// Whether the cause is the limit for nearly all of the time.
    pub(super) fn is_clear(&self) -> bool {
        let start = formula::slow_start(self.imposed * self.rtt, self.rtt);
        self.others >= MARGIN * self.imposed
            && start <= 0.2 * self.seconds
            && (SECONDS.0..=SECONDS.1).contains(&self.seconds)
    }
}

/// Rounds to whole microseconds, so that the value survives being written to a file.
pub(super) fn micros(seconds: f64) -> Nanos {
    Nanos((seconds * 1e6).round() as u64 * 1000)
}

pub(super) fn stream(bytes: f64, write: Writer, read: Reader) -> Work {
    let phase = Phase { bytes: Bytes(bytes as u64), write, read, imposes: None };
    Work::Stream(Stream { opener: End::Receiver, phases: vec![phase], credit: None, ending: None })
}

/// Turns without pauses; the caller sets count and sizes.
pub(super) const fn plain_turns() -> Turns {
    Turns {
        sender_asks: false,
        count: 1,
        ahead: 1,
        request: Vec::new(),
        response: Vec::new(),
        think: Nanos(0),
        every: None,
        service: Nanos(0),
        ending: None,
    }
}

pub(super) fn turns(turns: Turns) -> Work {
    Work::Turns(turns)
}
