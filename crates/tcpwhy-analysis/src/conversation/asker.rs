//! Chooses the end that sends requests.
//!
//! It is the end that opened the connection, unless the habits of both ends show the opposite. Then one end
//! gives short commands at its own pace, and the other answers each at once and at length. Agents that
//! connect to their controller do so, as well as reverse shells.

use super::habits::Habits;
use crate::side::Side;
use crate::thresholds::OUTPUT_TIMES;

/// Knowledge about the requester before any data was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presumed {
    /// The other end has a port that is known for a service.
    Served(Side),
    /// One end opened the connection, or has an ephemeral port.
    Opened(Side),
    /// This end sent data first, and nothing else is known.
    First(Side),
}

impl Presumed {
    /// Returns the end that is presumed to send requests.
    pub(crate) const fn side(self) -> Side {
        match self {
            Self::Served(side) | Self::Opened(side) | Self::First(side) => side,
        }
    }
}

/// Returns the end that sends requests, according to the habits of both ends.
pub(super) fn of(presumed: Presumed, habits: &Habits) -> Side {
    let side = presumed.side();
    match presumed {
        Presumed::Opened(_) | Presumed::First(_) if gives_commands(habits, side.peer()) => side.peer(),
        Presumed::First(_) if habits.of(side.peer()).is_at_own_pace() && habits.of(side).is_prompt() => side.peer(),
        Presumed::Served(_) | Presumed::Opened(_) | Presumed::First(_) => side,
    }
}

/// Whether `side` sends short messages at its own pace, and the other end answers at once, at greater length,
/// and not always with the same size.
fn gives_commands(habits: &Habits, side: Side) -> bool {
    let (own, other) = (habits.of(side), habits.of(side.peer()));
    let is_answered = other.is_prompt() && !other.replies();
    own.is_at_own_pace() && own.is_brief() && is_answered && other.bytes >= own.bytes.saturating_mul(OUTPUT_TIMES.get())
}
