//! A row of the table, as `tools/thresholds.py` prints it.

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name in the source.
    pub name: &'static str,
    /// Its value as the source has it.
    pub value: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How much of all time changed its label when it was a third lower and a third higher, per cent, as last
    /// measured; not a number before that.
    pub moves: [f64; 2],
}

impl Row {
    /// Its authors chose it: nothing was measured that gives this number and no other.
    pub fn is_chosen(&self) -> bool {
        self.source.starts_with("chosen")
    }
}
