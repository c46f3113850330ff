//! Tests of each condition for a request without an answer: dropping one, or moving its boundary, fails here.

use super::*;
use Side::{A, B};

const MILLISECOND: i64 = 1_000_000;

/// Messages with their sizes and times in milliseconds.
fn after(messages: &[(Side, u64, i64)]) -> LastMessage {
    let mut last = LastMessage::default();
    for &(side, bytes, millis) in messages {
        last.spoke(side, bytes, millis * MILLISECOND);
    }
    last
}

fn is_unanswered(messages: &[(Side, u64, i64)]) -> bool {
    after(messages).unanswered(A).is_some()
}

#[test]
fn a_request_is_all_that_its_end_said_last() {
    let found = after(&[(A, 400, 0), (B, 90, 50), (A, 300, 60), (B, 90, 90), (A, 200, 95), (A, 20, 94)]);
    assert_eq!(
        found.unanswered(A),
        Some(Unanswered { asker: A, since: 95 * MILLISECOND, bytes: 220, answered: 2, longest: 50 * MILLISECOND }),
        "the last byte, all bytes, and the longest of the waits before"
    );
    assert_eq!(found.unanswered(B), None, "the other end's");
}

#[test]
fn sizes_of_requests_that_were_answered() {
    for (what, messages, expected) in [
        ("as the smallest before", vec![(A, 60, 0), (B, 9, 1), (A, 40, 2), (B, 9, 3), (A, 40, 4)], true),
        ("smaller than any before", vec![(A, 60, 0), (B, 9, 1), (A, 40, 2), (B, 9, 3), (A, 39, 4)], false),
        ("larger ones came too", vec![(A, 151, 0), (B, 9, 1), (A, 40, 2), (B, 9, 3), (A, 150, 4)], false),
        (
            "none was larger than a small message",
            vec![(A, 150, 0), (B, 9, 1), (A, 40, 2), (B, 9, 3), (A, 150, 4)],
            true,
        ),
        ("the server's sizes do not count", vec![(A, 60, 0), (B, 99_999, 1), (A, 60, 4)], true),
        ("the first, of the size of a goodbye", vec![(A, SMALL_MESSAGE.get(), 0)], false),
        ("the first, just above it", vec![(A, SMALL_MESSAGE.get() + 1, 0)], true),
        ("the first, of the size of a transfer", vec![(A, BULK.get(), 0)], false),
        ("the first, just below it", vec![(A, BULK.get() - 1, 0)], true),
        ("a later one of that size", vec![(A, 400, 0), (B, 9, 1), (A, BULK.get(), 2)], true),
    ] {
        assert_eq!(is_unanswered(&messages), expected, "{what}");
    }
    assert_eq!((SMALL_MESSAGE.get(), BULK.get()), (150, 100_000));
}

/// `UNANSWERED_RESTS`: four answered messages for each pause after which the sender sent more.
#[test]
fn rests_of_the_asker_count_and_of_no_other() {
    let answered = |count: i64| (0..count).flat_map(|n| [(A, 400, 10 * n), (B, 400, 10 * n + 5)]).collect::<Vec<_>>();
    for (what, count, rests, expected) in [
        ("no rest", 0, vec![], true),
        ("one rest, four answered", 4, vec![(A, 400, 100), (A, 400, 1100)], true),
        ("one rest, three answered", 3, vec![(A, 400, 100), (A, 400, 1100)], false),
        ("just less than a rest", 3, vec![(A, 400, 100), (A, 400, 1099)], true),
        ("two rests, eight answered", 8, vec![(A, 400, 100), (A, 400, 1100), (A, 400, 2100)], true),
        ("two rests, seven answered", 7, vec![(A, 400, 100), (A, 400, 1100), (A, 400, 2100)], false),
        ("the server's rests", 1, vec![(B, 400, 1005), (B, 400, 2005), (A, 400, 2010)], true),
    ] {
        let mut messages = answered(count);
        messages.extend(rests);
        messages.push((A, 400, messages.last().map_or(0, |last| last.2)));
        assert_eq!(is_unanswered(&messages), expected, "{what}");
    }
    assert_eq!((UNANSWERED_RESTS.get(), LONG_REST.get()), (4, 1_000_000_000));
}
