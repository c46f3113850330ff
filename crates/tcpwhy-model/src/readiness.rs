//! How far a fix is from being done.

use crate::listed::listed;

/// What a fix is: declared once, where the fix is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FixKind {
    /// A change that removes the cause.
    #[default]
    Change,
    /// A change that is right only if something holds that packets do not show.
    Conditional,
    /// It changes nothing: the next thing to look at.
    Measure,
}

listed! {
    /// How ready a fix is for the connection that it is for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Readiness {
        /// Its lines can be pasted as they are.
        Ready = "ready",
        /// Values are missing that no packet shows: [`crate::Fix::missing`].
        Placeholders = "placeholders",
        /// Right only if something holds that packets do not show.
        Conditional = "conditional",
        /// It changes nothing: the next thing to look at.
        Measure = "measure",
    }
}
