//! The table: a file for each room that decides. `Ratio(3, 10)` is 3 of 10; `ns` are nanoseconds. The last column is how much of the
//! time that gaps between sends leave open changes its label when the number is a fifth lower and a fifth higher: per cent, each
//! direction of 100 kB or more counting alike. `tools/thresholds.py --write CAPTURES` measures it.

/// What has no other source.
#[cfg(any(test, feature = "sensitivity"))]
const CHOSEN: &str = "chosen on transfers of the lab (Linux 6.18) and of the tests' model";

/// The last column of rows that were not measured yet.
#[cfg(any(test, feature = "sensitivity"))]
const UNMEASURED: [f64; 2] = [f64::NAN; 2];

/// Rows of the table: meaning, name, type, value, unit, source, last column. `after` is the number of rows in the files before.
macro_rules! thresholds {
    (
        after $first:expr;
        $($(#[doc = $meaning:literal])+ $name:ident: $type:ty = $value:expr, $unit:literal, $source:expr, $moves:expr;)+
    ) => {
        $($(#[doc = $meaning])+
        pub(crate) const $name: Threshold<$type> = Threshold {
            value: $value,
            #[cfg(any(test, feature = "sensitivity"))]
            index: $first + Place::$name as usize,
        };)+

        #[cfg(any(test, feature = "sensitivity"))]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "named as the constants are")]
        enum Place {
            $($name),+
        }

        /// How many rows there are up to the end of this file.
        #[cfg(any(test, feature = "sensitivity"))]
        pub(super) const END: usize = $first + ROWS.len();

        #[cfg(any(test, feature = "sensitivity"))]
        pub(super) const ROWS: &[crate::thresholds::row::Row] = &[$(crate::thresholds::row::Row {
            name: stringify!($name),
            value: stringify!($value),
            unit: $unit,
            meaning: concat!($($meaning),+),
            source: $source,
            moves: $moves,
        }),+];
    };
}

mod answer;
mod clock;
mod direction;
mod ending;
mod gap;
mod path;
mod policing;
mod problem;
mod recovery;
mod slot;
mod vantage;
mod verdict;

pub(crate) use answer::*;
pub(crate) use clock::*;
pub(crate) use direction::*;
pub(crate) use ending::*;
pub(crate) use gap::*;
pub(crate) use path::*;
pub(crate) use policing::*;
pub(crate) use problem::*;
pub(crate) use recovery::*;
pub(crate) use slot::*;
pub(crate) use vantage::*;
pub(crate) use verdict::*;

/// All rows, file by file in the order of their `after`.
#[cfg(any(test, feature = "sensitivity"))]
pub(super) static ROWS: [super::row::Row; problem::END] = joined([
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
