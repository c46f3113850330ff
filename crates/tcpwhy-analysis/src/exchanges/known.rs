//! What shows who asks, and how often the exchanges that follow from it are right.

use crate::thresholds::{BY_FIRST, BY_HABIT, BY_HEADER, BY_OPENER, BY_PORT};

/// What shows who asks, the strongest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Known {
    /// Its words are answered at once, or after a steady time, again and again.
    Habit,
    /// A TLS handshake or a status line shows which end serves.
    Header,
    /// The port of the other end is known for a service.
    Port,
    /// It opened the connection, or has a port of those who do.
    #[default]
    Opener,
    /// It spoke first.
    First,
}

/// What was seen of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    /// The other end has a port that is known for a service.
    pub(crate) is_at_service: bool,
    /// A TLS handshake, or a status line of the other end.
    pub(crate) has_header: bool,
    /// The other end answers at once, or after a steady time.
    pub(crate) is_answered: bool,
    /// Nothing but who spoke first.
    pub(crate) spoke_first: bool,
}

impl Known {
    /// The strongest of what was seen.
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

    /// How often who asks, how many exchanges there were and how long the server took are right, where it is
    /// said. Measured, like each row: `thresholds/table/connection.rs`.
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
