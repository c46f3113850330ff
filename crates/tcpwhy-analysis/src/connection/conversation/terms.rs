//! Each term of who speaks when: dropping one, swapping the ends, or moving a boundary fails here.

use tcpwhy_testkit::ms;

use super::*;
use crate::exchanges::Pattern;
use Side::{A, B};

/// `bytes` of `side` at `at`, after all that the other end had sent.
fn data(side: Side, at: i64, bytes: u64) -> Spoken {
    let (is_after_all, had_nothing_out, is_tls_handshake) = (true, false, false);
    Spoken { side, bytes, time: ms(at), packet: at.unsigned_abs(), is_after_all, had_nothing_out, is_tls_handshake }
}

fn crossing(side: Side, at: i64, bytes: u64) -> Spoken {
    Spoken { is_after_all: false, ..data(side, at, bytes) }
}

fn after_rest(side: Side, at: i64, bytes: u64) -> Spoken {
    Spoken { had_nothing_out: true, ..data(side, at, bytes) }
}

fn hello(side: Side, at: i64, bytes: u64) -> Spoken {
    Spoken { is_tls_handshake: true, ..data(side, at, bytes) }
}

/// A conversation in which A asks, and the handshake was over at 0.
fn conversation(words: &[Spoken]) -> Conversation {
    let mut conversation = Conversation::new(A, 32);
    for word in words {
        conversation.follow(word, Some(0));
    }
    conversation
}

fn finished(words: &[Spoken]) -> Exchanges {
    conversation(words).finish(Ways::default(), None, false, false).unwrap()
}

#[test]
fn all_data_of_one_end_is_a_message() {
    let base = [data(A, 10, 300), data(B, 30, 1000)];
    for (what, more, expected) in [
        ("nothing more", data(B, 30, 0), (1000, 30, 30)),
        ("more of the answer", data(B, 45, 500), (1500, 45, 45)),
        ("a repeat lengthens it", data(B, 45, 0), (1000, 45, 45)),
        ("a keep-alive does not", after_rest(B, 45, 0), (1000, 30, 30)),
        ("new data after all was acknowledged", after_rest(B, 45, 1), (1001, 45, 45)),
        ("a packet that the capture has late", data(B, 29, 7), (1007, 30, 30)),
    ] {
        let found = finished(&[base[0], base[1], more]);
        let slowest = &found.slowest[0];
        let last = slowest.answer.end().as_nanos() / ms(1);
        assert_eq!((found.answer_bytes, last, slowest.last_packet), (expected.0, expected.1, expected.2), "{what}");
        assert_eq!(
            (found.request_bytes, slowest.request_bytes, slowest.answer_bytes),
            (300, 300, expected.0),
            "{what}"
        );
        assert_eq!((slowest.request_packet, slowest.answer_packet), (10, 30), "{what}");
    }
    let mut empty = conversation(&base[..1]);
    empty.follow(&data(B, 30, 0), Some(0));
    assert_eq!(empty.current.map(|message| message.speaker), Some(A), "a repeat of the other end is no word");
}

/// A pause is since the last data of the message, not since its first.
#[test]
fn a_long_message_is_no_pause() {
    let found = conversation(&[data(A, 10, 300), data(B, 30, 9), data(B, 530, 9), after_rest(B, 1100, 9)]);
    assert_eq!(found.turns.pauses, 0);
}

#[test]
fn a_rest_within_a_message_is_a_pause() {
    for (what, more, expected) in [
        ("1 s later, all acknowledged", after_rest(B, 1030, 5), 1),
        ("less than 1 s later", after_rest(B, 1029, 5), 0),
        ("1 s later, with data under way", data(B, 1030, 5), 0),
        ("a keep-alive after 1 s", after_rest(B, 1030, 0), 0),
    ] {
        let found = conversation(&[data(A, 10, 300), data(B, 30, 1000), more]);
        assert_eq!((found.turns.pauses, found.turns.silence), (expected, ms(1000) * expected as i64), "{what}");
    }
}

/// `KEYSTROKE`: window updates of HTTP/2 are smaller than a message that crosses another.
#[test]
fn messages_cross_once_each() {
    let base = [data(A, 10, 300), data(B, 30, 1000)];
    for (what, more, expected) in [
        ("more than a key crosses", vec![crossing(A, 31, 65)], 1),
        ("a key", vec![crossing(A, 31, 64)], 0),
        ("two segments of one message", vec![crossing(A, 31, 65), crossing(A, 31, 65)], 1),
        ("two messages", vec![crossing(A, 31, 65), data(B, 32, 1), crossing(A, 33, 65)], 2),
        ("a message that comes after all", vec![data(A, 31, 65)], 0),
        (
            "one that crosses, then one after all that is crossed",
            { vec![crossing(A, 31, 65), data(A, 32, 65), crossing(B, 33, 65)] },
            2,
        ),
    ] {
        let words: Vec<_> = base.into_iter().chain(more).collect();
        assert_eq!(conversation(&words).turns.crossed, expected, "{what}");
    }
    assert_eq!(KEYSTROKE.get(), 64);
    let first = conversation(&[crossing(A, 10, 300)]);
    assert!(first.current.is_some() && first.turns.crossed == 0, "the first message crosses nothing");
    let crossed = finished(&[base[0], base[1], crossing(A, 31, 900), data(B, 40, 1)]);
    assert_eq!((crossed.count, crossed.request_bytes), (1, 300), "what crosses is no request");
}

/// Where the capture joined a connection, a byte may be a keep-alive.
#[test]
fn a_byte_that_comes_first_is_a_keep_alive() {
    for (what, bytes, established, expected) in [
        ("a byte after a handshake", 1, Some(0), true),
        ("a byte without one", 1, None, false),
        ("two bytes without one", 2, None, true),
    ] {
        let mut conversation = Conversation::new(A, 32);
        conversation.follow(&data(A, 10, bytes), established);
        assert_eq!(conversation.current.is_some(), expected, "{what}");
    }
    let mut later = Conversation::new(A, 32);
    later.follow(&data(A, 10, 2), None);
    later.follow(&data(B, 20, 1), None);
    assert_eq!(later.current.map(|message| message.speaker), Some(B), "a byte that answers");
}

#[test]
fn the_first_words_of_the_server_are_a_greeting() {
    let greeting = |words: &[Spoken], established| {
        let mut conversation = Conversation::new(A, 32);
        for word in words {
            conversation.follow(word, established);
        }
        conversation.opening.greeting
    };
    let server = [data(B, 30, 80)];
    assert_eq!(greeting(&server, Some(ms(10))), Some(ms(20)), "since the handshake");
    assert_eq!(greeting(&server, Some(ms(31))), Some(0), "never less than nothing");
    assert_eq!(greeting(&server, None), None, "no handshake");
    assert_eq!(greeting(&[data(A, 10, 80)], Some(0)), None, "the client speaks first");
    assert_eq!(greeting(&[data(A, 10, 80), data(B, 30, 80)], Some(0)), None, "an answer");
}

/// The client's time is between an answer and its next request, and nothing else.
#[test]
fn what_passes_before_the_first_request_is_nobodys() {
    for (what, words, expected) in [
        ("one exchange", vec![data(A, 100, 9), data(B, 120, 9)], (1, 0, 20)),
        ("after a greeting", vec![data(B, 40, 9), data(A, 100, 9), data(B, 120, 9)], (1, 0, 20)),
        ("after TLS", vec![hello(A, 10, 9), data(B, 30, 9), data(A, 100, 9), data(B, 120, 9)], (1, 0, 20)),
        (
            "two exchanges",
            {
                vec![
                    data(A, 100, 9),
                    data(B, 120, 9),
                    data(B, 130, 9),
                    data(A, 180, 9),
                    data(A, 181, 9),
                    data(B, 211, 9),
                ]
            },
            (2, 50, 50),
        ),
        (
            "three, the last without an answer",
            { vec![data(A, 0, 9), data(B, 20, 9), data(A, 30, 9), data(B, 50, 9), data(A, 99, 9)] },
            (2, 10, 40),
        ),
        ("an answer that the capture has too early", vec![data(A, 100, 9), data(B, 99, 9)], (1, 0, 0)),
    ] {
        let found = finished(&words);
        let parts = (found.count, found.parts.client / ms(1), found.parts.server / ms(1));
        assert_eq!(parts, expected, "{what}: exchanges, the client's and the server's time");
    }
}

#[test]
fn parts_of_two_exchanges() {
    let words = [
        data(A, 100, 300),
        data(A, 103, 100),
        data(B, 130, 1000),
        data(B, 137, 500),
        data(A, 187, 40),
        data(B, 267, 70),
        data(B, 268, 7),
    ];
    let ways = Ways { to_server: Some(ms(10)), to_client: Some(ms(4)) };
    let found = conversation(&words).finish(ways, None, false, false).unwrap();
    assert_eq!((found.request_bytes, found.answer_bytes, found.count, found.client), (440, 1577, 2, A));
    let expected = Parts {
        client: ms(50 - 4),
        server: ms(27 - 10 + 80 - 10),
        round_trips: ms(2 * (10 + 4)),
        requests: ms(3),
        answers: ms(7 + 1),
        ..Parts::default()
    };
    assert_eq!(found.parts, expected);
    let times = |sketch: &Sketch| sketch.distribution().map(|d| (d.min as i64 / ms(1), d.max as i64 / ms(1)));
    assert_eq!(times(&found.responses), Some((17, 70)), "without the way to the server");
    assert_eq!(times(&found.times), Some((37 + 4, 81 + 4)), "with the way to the client");
    let slowest: Vec<_> = found.slowest.iter().map(|e| (e.response / ms(1), e.round_trip / ms(1))).collect();
    assert_eq!(slowest, [(70, 14), (17, 14)], "the longest first");
    assert_eq!(found.slowest[1].nanos(), ms(3 + 27 + 7 + 4));
}

/// A way that takes longer than the answer did: the rest is the round trip's, and nothing is negative.
#[test]
fn an_answer_sooner_than_the_way_takes() {
    let words = [data(A, 100, 9), data(B, 105, 9), data(A, 107, 9), data(B, 112, 9)];
    let ways = Ways { to_server: Some(ms(10)), to_client: Some(ms(4)) };
    let found = conversation(&words).finish(ways, None, false, false).unwrap();
    assert_eq!((found.parts.server, found.parts.client), (0, 0));
    assert_eq!(found.parts.round_trips, ms(2 * (5 + 4)));
    assert_eq!((found.slowest[0].response, found.slowest[0].round_trip), (0, ms(5 + 4)));
    let back = Ways { to_server: Some(-ms(10)), to_client: Some(-ms(4)) };
    let found = conversation(&words).finish(back, None, false, false).unwrap();
    assert_eq!((found.parts.server, found.parts.client), (ms(10), ms(2)), "ways that read as negative are none");
}

#[test]
fn a_tls_handshake_is_an_opening() {
    let one = [hello(A, 10, 500), data(B, 30, 3000)];
    let found = finished(&one);
    assert_eq!((found.count, found.opening.tls_turns, found.opening.tls_nanos), (0, 1, ms(20)), "one turn");
    let two = [one[0], data(B, 30, 3000), data(B, 35, 1000), hello(A, 45, 80), data(B, 65, 60), data(A, 99, 9)];
    let found = finished(&two);
    assert_eq!((found.opening.tls_turns, found.opening.tls_nanos), (2, ms(25 + 10 + 20)), "two turns and a rest");
    let after_greeting = [data(B, 5, 80), hello(A, 10, 500), data(B, 30, 3000)];
    assert_eq!(finished(&after_greeting).opening.tls_nanos, ms(20), "what came before it is no part of it");
    let late = [data(A, 10, 5), hello(A, 11, 500), data(B, 30, 3000)];
    assert_eq!(finished(&late).opening.tls_turns, 1, "a record that is not the first of its message");
    let of_server = [data(A, 10, 5), hello(B, 30, 3000)];
    assert_eq!((finished(&of_server).opening.tls_turns, finished(&of_server).count), (0, 1), "the server's own");
}

#[test]
fn nothing_was_said() {
    let none = |words: &[Spoken]| conversation(words).finish(Ways::default(), None, false, false).is_none();
    assert!(none(&[data(A, 10, 9)]), "a request without an answer");
    assert!(!none(&[data(B, 10, 9)]), "a greeting");
    assert!(!none(&[data(A, 10, 9), data(B, 20, 9)]), "an exchange");
}

#[test]
fn the_pattern_knows_echoes_and_polls() {
    let pattern = |is_echoed, is_polled| {
        let conversation = conversation(&[data(A, 10, 9), data(B, 20, 9)]);
        conversation.finish(Ways::default(), None, is_echoed, is_polled).unwrap().pattern
    };
    let all = [pattern(false, false), pattern(true, false), pattern(false, true)];
    assert_eq!(all, [Pattern::RequestResponse, Pattern::Interactive, Pattern::LongPoll]);
}

/// `SMALL_MESSAGE` and `LONG_REST`: the last words of a server that closes answer nothing.
#[test]
fn a_goodbye_is_no_answer() {
    for (what, bytes, wait, closed, expected) in [
        ("150 bytes after 1 s, closed in less than 1 s", 150, 1000, Some(999), true),
        ("151 bytes", 151, 1000, Some(999), false),
        ("after less than 1 s", 150, 999, Some(998), false),
        ("closed 1 s later", 150, 1000, Some(1000), false),
        ("never closed", 150, 1000, None, false),
        ("closed before", 150, 1000, Some(-1), true),
    ] {
        let conversation = conversation(&[data(A, 10, 9), data(B, 20, 9), data(A, 30, 9), data(B, 30 + wait, bytes)]);
        let closed = closed.map(|after| ms(30 + wait + after));
        let found = conversation.finish(Ways::default(), closed, false, false).unwrap();
        assert_eq!(found.count, if expected { 1 } else { 2 }, "{what}");
    }
    let first = Message { waited: None, ..conversation(&[data(B, 10, 9)]).current.unwrap() };
    assert!(!is_goodbye(&first, Some(ms(10))), "nothing came before");
}

/// The slowest exchanges are kept one by one; the sums include the others.
#[test]
fn the_slowest_are_kept() {
    let mut conversation = Conversation::new(A, 2);
    for (n, wait) in [30, 10, 20, 5, 40, 10].into_iter().enumerate() {
        let at = 1000 * n as i64;
        conversation.follow(&data(A, at, 9), Some(0));
        conversation.follow(&data(B, at + wait, 9), Some(0));
    }
    let found = conversation.finish(Ways::default(), None, false, false).unwrap();
    let kept: Vec<_> = found.slowest.iter().map(|e| (e.nanos() / ms(1), e.request_packet)).collect();
    assert_eq!(kept, [(40, 4000), (30, 0)]);
    assert_eq!((found.count, found.parts.server), (6, ms(115)));
    let times = found.times.distribution().unwrap();
    assert_eq!((times.min as i64, times.max as i64), (ms(5), ms(40)));
    let alike = finished(&[data(A, 0, 9), data(B, 20, 9), data(A, 100, 9), data(B, 120, 9)]);
    assert_eq!(alike.slowest.iter().map(|e| e.request_packet).collect::<Vec<_>>(), [0, 100], "equal ones: the first");
}

/// All that an end says until the other answers belongs to one exchange, from its first to its last byte.
#[test]
fn the_time_of_messages_is_from_first_to_last_byte() {
    let found = conversation(&[data(A, 10, 9), data(A, 15, 9), data(B, 30, 9), data(B, 70, 9), data(A, 99, 9)]);
    assert_eq!((found.turns.exchanges, found.turns.span, found.bytes), (1, ms(60), [18, 18]));
}
