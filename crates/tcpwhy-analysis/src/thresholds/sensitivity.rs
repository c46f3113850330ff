//! Tries other values of one threshold at a time, for `tools/thresholds.py` and to find verdicts that depend
//! on a single threshold.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tcpwhy_model::{Cause, Flip, Segment};

use super::moved::near_in;
pub use super::moved::{Way, try_moved};
pub use super::row::Row;
use crate::Analyzer;

/// All thresholds, in the order of the source.
pub static TABLE: &[Row] = &super::table::ROWS;

/// The verdict of one direction, with the thresholds that decide it.
#[derive(Clone, Debug, PartialEq)]
pub struct Examined {
    /// The verdict's cause.
    pub cause: Option<Cause>,
    /// Chosen thresholds that give another cause when they are moved by a third.
    pub flips: Vec<Flip>,
}

/// Moves each chosen threshold that may matter to the connection whose first packet has this number. Returns
/// the directions in the order of the connection. `segments` are those of its four-tuple, in the order of the
/// capture. `None` if the first packet is not among them.
pub fn examine(segments: &[Segment], first_packet: u64) -> Option<Vec<Examined>> {
    let mut verdicts = None;
    let near = near_in(|| verdicts = verdicts_of(segments, first_packet));
    let as_is = verdicts?;
    let mut all: Vec<_> = as_is.iter().map(|&cause| Examined { cause, flips: Vec::new() }).collect();
    let chosen: Vec<_> = near.into_iter().filter(|&(index, _)| TABLE[index].is_chosen()).collect();
    for ((index, way), moved) in try_each(&chosen, segments, first_packet) {
        let row = &TABLE[index];
        for (examined, cause) in all.iter_mut().zip(moved) {
            if cause != examined.cause {
                examined.flips.push(Flip { threshold: row.name, value: row.value, unit: row.unit, way, cause });
            }
        }
    }
    Some(all)
}

/// Index of a threshold in the table, and the way it is moved.
type Moved = (usize, Way);

/// Returns the verdicts with each of `numbers` moved, computed on all processors.
fn try_each(numbers: &[Moved], segments: &[Segment], first_packet: u64) -> BTreeMap<Moved, Vec<Option<Cause>>> {
    let next = AtomicUsize::new(0);
    let tried = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
            try_moved(Some(number));
            let verdicts = verdicts_of(segments, first_packet).unwrap_or_default();
            try_moved(None);
            tried.lock().unwrap_or_else(PoisonError::into_inner).insert(number, verdicts);
        }
    };
    thread::scope(|scope| {
        let others = thread::available_parallelism().map_or(1, usize::from).saturating_sub(1);
        for _ in 0..others.min(numbers.len()) {
            // If a thread cannot be started, the other threads try its share.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    tried.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn verdicts_of(segments: &[Segment], first_packet: u64) -> Option<Vec<Option<Cause>>> {
    let mut analyzer = Analyzer::new();
    for segment in segments {
        analyzer.observe(segment);
    }
    let connection = analyzer.finish().into_iter().find(|connection| connection.first_packet == first_packet)?;
    Some(connection.halves.iter().map(|half| half.verdict.cause).collect())
}

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
        assert_eq!((one.get(), other.get()), (13, Ratio(1, 4)));
        try_moved(Some((1, Way::Down)));
        assert_eq!((one.get(), other.get()), (10, Ratio(2, 12)));
        assert!(part(17_i64, 100) > other && part(16_i64, 100) <= other);
        try_moved(None);
        assert!(part(24_i64, 100) < other && part(25_i64, 100) >= other);
        assert_eq!(other.of(103_u64), 25);
    }

    #[test]
    fn a_small_count_moves_by_one() {
        assert_eq!([Way::Down, Way::Up].map(|way| 2_u32.moved(way)), [1, 3]);
        assert_eq!([Way::Down, Way::Up].map(|way| 20_usize.moved(way)), [13, 27]);
    }

    /// Four fifths plus a third of itself would exceed the whole, so such a share moves by a third of the
    /// distance to the whole.
    #[test]
    fn a_share_stays_a_share() {
        for (share, lower, higher) in [
            (Ratio(1, 4), Ratio(2, 12), Ratio(4, 12)),
            (Ratio(8, 10), Ratio(22, 30), Ratio(26, 30)),
            (Ratio(3, 2), Ratio(6, 6), Ratio(12, 6)),
        ] {
            assert_eq!(Way::ALL.map(|way| share.moved(way)), [lower, higher]);
        }
        for (share, lower, higher) in [(0.8, 0.733_333, 0.866_667), (0.3, 0.2, 0.4), (1.5, 1.0, 2.0)] {
            let [down, up] = Way::ALL.map(|way| f64::moved(share, way));
            assert!((down - lower).abs() < 1e-5 && (up - higher).abs() < 1e-5, "{share}: {down} to {up}");
        }
    }

    /// A threshold is not near if a comparison has the same result with both moved values. A threshold that
    /// is used in a computation is always near.
    #[test]
    fn what_a_move_would_change_is_near() {
        let share = Threshold { value: Ratio(1, 4), index: 7 };
        let near = |amount: i64| near_in(|| assert_eq!(part(amount, 100) >= share, amount >= 25));
        assert_eq!(Vec::from_iter(near(10)), []);
        assert_eq!(Vec::from_iter(near(20)), [(7, Way::Down)]);
        assert_eq!(Vec::from_iter(near(30)), [(7, Way::Up)]);
        assert_eq!(Vec::from_iter(near(40)), []);
        assert_eq!(Vec::from_iter(near_in(|| assert_eq!(share.of(100_u64), 25))), [(7, Way::Down), (7, Way::Up)]);
        assert!(part(20_i64, 100) < share, "and afterwards nothing is noted");
        assert_eq!(Vec::from_iter(near_in(|| ())), []);
    }

    /// Each chosen threshold that decides a verdict is found without a trial of all thresholds.
    #[test]
    fn no_number_that_decides_is_missed() {
        for (seed, expected) in [(21, "REACH"), (34, "BUSY_ACKS")] {
            let segments = tcpwhy_testkit::random(seed).tell().segments;
            let first_packet = segments[0].number;
            let examined = examine(&segments, first_packet).unwrap();
            assert!(
                examined.iter().flat_map(|half| &half.flips).any(|flip| flip.threshold == expected),
                "{examined:?}"
            );
            let as_is = verdicts_of(&segments, first_packet).unwrap();
            assert_eq!(examined.iter().map(|half| half.cause).collect::<Vec<_>>(), as_is);
            for (index, row) in TABLE.iter().enumerate().filter(|(_, row)| row.is_chosen()) {
                for way in Way::ALL {
                    try_moved(Some((index, way)));
                    let moved = verdicts_of(&segments, first_packet).unwrap();
                    try_moved(None);
                    for (half, cause) in examined.iter().zip(moved) {
                        let mut flips = half.flips.iter().filter(|flip| flip.threshold == row.name && flip.way == way);
                        let found = flips.next().map_or(half.cause, |flip| flip.cause);
                        assert_eq!(found, cause, "{seed}: {} {way:?}", row.name);
                    }
                }
            }
        }
    }

    /// A connection whose first packet is missing has no verdict to examine.
    #[test]
    fn without_its_first_packet_nothing_is_examined() {
        let segments = tcpwhy_testkit::random(21).tell().segments;
        assert_eq!(examine(&segments[1..], segments[0].number), None);
        assert_eq!(examine(&[], 1), None);
    }
}
