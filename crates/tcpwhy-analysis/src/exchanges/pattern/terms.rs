//! Tests of each condition of a pattern: one of them fails if a condition is removed or its boundary moves.

use super::*;

#[test]
fn a_rest_of_a_second_is_a_pause() {
    let pauses = |rests: &[i64]| {
        let mut turns = Turns::default();
        for &nanos in rests {
            turns.note_pause(nanos);
        }
        (turns.pauses, turns.silence)
    };
    assert_eq!(LONG_REST.get(), 1_000_000_000);
    assert_eq!(pauses(&[LONG_REST.get() - 1]), (0, 0), "just below");
    assert_eq!(pauses(&[LONG_REST.get(), 5_000_000_000]), (2, 6_000_000_000), "at it, and longer: both count");
}

#[test]
fn a_pattern_is_the_first_that_its_terms_allow() {
    let all = Turns {
        exchanges: 10,
        crossed: 5,
        pauses: PAUSES.get(),
        silence: 20,
        span: 100,
        unasked: 0,
        certain: 7,
        early: 0,
        is_torn: false,
        is_free: true,
        is_echoed: true,
        is_polled: true,
        is_granted: false,
    };
    let free = Turns { is_echoed: false, ..all };
    let not_echoed = Turns { is_free: false, ..free };
    let uncrossed = Turns { crossed: 4, ..not_echoed };
    let polled = Turns { pauses: PAUSES.get() - 1, ..uncrossed };
    for (what, turns, expected) in [
        ("a person types, whatever else there is", all, Pattern::Interactive),
        ("both ends speak when they like: what crosses does not matter", free, Pattern::Unasked),
        ("crossings come before rests and polls", not_echoed, Pattern::Overlapping),
        ("rests come before polls", uncrossed, Pattern::Unasked),
        (
            "words that nobody had asked for, half as many as exchanges",
            Turns { unasked: 5, ..polled },
            Pattern::Unasked,
        ),
        ("three of four answers at once", Turns { unasked: 5, certain: 8, ..polled }, Pattern::LongPoll),
        ("more than exchanges", Turns { unasked: 11, certain: 10, early: 7, ..polled }, Pattern::Unasked),
        (
            "but three of four exchanges came before",
            Turns { unasked: 11, certain: 10, early: 8, ..polled },
            Pattern::LongPoll,
        ),
        ("as many as exchanges", Turns { unasked: 10, certain: 10, early: 7, ..polled }, Pattern::LongPoll),
        ("none was asked for", Turns { unasked: 3, exchanges: 0, crossed: 0, ..polled }, Pattern::Unasked),
        ("fewer", Turns { unasked: 4, ..polled }, Pattern::LongPoll),
        ("two", Turns { unasked: 2, exchanges: 1, crossed: 0, ..polled }, Pattern::LongPoll),
        ("who asks changed", Turns { is_torn: true, ..polled }, Pattern::Unasked),
        ("too few rests", polled, Pattern::LongPoll),
        ("too little silence", Turns { silence: 19, ..uncrossed }, Pattern::LongPoll),
        ("no polls either", Turns { is_polled: false, ..polled }, Pattern::RequestResponse),
        ("no exchange and no crossing", Turns::default(), Pattern::RequestResponse),
        ("one crossing and no exchange", Turns { crossed: 1, ..Turns::default() }, Pattern::Overlapping),
        ("the sums of a long capture", Turns { crossed: u64::MAX, ..not_echoed }, Pattern::Overlapping),
    ] {
        assert_eq!(turns.pattern(), expected, "{what}");
    }
    assert_eq!((CROSSED.get(), PAUSES.get(), UNASKED.get()), (4, 3, 2));
    assert_eq!(SILENT.get().to_bits(), 0.2_f64.to_bits());
}

#[test]
fn ids_are_stable() {
    for (pattern, id) in [
        (Pattern::RequestResponse, "request_response"),
        (Pattern::Overlapping, "overlapping"),
        (Pattern::Interactive, "interactive"),
        (Pattern::LongPoll, "long_poll"),
        (Pattern::Unasked, "unasked"),
    ] {
        assert_eq!(pattern.id(), id);
    }
}
