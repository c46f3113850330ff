//! Numbers that decide a verdict.

use crate::Cause;

/// Which way a number is moved: a third of it, or of what a share has left to the whole if that is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// Lower.
    Down,
    /// Higher.
    Up,
}

impl Way {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Down, Self::Up];

    /// Its stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Down => "lower",
            Self::Up => "higher",
        }
    }
}

/// A number that its authors chose and that decides a verdict: moved by a third, another cause would be
/// named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flip {
    /// Name of the number in the source.
    pub threshold: &'static str,
    /// Its value, as the source has it.
    pub value: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Which way it was moved.
    pub way: Way,
    /// The verdict's cause then; `None` if nothing would be worth acting on.
    pub cause: Option<Cause>,
}
