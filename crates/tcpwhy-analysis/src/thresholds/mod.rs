//! Every number that decides: what it means, its unit, where it comes from, and how much of all time changes its label when it is a
//! third lower or higher. `tools/thresholds.py` measures the last and prints the table.
//!
//! A number belongs here if another one in its place would be as correct a program with other answers: what is near, long, often or
//! much. Three kinds stay constants beside their use, with their source: what a protocol defines (the largest shift of a window, the
//! smoothing of round trips), units, and bounds of memory and time (places in a list, how many samples are kept). The numbers of a
//! rule, its confidence among them, are constants of its file (`diagnosis/rules/`).

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
