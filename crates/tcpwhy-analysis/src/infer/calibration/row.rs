//! A row of the table of measured frequencies.

/// Percentages for captures at the sender, at the receiver and in the middle.
pub(super) type ByVantage = [u8; 3];

/// Measured accuracy of one hypothesis.
#[derive(Debug)]
pub(super) struct Row {
    /// Name of the hypothesis, and the limit that it named. Rows are sorted by both.
    pub(super) key: (&'static str, &'static str),
    /// Percentage of its time in which that limit was the true one.
    pub(super) interval: ByVantage,
    /// The same percentage for captures in which round trips cannot be followed.
    pub(super) untimed: ByVantage,
    /// Percentage of verdicts based on it that are right, if their family of causes has half of the time.
    pub(super) half: ByVantage,
    /// The same percentage if the family has all of the time.
    pub(super) whole: ByVantage,
    /// Reduction of the log-odds of these percentages if round trips cannot be followed, in hundredths
    /// (natural logarithm).
    pub(super) penalty: [u16; 3],
}
