//! Tests of each condition for a retransmission timer: dropping one, or moving its boundary, fails here.

use super::*;
use crate::thresholds::Ratio;
use crate::thresholds::SILENT_REPEATS;

/// Data sent at the first time and retransmitted at the others.
fn after(times: &[i64]) -> Backoff {
    let mut backoff = Backoff::default();
    for pair in times.windows(2) {
        backoff.repeated(0, pair[1], pair[0]);
    }
    backoff
}

fn repeats(times: &[i64]) -> Option<u32> {
    after(times).silence(0).map(|silence| silence.repeats)
}

#[test]
fn intervals_grow_from_one_and_a_half_to_three_times() {
    for (what, times, expected) in [
        ("twice and twice", [0, 80, 240, 560], Some(3)),
        ("one and a half times", [0, 80, 200, 380], Some(3)),
        ("less than that, first", [0, 80, 199, 378], None),
        ("less than that, then", [0, 80, 200, 379], None),
        ("three times", [0, 80, 320, 1040], Some(3)),
        ("more than that, first", [0, 80, 321, 1044], None),
        ("more than that, then", [0, 80, 320, 1041], None),
    ] {
        assert_eq!(repeats(&times), expected, "{what}");
    }
}

/// `LARGEST_INTERVAL`: a timer that does not grow any more.
#[test]
fn intervals_of_a_minute_need_not_grow() {
    let largest = LARGEST_INTERVAL.get();
    assert_eq!(repeats(&[0, largest, 2 * largest, 3 * largest]), Some(3), "a minute each");
    assert_eq!(repeats(&[0, largest - 1, 2 * largest - 1, 3 * largest - 1]), None, "the first was shorter");
    assert_eq!(repeats(&[0, largest, 2 * largest - 1, 3 * largest - 1]), None, "a later one was shorter");
    assert_eq!(largest, 60_000_000_000);
}

/// `ONE_TIMEOUT`: segments that one timeout retransmits.
#[test]
fn close_repeats_are_one() {
    assert_eq!(repeats(&[0, 80, 240, 260, 560]), Some(3), "an eighth of the interval before");
    assert_eq!(repeats(&[0, 80, 240, 261, 560]), None, "more");
    assert_eq!(after(&[0, 80, 240, 260, 560]).interval, 320, "the interval is from the first of them");
    assert_eq!(repeats(&[0, 0, 80, 240]), None, "the first repeat counts however soon it comes");
    assert_eq!(ONE_TIMEOUT.get(), Ratio(1, 8));
}

#[test]
fn what_a_silence_is_made_of() {
    let silence = after(&[100, 180, 340, 660]).silence(0);
    assert_eq!(silence, Some(Silence { repeats: 3, nanos: 560, interval: 320 }), "from the first transmission");
    assert_eq!(repeats(&[0, 80, 240]), None, "two repeats");
    assert_eq!(repeats(&[0, 80, 240, 560, 600]), Some(3), "one more with the last");
    assert_eq!(repeats(&[0, 80, 240, 560, 640]), None, "an interval that shrinks ends it");
    assert_eq!(repeats(&[0, 20, 80, 240, 560]), Some(4), "what a probe of the tail began");
    assert_eq!(Backoff::default().silence(0), None, "nothing was repeated");
    assert_eq!(SILENT_REPEATS.get(), 3);
}

#[test]
fn another_silence_begins_anew() {
    let mut backoff = after(&[0, 80, 240, 560]);
    assert_eq!(backoff.silence(1), None, "the other end was heard since");
    backoff.repeated(600, 700, 650);
    assert_eq!((backoff.repeats, backoff.first, backoff.interval, backoff.doublings), (1, 650, 50, 0));
    assert_eq!((backoff.silence(0), backoff.silence(600)), (None, None));
}
