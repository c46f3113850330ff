//! Numbers and names that define how quantities are written: the one table for the terminal, texts in JSON
//! and the web page. A test writes the viewer's part, `viewer/src/base/unit_table.ts`, from it.

/// Names of bit rates, each a thousand times the one before.
pub(super) const BIT_RATES: [&str; 5] = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"];
/// Names of sizes in steps of 1000; bytes have words of their own in each language.
pub(super) const SIZES: [&str; 6] = ["", "kB", "MB", "GB", "TB", "PB"];
/// A quantity within this distance of the next step is written in that step, because it would be rounded up
/// to it.
pub(super) const LACKING: f64 = 0.5;
/// From these values on, a number has 0, 1 and 2 decimals, so that it has three significant digits.
pub(super) const THREE_DIGITS: [f64; 3] = [99.95, 9.995, 0.9995];
/// From these values on, a number has 0 and 1 decimals, so that it has two significant digits.
pub(super) const TWO_DIGITS: [f64; 2] = [9.95, 0.995];
/// Upper bounds, in seconds, of durations in nanoseconds, microseconds, milliseconds, seconds, minutes and
/// hours; from the last one on, days are used.
pub(super) const TIMES: [f64; 6] = [999.5e-9, 999.5e-6, 0.9995, 119.95, 7_199.5, 172_800.0];
/// Percentages below the first value are `<0.1%`; those below the second, and between the third and the
/// fourth, have a decimal. So only the whole is 100%.
pub(super) const PERCENT: [f64; 4] = [0.095, 9.95, 99.0, 99.95];

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use expect_test::expect_file;

    use super::*;

    fn list<T: std::fmt::Debug>(values: &[T]) -> String {
        format!("{values:?}").replace('"', "'")
    }

    /// `UPDATE_EXPECT=1` writes the file; `viewer/build` bundles it.
    #[test]
    fn the_viewer_writes_quantities_by_the_same_table() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
        if !crates.join("../../viewer").exists() {
            return; // A packaged crate contains no viewer.
        }
        let rows = [
            ("BIT_RATES", list(&BIT_RATES)),
            ("SIZES", list(&SIZES)),
            ("LACKING", LACKING.to_string()),
            ("THREE_DIGITS", list(&THREE_DIGITS)),
            ("TWO_DIGITS", list(&TWO_DIGITS)),
            ("TIMES", list(&TIMES)),
            ("PERCENT", list(&PERCENT)),
        ];
        let mut text =
            "// Made by a test of crates/tcpwhy-report/src/units/table.rs, where each row is explained: change that.\n"
                .to_owned();
        for (name, value) in rows {
            let frozen = if value.starts_with('[') { " as const" } else { "" };
            writeln!(text, "export const {name} = {value}{frozen};").expect("a string takes all");
        }
        expect_file![crates.join("../../viewer/src/base/unit_table.ts")].assert_eq(&text);
    }
}
