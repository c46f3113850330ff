//! Tries other values of one threshold at a time. Not part of the product: `tools/thresholds.py` builds it in.

use std::cell::Cell;

use super::value::Ratio;

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
    /// How much of all time changed its label when it was a fifth lower and a fifth higher, per cent, as last measured; not a number
    /// before that.
    pub moves: [f64; 2],
}

/// All of them, in the order of the source.
pub static TABLE: &[Row] = &super::table::ROWS;

/// Which way a threshold is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A fifth lower.
    Down,
    /// A fifth higher.
    Up,
}

thread_local! {
    static TRIED: Cell<Option<(usize, Way)>> = const { Cell::new(None) };
}

/// From now on the threshold at this place of [`TABLE`] is moved, in this thread; `None` for none.
pub fn try_moved(tried: Option<(usize, Way)>) {
    TRIED.set(tried);
}

pub(super) fn way_of(index: usize) -> Option<Way> {
    TRIED.get().filter(|tried| tried.0 == index).map(|tried| tried.1)
}

/// A number that can be a fifth lower or higher.
pub(crate) trait Movable: Copy {
    /// A fifth lower or higher; whole numbers by one at least.
    fn moved(self, way: Way) -> Self;
}

macro_rules! movable_whole {
    ($($number:ty),+) => {$(
        impl Movable for $number {
            fn moved(self, way: Way) -> Self {
                let step = ((self + 2) / 5).max(1);
                match way {
                    Way::Down => self.saturating_sub(step),
                    Way::Up => self + step,
                }
            }
        }
    )+};
}

movable_whole!(u32, u64, i64, usize);

impl Movable for f64 {
    fn moved(self, way: Way) -> Self {
        match way {
            Way::Down => self * 0.8,
            Way::Up => self * 1.2,
        }
    }
}

impl Movable for Ratio {
    fn moved(self, way: Way) -> Self {
        match way {
            Way::Down => Self(self.0 * 4, self.1 * 5),
            Way::Up => Self(self.0 * 6, self.1 * 5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::{Threshold, part};
    use super::*;
    use crate::thresholds::{ACK_DELAY_LEAST, AUTOTUNED_GROWTH, NEVER_EMPTY_LEAST, WRITER_WAKES};

    #[test]
    fn every_threshold_has_a_name_a_unit_a_meaning_and_a_source() {
        let mut names: Vec<_> = TABLE.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len());
        for row in TABLE {
            let texts = [row.value, row.unit, row.meaning.trim(), row.source];
            assert!(texts.iter().all(|t| !t.is_empty()), "{}", row.name);
            assert!(row.moves.iter().all(|m| m.is_nan() || (0.0..=100.0).contains(m)), "{}", row.name);
        }
    }

    #[test]
    fn every_threshold_knows_its_row() {
        let names = [WRITER_WAKES, ACK_DELAY_LEAST, NEVER_EMPTY_LEAST].map(|threshold| TABLE[threshold.index].name);
        assert_eq!(names, ["WRITER_WAKES", "ACK_DELAY_LEAST", "NEVER_EMPTY_LEAST"]);
        assert_eq!(TABLE[AUTOTUNED_GROWTH.index].name, "AUTOTUNED_GROWTH");
    }

    #[test]
    fn only_the_threshold_that_is_tried_moves() {
        let (one, other) = (Threshold { value: 10_u32, index: 0 }, Threshold { value: Ratio(1, 4), index: 1 });
        try_moved(Some((0, Way::Up)));
        assert_eq!((one.get(), other.get()), (12, Ratio(1, 4)));
        try_moved(Some((1, Way::Down)));
        assert_eq!((one.get(), other.get()), (10, Ratio(4, 20)));
        assert!(part(21_i64, 100) > other && part(20_i64, 100) <= other);
        try_moved(None);
        assert!(part(24_i64, 100) < other && part(25_i64, 100) >= other);
        assert_eq!(other.of(103_u64), 25);
    }

    #[test]
    fn a_small_count_moves_by_one() {
        assert_eq!([Way::Down, Way::Up].map(|way| 2_u32.moved(way)), [1, 3]);
        assert_eq!([Way::Down, Way::Up].map(|way| 20_usize.moved(way)), [16, 24]);
    }
}
