//! Every number that the classifier compares with: what it means, its unit, where it comes from, and how much of all time
//! changes its label when it is a fifth lower or higher. `tools/thresholds.py` measures the last and prints the table.

mod table;
mod value;

#[cfg(any(test, feature = "sensitivity"))]
pub mod sensitivity;

pub(crate) use table::*;
pub(crate) use value::{Ratio, Threshold, part};
