//! The confidence of verdicts that hang on one chosen number.

/// A verdict that some chosen number decides (`Verdict::flips`) is right so often at most. Assumed: of 54
/// recordings with a known truth, four had such a verdict, and all four were right.
pub(crate) const FLIPPED: f64 = 0.9;
