//! Thresholds on which a verdict depends.

use crate::Cause;

/// Direction in which a threshold is moved: by a third of it. A share is moved by a third of its distance to
/// 1 if that is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// Lower.
    Down,
    /// Higher.
    Up,
}

impl Way {
    /// Both directions.
    pub const ALL: [Self; 2] = [Self::Down, Self::Up];

    /// Stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Down => "lower",
            Self::Up => "higher",
        }
    }
}

/// A chosen threshold on which a verdict depends: if it is moved by a third, the verdict names another cause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flip {
    /// Name of the threshold in the source.
    pub threshold: &'static str,
    /// Its value as written in the source.
    pub value: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Direction in which it was moved.
    pub way: Way,
    /// The verdict's cause after the move; `None` if then no cause is worth a fix.
    pub cause: Option<Cause>,
}
