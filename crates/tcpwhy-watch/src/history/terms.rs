//! Each number of the cells that strips and sums are made of. A test fails if one moves.

use super::*;

const SECOND: i64 = 1_000_000_000;
const PATH: Cause = Cause::plain(Limit::Path);
const BUFFER: Cause = Cause::plain(Limit::SendBuffer);

/// Milliseconds after a time at which a cell of each length begins.
fn at(millis: i64) -> Timestamp {
    Timestamp::from_nanos(1_795_000_000 * SECOND + millis * 1_000_000)
}

fn history(parts: &[(i64, i64, Cause)]) -> History {
    let mut history = History::default();
    for &(from, to, cause) in parts {
        history.add(at(from), at(to), cause);
    }
    history
}

/// `FINE`: cells of 100 ms for a minute; `COARSE`: of 10 s for an hour.
#[test]
fn a_minute_is_exact_to_a_tenth_and_an_hour_to_ten_seconds() {
    let whole = history(&[(0, 7_200_000, PATH)]);
    let last = at(7_199_999);
    let of = |nanos| whole.nanos_of(last, nanos, |_| true);
    assert_eq!((of(60 * SECOND), of(60 * SECOND + 1)), (60 * SECOND, 60 * SECOND));
    assert_eq!(of(59_950_000_000), 59_900_000_000, "tenths of a second");
    assert_eq!(of(69_999_999_999), 60 * SECOND, "ten seconds");
    assert_eq!((of(3600 * SECOND), of(3700 * SECOND)), (3600 * SECOND, 3600 * SECOND), "an hour is kept");
    assert_eq!((whole.fine.codes.len(), whole.coarse.codes.len()), (600, 360));
}

/// Only cells within the time count, each once.
#[test]
fn sums_take_the_cells_of_their_time() {
    let history = history(&[(0, 300, PATH), (300, 500, BUFFER), (500, 1000, PATH)]);
    let of = |until: i64, millis: i64| {
        let nanos = millis * 1_000_000;
        let sum = |cause| history.nanos_of(at(until), nanos, |c| c == cause) / 1_000_000;
        let mut times: Vec<_> = history.times(at(until), nanos).into_iter().map(|(_, n)| n / 1_000_000).collect();
        times.sort_unstable();
        (sum(PATH), sum(BUFFER), times)
    };
    assert_eq!(of(999, 1000), (800, 200, vec![200, 800]));
    assert_eq!(of(999, 600), (500, 100, vec![100, 500]), "the last six cells");
    assert_eq!(of(499, 200), (0, 200, vec![200]), "before the newest");
    assert_eq!(of(1999, 1000), (0, 0, vec![]), "nothing is known of it");
}

/// A cell shows the cause with most of its time, in whatever order the parts came.
#[test]
fn a_cell_is_of_the_cause_that_had_most_of_it() {
    let shown = |parts: &[(i64, i64, Cause)]| history(parts).strip(at(99), 100_000_000, 1)[0];
    assert_eq!(shown(&[(0, 49, PATH), (49, 100, BUFFER)]), Some(BUFFER));
    assert_eq!(shown(&[(0, 51, PATH), (51, 100, BUFFER)]), Some(PATH));
    assert_eq!(shown(&[(0, 30, PATH), (30, 70, BUFFER), (70, 100, PATH)]), Some(PATH), "parts add up");
    assert_eq!(shown(&[]), None);
}

/// A column shows the cause that most of its cells have; columns divide the time evenly.
#[test]
fn a_column_is_of_the_cause_that_most_of_its_cells_have() {
    let history = history(&[(0, 300, PATH), (300, 1000, BUFFER)]);
    let strip = |until: i64, millis: i64, columns| history.strip(at(until), millis * 1_000_000, columns);
    assert_eq!(strip(999, 1000, 2), [Some(PATH), Some(BUFFER)], "three of five cells");
    assert_eq!(strip(999, 1000, 1), [Some(BUFFER)]);
    assert_eq!(strip(1499, 1000, 2), [Some(BUFFER), None]);
    let short = history_of_short_path();
    assert_eq!(short.strip(at(999), SECOND, 2), [Some(BUFFER), Some(BUFFER)], "all cells of a column count");
    assert_eq!(strip(999, 50, 1), [Some(BUFFER)], "less than a cell is one");
    assert_eq!(strip(999, 1000, 0), [Some(BUFFER)], "no column is one");
}

/// A second under the send buffer, but for the cell that begins its second half.
fn history_of_short_path() -> History {
    history(&[(0, 500, BUFFER), (500, 600, PATH), (600, 1000, BUFFER)])
}

/// Only time under the first name gets the second one, within its span.
#[test]
fn a_stretch_is_renamed_in_its_span() {
    let (idle, turn) = (Cause::from(Detail::Idle), Cause::from(Detail::PeerTurn));
    let mut renamed = history(&[(0, 500, idle)]);
    renamed.rename(at(100), at(300), idle, turn);
    assert_eq!(renamed.strip(at(499), 500_000_000, 5), [idle, turn, turn, idle, idle].map(Some));
    renamed.rename(at(0), at(500), PATH, BUFFER);
    assert_eq!(renamed.strip(at(499), 500_000_000, 5), [idle, turn, turn, idle, idle].map(Some), "another name");
    // The newest cell: only as much of it as the span has.
    let mut newest = history(&[(0, 90, idle)]);
    newest.rename(at(0), at(44), idle, turn);
    assert_eq!(newest.strip(at(99), 100_000_000, 1), [Some(idle)]);
    newest.rename(at(44), at(46), idle, turn);
    assert_eq!(newest.strip(at(99), 100_000_000, 1), [Some(turn)]);
    newest.rename(at(0), at(90), turn, turn);
    assert_eq!(newest.strip(at(99), 100_000_000, 1), [Some(turn)]);
}

/// Time that was skipped is unknown, and a skip of all that is kept forgets all.
#[test]
fn skipped_time_is_unknown() {
    let cells = |gap: i64| {
        let history = history(&[(0, 100, PATH), (100 + gap, 200 + gap, BUFFER)]);
        let strip = history.strip(at(199 + gap), 60 * SECOND, 600);
        (strip[599], strip[598], strip.iter().flatten().count(), history.fine.codes.len())
    };
    assert_eq!(cells(0), (Some(BUFFER), Some(PATH), 2, 2));
    assert_eq!(cells(100), (Some(BUFFER), None, 2, 3));
    assert_eq!(cells(59_800), (Some(BUFFER), None, 2, 600));
    assert_eq!(cells(59_900), (Some(BUFFER), None, 1, 600));
    assert_eq!(cells(60_000), (Some(BUFFER), None, 1, 1), "all was forgotten");
}
