//! A row of the table of measured frequencies.

/// Percent at the sender, at the receiver, in the middle.
pub(super) type ByVantage = [u8; 3];

/// What one hypothesis came to.
#[derive(Debug)]
pub(super) struct Row {
    /// Its name, and the limit that it named; rows are sorted by both.
    pub(super) key: (&'static str, &'static str),
    /// Percent of its time in which that limit bound.
    pub(super) interval: ByVantage,
    /// The same where round trips cannot be followed.
    pub(super) untimed: ByVantage,
    /// Percent of the verdicts resting on it that are right, where their family has half of the time …
    pub(super) half: ByVantage,
    /// … and where it has all of it.
    pub(super) whole: ByVantage,
    /// What is taken from the odds of those where round trips cannot be followed, in hundredths of their natural logarithm.
    pub(super) penalty: [u16; 3],
}
