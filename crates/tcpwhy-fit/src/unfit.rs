use std::fmt;

use tcpwhy_model::{Explained, Message};

/// Reason why a direction cannot be rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// All data fits into the first window, so there is nothing to rebuild.
    Small,
    /// The packets show no round trip.
    NoRoundTrip,
    /// It cannot be simulated.
    NotSimulated,
    /// No drawn world behaves like the connection.
    Unlike,
    /// It needs more events than the budget allows.
    Costly,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Small => "all of its data fits into the first window",
            Self::NoRoundTrip => "no packets show its round-trip time",
            Self::NotSimulated => "the simulator cannot run it",
            Self::Unlike => "no simulated transfer behaves like the captured one",
            Self::Costly => "simulating it takes too many events",
        })
    }
}

impl std::error::Error for Unfit {}

impl Explained for Unfit {
    fn message(&self) -> Message {
        Message::new(match self {
            Self::Small => "predict-small",
            Self::NoRoundTrip => "predict-no-round-trip",
            Self::NotSimulated => "predict-not-simulated",
            Self::Unlike => "predict-unlike",
            Self::Costly => "predict-costly",
        })
    }
}
