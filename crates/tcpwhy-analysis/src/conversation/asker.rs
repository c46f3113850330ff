//! Which end asks.
//!
//! Whoever opened the connection, unless both ends are used to the opposite: one gives short commands at its
//! own pace, and the other answers each at once, and at length. Agents that connect to their controller do
//! so, and shells that call home.

use super::habits::Habits;
use crate::side::Side;
use crate::thresholds::OUTPUT_TIMES;

/// How well it is known who asks, before anything was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presumed {
    /// One end serves at a port that is known for that.
    Served(Side),
    /// One end opened the connection, or has a port of those who connect.
    Opened(Side),
    /// This end spoke first, and nothing else is known.
    First(Side),
}

impl Presumed {
    /// The end that is presumed to ask.
    pub(crate) const fn side(self) -> Side {
        match self {
            Self::Served(side) | Self::Opened(side) | Self::First(side) => side,
        }
    }
}

/// Who asks, by how both ends spoke.
pub(super) fn of(presumed: Presumed, habits: &Habits) -> Side {
    let side = presumed.side();
    match presumed {
        Presumed::Opened(_) | Presumed::First(_) if gives_commands(habits, side.peer()) => side.peer(),
        Presumed::First(_) if habits.of(side.peer()).is_at_own_pace() && habits.of(side).is_prompt() => side.peer(),
        Presumed::Served(_) | Presumed::Opened(_) | Presumed::First(_) => side,
    }
}

/// `side` says little and when it likes; the other end answers at once, at greater length, and not always
/// alike.
fn gives_commands(habits: &Habits, side: Side) -> bool {
    let (own, other) = (habits.of(side), habits.of(side.peer()));
    let is_answered = other.is_prompt() && !other.replies();
    own.is_at_own_pace() && own.is_brief() && is_answered && other.bytes >= own.bytes.saturating_mul(OUTPUT_TIMES.get())
}
