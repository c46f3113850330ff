//! The thresholds that decide answers, each with its meaning, unit, source and sensitivity. The sensitivity
//! is the part of all time that gets another label if the threshold is a third lower or higher.
//! `tools/thresholds.py` measures the sensitivity and prints the table.
//!
//! A number belongs here if another number would be just as correct, but would give other answers: limits for
//! near, long, often or much. Three kinds of numbers are constants next to their use instead:
//!
//! - numbers that a protocol defines (the largest window scale, the smoothing of round trips);
//! - units;
//! - bounds of memory and time (entries of a list, the number of samples).
//!
//! The numbers of a rule, including its confidence, are constants of its file (`diagnosis/rules/`).

mod table;
mod value;

#[cfg(any(test, feature = "sensitivity"))]
mod moved;
#[cfg(any(test, feature = "sensitivity"))]
mod row;
#[cfg(any(test, feature = "sensitivity"))]
pub mod sensitivity;
#[cfg(test)]
mod tidy;

pub(crate) use table::*;
pub(crate) use value::{Ratio, Threshold, part};
