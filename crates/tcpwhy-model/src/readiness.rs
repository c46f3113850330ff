//! How ready a fix is to be applied.

use crate::listed::listed;

/// Kind of a fix, declared where the fix is defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FixKind {
    /// A change that removes the cause.
    #[default]
    Change,
    /// A change that is right only under a condition that packets do not show.
    Conditional,
    /// A measurement to take next; it changes nothing.
    Measure,
}

listed! {
    /// How ready a fix is to be applied to its connection.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Readiness {
        /// Its lines can be pasted as they are.
        Ready = "ready",
        /// Values are missing that no packet shows, see [`crate::Fix::missing`].
        Placeholders = "placeholders",
        /// Right only under a condition that packets do not show.
        Conditional = "conditional",
        /// A measurement to take next; it changes nothing.
        Measure = "measure",
    }
}
