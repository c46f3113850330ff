//! The table of thresholds, with one file per part of the analysis that uses them. `Ratio(3, 10)` is 3 of 10;
//! `ns` are nanoseconds.
//!
//! The last column is the effect of a change: the threshold is lowered and raised by a third. The two numbers
//! are the percentages of the time left open by gaps between sends that then get another label. Each
//! direction of 100 kB or more counts equally. `tools/thresholds.py --write CAPTURES` measures them.

mod answer;
mod clock;
mod comparison;
mod connection;
mod direction;
mod ending;
mod gap;
mod leg;
mod macros;
mod neighbour;
mod path;
mod policing;
mod problem;
mod recovery;
mod slot;
mod vantage;
mod verdict;

pub(crate) use answer::*;
pub(crate) use clock::*;
pub(crate) use comparison::*;
pub(crate) use connection::*;
pub(crate) use direction::*;
pub(crate) use ending::*;
pub(crate) use gap::*;
pub(crate) use leg::*;
pub(crate) use neighbour::*;
pub(crate) use path::*;
pub(crate) use policing::*;
pub(crate) use problem::*;
pub(crate) use recovery::*;
pub(crate) use slot::*;
pub(crate) use vantage::*;
pub(crate) use verdict::*;

/// All rows, file by file in the order of their `after`.
#[cfg(any(test, feature = "sensitivity"))]
pub(super) static ROWS: [super::row::Row; neighbour::END] = joined([
    gap::ROWS,
    slot::ROWS,
    clock::ROWS,
    recovery::ROWS,
    vantage::ROWS,
    path::ROWS,
    policing::ROWS,
    verdict::ROWS,
    direction::ROWS,
    ending::ROWS,
    answer::ROWS,
    problem::ROWS,
    leg::ROWS,
    connection::ROWS,
    comparison::ROWS,
    neighbour::ROWS,
]);

#[cfg(any(test, feature = "sensitivity"))]
const fn joined<const FILES: usize, const ALL: usize>(files: [&[super::row::Row]; FILES]) -> [super::row::Row; ALL] {
    let mut all = [files[0][0]; ALL];
    let (mut file, mut row, mut place) = (0, 0, 0);
    while place < ALL {
        if row == files[file].len() {
            (file, row) = (file + 1, 0);
        }
        all[place] = files[file][row];
        (row, place) = (row + 1, place + 1);
    }
    all
}
