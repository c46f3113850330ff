//! What a connection did in a window of time.

use super::*;
use crate::sums::Window;

const SECOND: i64 = 1000 * MILLISECOND;

/// A connection that is watched for `seconds`, with 1000 bytes acknowledged and 100 received each second. Its
/// send buffer is full from second `from` on.
fn writer(seconds: i64, from: i64) -> LiveConnection {
    let at = |tenth: i64| {
        sample(tenth * 100, |s| {
            (s.info.bytes_acked, s.info.bytes_received) = (Some(tenth as u64 * 100), Some(tenth as u64 * 10));
            if tenth >= from * 10 { full(s) } else { window_full(s) }
        })
    };
    of((0..=seconds * 10).map(at).collect())
}

fn window(until: i64, seconds: i64) -> Window {
    Window { until: Timestamp::from_nanos(until * SECOND), nanos: seconds * SECOND }
}

#[test]
fn all_of_a_short_connection_is_exact() {
    let connection = writer(3, 1);
    for tally in [connection.tally(window(5, 60)), connection.tally_in_all()] {
        assert_eq!((tally.watched(), tally.bytes()), (3 * SECOND, [3000, 300]));
        // Each of two samples has half of the time between them.
        assert_eq!(tally.under(|cause| cause == BUFFER), 2 * SECOND + 50 * MILLISECOND);
    }
}

#[test]
fn an_old_connection_counts_within_the_window() {
    let connection = writer(30, 25);
    let tally = connection.tally(window(30, 10));
    assert_eq!((tally.watched(), tally.lost() <= tally.watched()), (10 * SECOND, true));
    let buffer = tally.under(|cause| cause == BUFFER);
    assert!((buffer - 5 * SECOND).abs() <= 200 * MILLISECOND, "{buffer}");
    let [sent, received] = tally.bytes();
    assert!(sent.abs_diff(10_000) <= 100 && received.abs_diff(1000) <= 10, "{sent} {received}");
    // A window behind its end has nothing of it.
    let after = connection.tally(window(100, 10));
    assert_eq!((after.watched(), after.lost(), after.bytes()), (0, 0, [0, 0]));
}

/// Up to a minute bytes are known by the second, up to an hour by the minute.
#[test]
fn bytes_of_a_long_window() {
    let connection = writer(600, 700);
    for (seconds, expected) in [(10, 10_000), (60, 60_000), (120, 120_000), (300, 300_000), (590, 590_000)] {
        let [sent, received] = connection.tally(window(600, seconds)).bytes();
        assert!(sent.abs_diff(expected) <= expected / 50, "{seconds} s: {sent}");
        assert!((received * 10).abs_diff(sent) <= 20, "{received} of {sent}");
    }
    let mut without = connection.clone();
    without.forget_course();
    let tally = without.tally(window(600, 3600));
    assert_eq!(tally.bytes(), [600_000, 60_000], "its totals stay");
}
