//! Evidence for the requesting end, and how often the resulting exchanges are right.

use crate::thresholds::{BY_FIRST, BY_HABIT, BY_HEADER, BY_OPENER, BY_PORT};

/// Evidence for the requesting end, the strongest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Known {
    /// Its messages are repeatedly answered at once, or after a steady time.
    Habit,
    /// A TLS handshake or a status line shows the server.
    Header,
    /// The port of the other end is known for a service.
    Port,
    /// It opened the connection, or has an ephemeral port.
    #[default]
    Opener,
    /// It sent data first.
    First,
}

/// Evidence found in a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    /// Whether the other end has a port that is known for a service.
    pub(crate) is_at_service: bool,
    /// Whether there was a TLS handshake, or a status line of the other end.
    pub(crate) has_header: bool,
    /// Whether the other end answers at once, or after a steady time.
    pub(crate) is_answered: bool,
    /// Whether only the first sender is known.
    pub(crate) spoke_first: bool,
}

impl Known {
    /// Returns the strongest evidence.
    pub(crate) const fn by(shown: Shown) -> Self {
        match shown {
            Shown { is_answered: true, .. } => Self::Habit,
            Shown { has_header: true, .. } => Self::Header,
            Shown { is_at_service: true, .. } => Self::Port,
            Shown { spoke_first: false, .. } => Self::Opener,
            Shown { .. } => Self::First,
        }
    }

    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Habit => "habit",
            Self::Header => "header",
            Self::Port => "port",
            Self::Opener => "opener",
            Self::First => "first",
        }
    }

    /// Returns the rate at which requesting end, number of exchanges and server time are all right, if they
    /// are reported. Each value was measured or copied from a measured one: `thresholds/table/connection.rs`.
    pub fn confidence(self) -> f64 {
        match self {
            Self::Habit => BY_HABIT.get(),
            Self::Header => BY_HEADER.get(),
            Self::Port => BY_PORT.get(),
            Self::Opener => BY_OPENER.get(),
            Self::First => BY_FIRST.get(),
        }
    }
}
