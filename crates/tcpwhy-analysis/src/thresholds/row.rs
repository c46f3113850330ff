//! A row of the table, as `tools/thresholds.py` prints it.

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name of the threshold in the source.
    pub name: &'static str,
    /// Value, as written in the source.
    pub value: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    /// Meaning: the doc comment of the threshold.
    pub meaning: &'static str,
    /// Source of the value.
    pub source: &'static str,
    /// Percentages of all time that got another label when the threshold was a third lower and a third
    /// higher. They are those of the last measurement, or NaN if there was none.
    pub moves: [f64; 2],
}

impl Row {
    /// Whether the authors chose the value: no measurement gives exactly this number.
    pub fn is_chosen(&self) -> bool {
        self.source.starts_with("chosen")
    }
}
