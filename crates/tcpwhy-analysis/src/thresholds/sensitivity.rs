//! Tries other values of one threshold at a time. Not part of the product: `tools/thresholds.py` builds it in.

pub use super::moved::{Way, try_moved};
pub use super::row::Row;

/// All of them, in the order of the source.
pub static TABLE: &[Row] = &super::table::ROWS;

#[cfg(test)]
mod tests {
    use super::super::moved::Movable as _;
    use super::super::value::{Ratio, Threshold, part};
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
