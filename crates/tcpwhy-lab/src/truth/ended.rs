//! The cause of a connection's end.

use serde::{Deserialize, Serialize};
use tcpwhy_model::Timestamp;

use super::rounding::seconds;
use crate::work::{Leave, Log};
use tcpwhy_scenario::End;

/// The true end of a connection, as its programs noted it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ended {
    /// The kind of end.
    pub how: How,
    /// The end that ended it; `None` if both closed, or if it is not known.
    pub by: Option<End>,
    /// The time of the end, in seconds since the epoch on the captures' clock.
    pub at: Option<f64>,
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Both ends closed it.
    Closed,
    /// One end reset it, as the scenario asks.
    Reset,
    /// A program waited for an answer, gave up and closed.
    GaveUp,
    /// It broke or took too long (`outcome`), or foreign programs ended it.
    #[default]
    Unknown,
}

impl Ended {
    pub(super) fn of(logs: &[Log; 2]) -> Self {
        let noted = End::BOTH.into_iter().find_map(|end| Some((end, logs[end.index()].left?)));
        let new = |how, by, at: Option<Timestamp>| Self { how, by, at: at.map(seconds) };
        match noted {
            _ if logs.iter().any(|log| log.failure.is_some()) => Self::default(),
            Some((end, (Leave::Closed, at))) => new(How::Closed, Some(end), Some(at)),
            Some((end, (Leave::Reset, at))) => new(How::Reset, Some(end), Some(at)),
            Some((end, (Leave::GaveUp, at))) => new(How::GaveUp, Some(end), Some(at)),
            None => match logs[0].shutdown {
                Some(at) => new(How::Closed, None, Some(at)),
                None => Self::default(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_nanos(2_500_000_000);

    #[test]
    fn who_ended_it_and_how() {
        let left = |how| Log { left: Some((how, AT)), ..Log::default() };
        let ended = |how, by| Ended { how, by, at: Some(2.5) };
        let closed = Log { shutdown: Some(AT), ..Log::default() };
        assert_eq!(Ended::of(&[closed, Log::default()]), ended(How::Closed, None));
        assert_eq!(Ended::of(&[left(Leave::Reset), Log::default()]), ended(How::Reset, Some(End::Sender)));
        assert_eq!(Ended::of(&[Log::default(), left(Leave::Reset)]), ended(How::Reset, Some(End::Receiver)));
        assert_eq!(Ended::of(&[Log::default(), left(Leave::GaveUp)]), ended(How::GaveUp, Some(End::Receiver)));
        let broken = Log { failure: Some("timed out".to_owned()), ..left(Leave::GaveUp) };
        assert_eq!(Ended::of(&[broken, Log::default()]), Ended::default());
    }
}
