//! Macro that creates the rows of the table.

/// Source of thresholds that have no other one.
#[cfg(any(test, feature = "sensitivity"))]
pub(super) const CHOSEN: &str = "chosen on transfers of the lab (Linux 6.18) and of the tests' model";

/// Last column of rows that have not been measured yet.
#[cfg(any(test, feature = "sensitivity"))]
pub(super) const UNMEASURED: [f64; 2] = [f64::NAN; 2];

/// Rows of the table: meaning, name, type, value, unit, source, last column. `after` is the number of rows in
/// the files before.
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

        /// Number of rows up to the end of this file.
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

pub(super) use thresholds;
