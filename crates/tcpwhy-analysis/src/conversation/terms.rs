//! Tests of each condition of roles: one of them fails if a condition is removed, the ends are swapped, or a
//! boundary moves.

use tcpwhy_testkit::ms;

use super::role::Role;
use super::*;
use crate::exchanges::{Parts, Pattern};
use crate::sketch::Sketch;
use Side::{A, B};

/// `bytes` of `side` at `at`, after all data of the other end.
fn data(side: Side, at: i64, bytes: u64) -> Spoken {
    let (is_after_all, had_nothing_out, was_shut, record) = (true, false, false, Record::Other);
    let (time, packet) = (ms(at), at.unsigned_abs());
    Spoken { side, bytes, time, packet, is_after_all, had_nothing_out, was_shut, record }
}

fn crossing(side: Side, at: i64, bytes: u64) -> Spoken {
    Spoken { is_after_all: false, ..data(side, at, bytes) }
}

fn after_rest(side: Side, at: i64, bytes: u64) -> Spoken {
    Spoken { had_nothing_out: true, ..data(side, at, bytes) }
}

fn hello(side: Side, at: i64, bytes: u64) -> Spoken {
    Spoken { record: Record::Handshake, ..data(side, at, bytes) }
}

/// A conversation that A opened, with at most `most_kept` kept exchanges. The handshake ended at 0, if there
/// was one.
fn begun(most_kept: usize, established: Option<i64>) -> Conversation {
    let mut conversation = Conversation::new(Presumed::Opened(A), most_kept);
    conversation.establish(established, None);
    conversation
}

/// A conversation in which A sends requests, and the handshake ended at 0.
fn conversation(words: &[Spoken]) -> Conversation {
    let mut conversation = begun(32, Some(0));
    for word in words {
        conversation.follow(word);
    }
    conversation
}

/// Returns its exchanges, captured at an end with these path delays.
fn ended(mut conversation: Conversation, ways: Ways, closing: Closing) -> Option<Exchanges> {
    conversation.close();
    conversation.finish(ways, closing)
}

fn finished(words: &[Spoken]) -> Exchanges {
    ended(conversation(words), Ways::default(), Closing::default()).unwrap()
}

/// Returns the role of each message after the last one. The server closed at `closed`.
fn roles_until(words: &[Spoken], closed: Option<i64>) -> Vec<Role> {
    let mut conversation = conversation(words);
    conversation.close();
    conversation.decide(Some(Closing { closed: closed.map(ms), ..Closing::default() }));
    conversation.told
}

fn roles(words: &[Spoken]) -> Vec<Role> {
    roles_until(words, None)
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
    empty.follow(&data(B, 30, 0));
    assert_eq!(empty.current.map(|message| message.speaker), Some(A), "a repeat of the other end is no word");
}

/// A silence begins at the last data of the message, not at its first.
#[test]
fn a_long_message_has_no_silence() {
    let words = [data(A, 10, 300), data(B, 30, 900), data(B, 530, 900), after_rest(B, 1100, 900)];
    assert_eq!(roles(&words), [Role::Request, Role::Answer]);
}

/// `LONG_REST` and `LONG_REST_ROUND_TRIPS`: a silence with all data acknowledged ends a message.
#[test]
fn a_long_silence_ends_a_message() {
    let base = [data(A, 10, 300), data(B, 30, 1000)];
    for (what, more, expected) in [
        ("1 s later, all acknowledged", after_rest(B, 1030, 500), true),
        ("less than 1 s later", after_rest(B, 1029, 500), false),
        ("1 s later, with data under way", data(B, 1030, 500), false),
        ("a keep-alive after 1 s", after_rest(B, 1030, 0), false),
        ("after a closed window", Spoken { was_shut: true, ..after_rest(B, 5030, 500) }, false),
    ] {
        let found = roles(&[base[0], base[1], more]);
        assert_eq!(found.last() == Some(&Role::Continued), expected, "{what}");
        assert_eq!(finished(&[base[0], base[1], more]).count, 1, "{what}: the answer goes on");
    }
    for (rtt, expected) in [(400, 2), (300, 3)] {
        let mut far = begun(32, Some(0));
        far.establish(Some(0), Some(ms(rtt)));
        for word in [base[0], base[1], after_rest(B, 1030, 500)] {
            far.follow(&word);
        }
        far.close();
        assert_eq!(far.held.len(), expected, "three round trips of {rtt} ms");
    }
}

/// `SMALL_MESSAGE`, `ANSWER_MOST` and the habit: three kinds of messages do not belong to the answer. They
/// are small, come later than anybody waits, or come from an end that often sends unrequested messages.
#[test]
fn news_are_no_part_of_an_answer() {
    let base = [data(A, 10, 300), data(B, 30, 1000)];
    for (what, more, expected) in [
        ("151 bytes after 1 s", after_rest(B, 1030, 151), Role::Continued),
        ("150 bytes", after_rest(B, 1030, 150), Role::Push),
        ("much, less than 10 s later", after_rest(B, 10_029, 5000), Role::Continued),
        ("10 s later", after_rest(B, 10_030, 5000), Role::Push),
    ] {
        let words = [base[0], base[1], more];
        assert_eq!(roles(&words), [Role::Request, Role::Answer, expected], "{what}");
    }
    let habit = [base[0], base[1], after_rest(B, 2030, 500), after_rest(B, 4030, 500)];
    assert_eq!(roles(&habit)[2..], [Role::Push, Role::Push], "PUSHES_LEAST: twice unasked");
}

/// An end continues without a request after a silence of 3 s, and the other confirms it at once with a few
/// bytes. Nobody sent a request, and the time between pushes belongs to no party.
#[test]
fn a_push_is_confirmed() {
    let pushes = |confirmed: u64, prompt: i64| {
        let mut words = vec![data(A, 10, 300), data(B, 30, 1000)];
        for n in 0..4 {
            let at = 3030 + 3000 * n;
            let push = if n == 0 { after_rest(B, at, 100) } else { data(B, at, 400 + 70 * n.unsigned_abs()) };
            words.extend([push, data(A, at + prompt, confirmed)]);
        }
        words
    };
    let found = finished(&pushes(32, 5));
    assert_eq!((found.pattern, found.count), (Pattern::RequestResponse, 1), "four pushes, one exchange");
    assert_eq!((found.parts.server, found.parts.client), (ms(20), 0));
    assert_eq!(roles(&pushes(32, 5))[3..5], [Role::Acknowledgement, Role::Push]);
    assert_eq!(roles(&pushes(150, 5))[3], Role::Acknowledgement, "SMALL_MESSAGE");
    assert_eq!(roles(&pushes(151, 5))[3], Role::Acknowledgement, "more than a few bytes, left alone");
    assert_eq!(roles(&pushes(32, 200))[3], Role::Acknowledgement, "REPLY_SOON");
    assert_eq!(roles(&pushes(32, 201))[3], Role::Request, "later than a program confirms");
}

/// A request, its answer, and pushes that the client confirms.
struct Feed {
    request: u64,
    /// Time from the answer to the first push.
    rest: i64,
    replies: &'static [u64],
    /// Time that the client takes for each reply.
    prompt: i64,
    /// Time from each reply to the next push.
    waits: &'static [i64],
}

impl Feed {
    const PLAIN: Self = Self { request: 300, rest: 800, replies: &[32; 4], prompt: 3, waits: &[900, 400, 990] };

    fn words(&self) -> Vec<Spoken> {
        let mut words = vec![data(A, 10, self.request), data(B, 30, 100)];
        let mut at = 30;
        for (n, &reply) in self.replies.iter().enumerate() {
            let wait = if n == 0 { self.rest } else { self.waits[n - 1] };
            let push = if n == 0 { after_rest(B, at + wait, 200) } else { data(B, at + wait, 400 * n as u64) };
            words.extend([push, data(A, at + wait + self.prompt, reply)]);
            at += wait + self.prompt;
        }
        words
    }
}

/// `OWN_REST` and the conditions of a confirmation: an end that always sends the same few bytes at once,
/// after messages at irregular times, requests nothing.
#[test]
fn small_words_at_once_confirm_pushes() {
    let count = |feed: &Feed| {
        let found = finished(&feed.words());
        (found.count, found.parts.server / ms(1))
    };
    let plain = Feed::PLAIN;
    assert_eq!(count(&plain), (1, 20), "pushes after unequal rests, none of a second");
    for (what, feed, expected) in [
        ("OWN_REST: the other end went on", Feed { rest: 250, ..plain }, 1),
        ("a delayed ACK held the rest back", Feed { rest: 249, ..plain }, 4),
        ("CONTROL_PART: requests are twice as long", Feed { request: 64, ..plain }, 1),
        ("requests are about as long", Feed { request: 63, ..plain }, 4),
        ("BEAT_STEADY: a server that takes as long each time", Feed { waits: &[900, 900, 900], ..plain }, 4),
        ("REPLY_SOON: answers that come at once", Feed { waits: &[150, 100, 200], ..plain }, 4),
        ("later than at once", Feed { waits: &[201, 300, 500], ..plain }, 1),
        ("a client that takes its time", Feed { prompt: 201, ..plain }, 4),
        ("a client that takes less", Feed { prompt: 200, ..plain }, 1),
        ("SAME_REQUEST: not always the same", Feed { replies: &[32, 60, 90, 120], ..plain }, 4),
        ("a counter in it", Feed { replies: &[32, 33, 47, 48], ..plain }, 1),
        ("HABIT_LEAST: three", Feed { replies: &[32; 3], ..plain }, 1),
        ("two", Feed { replies: &[32; 2], ..plain }, 2),
        ("SMALL_MESSAGE", Feed { request: 900, replies: &[150; 4], ..plain }, 1),
        ("more than a few bytes", Feed { request: 900, replies: &[151; 4], ..plain }, 4),
    ] {
        assert_eq!(count(&feed).0, expected, "{what}");
    }
    let later = Feed { rest: 1800, ..plain }.words();
    assert_eq!(roles(&later)[2..4], [Role::Push, Role::Acknowledgement], "a push is no part of the answer before");
    let slow = [data(A, 10, 64), data(B, 30, 100)].into_iter().chain((0..5).flat_map(|n| {
        let at = 100 + n * n * 100 + n * 900;
        [data(A, at, 32), data(B, at + 700 + 90 * n, 900)]
    }));
    assert_eq!(finished(&slow.collect::<Vec<_>>()).count, 6, "a slow server that is asked for more again and again");
}

/// Two people who chat: each writes at any time, and sometimes twice in a row.
#[test]
fn two_that_speak_when_they_like_ask_nothing() {
    let chat = [
        data(A, 100, 60),
        after_rest(A, 800, 40),
        data(B, 1900, 90),
        after_rest(B, 2400, 30),
        data(A, 3300, 80),
        data(B, 4700, 20),
        data(A, 5400, 50),
    ];
    let pattern = |words: &[Spoken]| finished(words).pattern;
    let with = |changes: &[(usize, Spoken)]| {
        let mut words = chat;
        for &(at, word) in changes {
            words[at] = word;
        }
        pattern(&words)
    };
    assert_eq!(pattern(&chat), Pattern::Unasked);
    for (what, changes, expected) in [
        ("OWN_REST: pieces of one message", vec![(1, after_rest(A, 349, 40))], Pattern::RequestResponse),
        ("longer rests", vec![(1, after_rest(A, 350, 40))], Pattern::Unasked),
        ("what was under way was no rest", vec![(3, data(B, 2400, 30))], Pattern::RequestResponse),
        ("a rest of a second", vec![(3, after_rest(B, 2900, 30))], Pattern::Unasked),
        ("CHAT_TIMES: answers are longer", vec![(2, data(B, 1900, 690))], Pattern::RequestResponse),
        ("not so long", vec![(2, data(B, 1900, 630))], Pattern::Unasked),
        ("AT_LEISURE: half of one end's words at once", vec![(5, data(B, 3500, 20))], Pattern::Unasked),
        ("most of them", vec![(2, data(B, 1000, 90)), (5, data(B, 3500, 20))], Pattern::RequestResponse),
    ] {
        assert_eq!(with(&changes), expected, "{what}");
    }
    let few = [chat[0], chat[1], chat[2], chat[3], chat[4]];
    assert_eq!(pattern(&few), Pattern::RequestResponse, "HABIT_LEAST: one end spoke twice");
    let line = Spoken { record: Record::StatusLine, ..chat[2] };
    assert_eq!(with(&[(2, line)]), Pattern::RequestResponse, "a status line answers");
}

/// A person uses a slow server, always with one small request and then its answer. Nothing else is certain,
/// but somebody waits.
#[test]
fn a_slow_server_is_no_peer() {
    let asked = |wait: i64, change: i64| {
        let turns = (0..6).flat_map(|n| {
            let at = 100 + 4000 * n + 300 * (n % 3);
            [data(A, at, 90 + 7 * n.unsigned_abs()), data(B, at + wait + change * (n % 4), 200)]
        });
        finished(&turns.collect::<Vec<_>>())
    };
    for (wait, change) in [(700, 0), (700, 310), (300, 70)] {
        let found = asked(wait, change);
        assert_eq!((found.pattern, found.count), (Pattern::RequestResponse, 6), "{wait} ms, {change} ms");
        assert!(found.parts.server >= ms(6 * wait), "{wait} ms: {:?}", found.parts);
    }
    // It answers in two pieces, always after the same time.
    let pieces = (0..5).flat_map(|n| {
        let at = 100 + 4000 * n + 300 * (n % 3);
        [data(A, at, 60), after_rest(A, at + 400, 30), data(B, at + 1100, 90), after_rest(B, at + 1600, 90)]
    });
    assert_eq!(finished(&pieces.collect::<Vec<_>>()).pattern, Pattern::RequestResponse, "a steady server");
}

/// Two confirmations in one message do not change the usual reply.
#[test]
fn the_usual_reply_is_that_of_most() {
    let with = |replies: &[u64]| {
        let mut habits = habits::Habits::default();
        for (n, &bytes) in replies.iter().enumerate() {
            let spoken = data(A, 100 * n as i64, bytes);
            habits.note(&Message::begin(&spoken, Follows::Other(ms(5))), 0);
        }
        let usual = |bytes: u64| Message::begin(&data(A, 0, bytes), Follows::Other(ms(5)));
        [56, 112].map(|bytes| habits.of(A).is_usual_reply(&usual(bytes)))
    };
    assert_eq!(with(&[56, 56, 56, 56, 112]), [true, false]);
    assert_eq!(with(&[112, 56, 56, 56, 56, 56]), [true, false], "HABIT_LEAST: three alike");
    assert_eq!(with(&[56, 56, 56]), [false, false], "two alike");
    assert_eq!(with(&[58, 72, 56, 70, 58]), [true, false], "SAME_REQUEST: up to 16 bytes more");
    assert_eq!(with(&[58, 75, 56, 75, 58]), [false, false], "17 more");
    let tiny = |more: u64| {
        let mut habits = habits::Habits::default();
        let reply = |n: u64| Message::begin(&data(A, 0, 8 + more * (n & 1)), Follows::Other(ms(5)));
        (0..6).for_each(|n| habits.note(&reply(n), 0));
        habits.of(A).is_usual_reply(&reply(0))
    };
    assert!(tiny(4) && !tiny(5), "half as long again: other words");
    assert_eq!(with(&[56, 112, 56, 112]), [false, false], "none is usual");
}

/// An echoed heartbeat of the server requests nothing, even if data follows soon.
#[test]
fn an_echo_asks_for_nothing() {
    let with = |push: u64, bytes: u64, prompt: i64, next: u64| {
        let words = [
            data(A, 10, 300),
            data(B, 30, 1000),
            after_rest(B, 11_030, push),
            data(A, 11_030 + prompt, bytes),
            data(B, 11_070 + prompt, next),
        ];
        roles(&words)[3..].to_vec()
    };
    let echo = |push, bytes, prompt| with(push, bytes, prompt, 39);
    assert_eq!(with(65, 65, 1, 65), [Role::Acknowledgement, Role::Push], "no more than that follows");
    assert_eq!(with(65, 65, 1, 66), [Role::Request, Role::Answer], "an answer");
    assert_eq!(echo(65, 65, 1), [Role::Acknowledgement, Role::Push]);
    assert_eq!(echo(65, 65, 200), [Role::Acknowledgement, Role::Push], "REPLY_SOON");
    assert_eq!(echo(150, 150, 1), [Role::Acknowledgement, Role::Push], "SMALL_MESSAGE");
    for (what, push, bytes, prompt) in
        [("another size", 65, 66, 1), ("more than a few bytes", 151, 151, 1), ("later", 65, 65, 201)]
    {
        assert_eq!(echo(push, bytes, prompt), [Role::Request, Role::Answer], "{what}");
    }
}

/// A request after a push is a request: its answer comes at once.
#[test]
fn a_request_after_a_push_is_answered() {
    let words = [
        data(A, 10, 300),
        data(B, 30, 1000),
        after_rest(B, 3030, 100),
        data(A, 3035, 100),
        data(B, 3055, 700),
        data(A, 5055, 32),
    ];
    let expected = [Role::Request, Role::Answer, Role::Push, Role::Request, Role::Answer, Role::Request];
    assert_eq!(roles(&words), expected);
    assert_eq!(finished(&words).count, 2);
}

/// `CONTROL_MOST` and `CONTROL_PART`: a few bytes right after an answer, without an answer of their own,
/// control the connection.
#[test]
fn a_control_record_asks_for_nothing() {
    let after = |bytes: u64, pause: i64, next: i64| {
        let at = 30 + pause;
        roles(&[data(A, 10, 300), data(B, 30, 1000), data(A, at, bytes), data(B, at + next, 400)])
    };
    for (what, bytes, pause, next, expected) in [
        ("35 bytes at once, left alone for 3 s", 35, 1, 3000, Role::Control),
        ("50 bytes", 50, 1, 3000, Role::Control),
        ("51 bytes", 51, 1, 3000, Role::Request),
        ("200 ms after the answer", 35, 200, 3000, Role::Control),
        ("later", 35, 201, 3000, Role::Request),
        ("answered within a second", 35, 1, 999, Role::Request),
    ] {
        assert_eq!(after(bytes, pause, next)[2], expected, "{what}");
    }
    let page = |wait: i64, bytes: u64| {
        roles(&[data(A, 10, 300), data(B, 30, 700), data(A, 31, 31), data(B, 31 + wait, bytes)])[2]
    };
    assert_eq!(page(1060, 2100), Role::Request, "OUTPUT_TIMES: the answer comes only now");
    assert_eq!(page(1060, 2099), Role::Control, "news");
    assert_eq!(page(10_000, 9000), Role::Control, "ANSWER_MOST: nobody waits for so long");
    let first = |words: [Spoken; 2]| {
        let after = [data(A, 50, 900), data(B, 80, 700), data(A, 81, 31), data(B, 1081, 1100)];
        *roles(&[&words[..], &after[..]].concat()).iter().nth_back(1).unwrap()
    };
    assert_eq!(first([hello(A, 10, 500), data(B, 30, 3000)]), Role::Request, "the page of a new TLS connection");
    assert_eq!(first([data(A, 10, 500), data(B, 30, 3000)]), Role::Control, "without TLS");
    let went_on = [hello(A, 10, 500), data(B, 30, 3000), data(A, 50, 900), data(B, 80, 70), after_rest(B, 2080, 900)];
    let news = [data(A, 2081, 31), data(B, 4081, 1100)];
    assert_eq!(roles(&[&went_on[..], &news[..]].concat())[5], Role::Control, "the page has come, and more");
    let small = roles(&[data(A, 10, 40), data(B, 30, 1000), data(A, 31, 40), data(B, 3030, 400)]);
    assert_eq!(small[2], Role::Request, "as long as the requests of this connection");
    assert_eq!(after(35, 1, 3000)[3], Role::Push, "what comes later was not asked for");
}

/// `CONTROL_RECORDS`: two control records are not a request, if the same record answers the last of them.
#[test]
fn two_control_records_ask_for_nothing() {
    let with = |pieces: &[u64], echo: u64, wait: i64| {
        let mut words = vec![data(A, 10, 300), data(B, 30, 1000)];
        words.extend(pieces.iter().zip(0..).map(|(&bytes, n)| data(A, 31 + 100 * n, bytes)));
        let last = words[words.len() - 1].time / ms(1);
        words.push(data(B, last + wait, echo));
        roles(&words)[2]
    };
    for (what, pieces, echo, wait, expected) in [
        ("a window update and a ping", &[35, 39][..], 39, 3, Role::Control),
        ("more than its like answers", &[35, 39], 400, 3, Role::Request),
        ("as many as both", &[35, 39], 74, 3, Role::Request),
        ("later than at once", &[35, 39], 39, 201, Role::Request),
        ("a record of 51 bytes", &[51, 39], 39, 3, Role::Request),
        ("three", &[34, 34, 34], 34, 3, Role::Request),
        ("two of 50 bytes", &[50, 50], 50, 3, Role::Control),
    ] {
        assert_eq!(with(pieces, echo, wait), expected, "{what}");
    }
}

/// `HEARTBEAT_LEAST` and `STEADY_LEAST`: a timer that sends the same bytes repeatedly requests nothing.
#[test]
fn a_timer_keeps_the_connection() {
    let beats = |count: i64, interval: i64, jitter: i64| {
        let mut words = vec![data(A, 10, 400), data(B, 30, 9000)];
        for n in 0..count {
            let at = 10_000 + interval * n + if n == 2 { jitter } else { 0 };
            words.extend([data(A, at, 43), data(B, at + 20, 40)]);
        }
        finished(&words).count
    };
    assert_eq!(beats(5, 5000, 0), 1, "every five seconds");
    assert_eq!(beats(5, 3999, 0), 6, "HEARTBEAT_LEAST: a device that is asked");
    assert_eq!(beats(3, 5000, 0), 4, "STEADY_LEAST: two intervals");
    assert_eq!(beats(4, 5000, 900), 5, "BEAT_STEADY: a person");
    let with_answer = [data(A, 0, 43), data(B, 20, 151)];
    let mut words = vec![];
    for n in 0..5 {
        words.extend(with_answer.map(|word| Spoken { time: word.time + ms(5000 * n), ..word }));
    }
    assert_eq!(finished(&words).count, 5, "SMALL_MESSAGE: an answer that brings something");
    let unanswered = [data(A, 0, 51), after_rest(A, 27_000, 51), data(B, 36_000, 190), data(A, 54_000, 51)];
    assert_eq!(roles(&unanswered), [Role::Request, Role::Heartbeat, Role::Push, Role::Heartbeat]);
}

/// A request that continues after a silence begins with its last piece.
#[test]
fn a_request_begins_with_its_last_piece() {
    let found = finished(&[data(A, 10, 300), after_rest(A, 1010, 200), data(B, 1030, 1000)]);
    assert_eq!((found.count, found.request_bytes, found.parts.server), (1, 500, ms(20)));
    assert_eq!(found.slowest[0].nanos(), ms(20));
}

/// If an end often sends unrequested messages, one that comes long after a request may be news.
#[test]
fn late_words_of_an_end_that_pushes_are_unclear() {
    let pushed = [data(A, 10, 300), data(B, 30, 1000), after_rest(B, 3030, 100), after_rest(B, 6030, 100)];
    let with = |wait: i64| {
        let mut words = pushed.to_vec();
        words.extend([data(A, 8000, 400), data(B, 8000 + wait, 900)]);
        roles(&words)[5]
    };
    assert_eq!((with(999), with(1000)), (Role::Answer, Role::Unclear));
}

/// A status line answers, whoever sends it (SIP asks in both directions).
#[test]
fn a_status_line_is_no_request() {
    let status = |side: Side, at: i64| Spoken { record: Record::StatusLine, ..data(side, at, 400) };
    let words = [
        data(A, 10, 600),
        status(B, 30),
        after_rest(B, 30_030, 500),
        status(A, 30_040),
        data(B, 90_000, 450),
        status(A, 90_010),
    ];
    let found = roles(&words);
    let confirmed = [Role::Push, Role::Acknowledgement, Role::Push, Role::Acknowledgement];
    assert_eq!(found[..2], [Role::Request, Role::Answer]);
    assert_eq!(found[2..], confirmed);
    assert_eq!(finished(&words).count, 1);
}

/// `OUTPUT_TIMES`: an end that gives short commands at its own pace is the requester, although the other
/// opened the connection.
#[test]
fn who_gives_commands_asks() {
    let shell = |output: u64, presumed: Presumed| {
        let mut conversation = Conversation::new(presumed, 32);
        conversation.establish(Some(0), None);
        conversation.follow(&data(A, 5, 40));
        for n in 0..6 {
            let at = 4000 * (n + 1);
            conversation.follow(&data(B, at, 12));
            conversation.follow(&data(A, at + 20, output + 40 * n.unsigned_abs()));
        }
        conversation.close();
        let asker = conversation.asker();
        (asker, conversation.finish(Ways::default(), Closing::default()).unwrap().pattern)
    };
    assert_eq!(shell(300, Presumed::Opened(A)), (B, Pattern::Unasked), "a shell that calls home");
    assert_eq!(shell(300, Presumed::First(A)), (B, Pattern::RequestResponse), "nobody is known to have opened it");
    assert_eq!(shell(300, Presumed::Served(A)).0, A, "at a port that is known for a service");
    assert_eq!(shell(0, Presumed::Opened(A)).0, B, "output that grows");
    assert_eq!(conversation(&[data(A, 10, 9), data(B, 20, 9)]).asker(), A, "without a habit");
}

/// Evidence for the requester: answers at once or after a steady time, TLS or a status line, a known port,
/// the opener.
#[test]
fn what_shows_who_asks() {
    let known = |presumed: Presumed, words: &[Spoken]| {
        let mut conversation = Conversation::new(presumed, 32);
        conversation.establish(Some(0), None);
        for word in words {
            conversation.follow(word);
        }
        ended(conversation, Ways::default(), Closing::default()).unwrap().known
    };
    let asked = |waits: [i64; 3]| {
        let turns = waits.into_iter().zip(0..);
        turns.flat_map(|(wait, n)| [data(A, 5000 * n, 90), data(B, 5000 * n + wait, 900)]).collect::<Vec<_>>()
    };
    let (prompt, steady, uneven) = ([20, 80, 150], [700, 720, 700], [700, 300, 1100]);
    for (what, presumed, waits, expected) in [
        ("a port of a service", Presumed::Served(A), uneven, Known::Port),
        ("it opened", Presumed::Opened(A), uneven, Known::Opener),
        ("it spoke first", Presumed::First(A), uneven, Known::First),
        ("answers at once", Presumed::First(A), prompt, Known::Habit),
        ("after a steady time", Presumed::Opened(A), steady, Known::Habit),
    ] {
        assert_eq!(known(presumed, &asked(waits)), expected, "{what}");
    }
    let line = |side: Side, at: i64| Spoken { record: Record::StatusLine, ..data(side, at, 400) };
    let opened = |words: &[Spoken]| known(Presumed::Opened(A), words);
    assert_eq!(opened(&[data(A, 10, 90), line(B, 700)]), Known::Header, "a status line of the other end");
    let both = [data(A, 10, 90), line(B, 700), data(B, 9000, 90), line(A, 9010)];
    assert_eq!(opened(&both), Known::Opener, "status lines of both");
    let hello = [hello(A, 10, 90), data(B, 30, 900), data(A, 40, 90), data(B, 800, 900)];
    assert_eq!(opened(&hello), Known::Header, "TLS");
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
        assert_eq!(conversation(&words).crossed, expected, "{what}");
    }
    assert_eq!(KEYSTROKE.get(), 64);
    let first = conversation(&[crossing(A, 10, 300)]);
    assert!(first.current.is_some() && first.crossed == 0, "the first message crosses nothing");
    let crossed = finished(&[base[0], base[1], crossing(A, 31, 900), data(B, 40, 1)]);
    assert_eq!((crossed.count, crossed.request_bytes), (1, 300), "what crosses is no request");
}

/// If the capture started mid-connection, a single byte may be a keep-alive.
#[test]
fn a_byte_that_comes_first_is_a_keep_alive() {
    for (what, bytes, established, expected) in [
        ("a byte after a handshake", 1, Some(0), true),
        ("a byte without one", 1, None, false),
        ("two bytes without one", 2, None, true),
    ] {
        let mut conversation = begun(32, established);
        conversation.follow(&data(A, 10, bytes));
        assert_eq!(conversation.current.is_some(), expected, "{what}");
    }
    let mut later = begun(32, None);
    later.follow(&data(A, 10, 2));
    later.follow(&data(B, 20, 1));
    assert_eq!(later.current.map(|message| message.speaker), Some(B), "a byte that answers");
}

#[test]
fn the_first_words_of_the_server_are_a_greeting() {
    let greeting = |words: &[Spoken], established| {
        let mut conversation = begun(32, established);
        for word in words {
            conversation.follow(word);
        }
        ended(conversation, Ways::default(), Closing::default()).and_then(|found| found.opening.greeting)
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
    let found = ended(conversation(&words), ways, Closing::default()).unwrap();
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

/// If the path's delay exceeds the answer's, the round trip gets all of it, and no part is negative.
#[test]
fn an_answer_sooner_than_the_way_takes() {
    let words = [data(A, 100, 9), data(B, 105, 9), data(A, 107, 9), data(B, 112, 9)];
    let ways = Ways { to_server: Some(ms(10)), to_client: Some(ms(4)) };
    let found = ended(conversation(&words), ways, Closing::default()).unwrap();
    assert_eq!((found.parts.server, found.parts.client), (0, 0));
    assert_eq!(found.parts.round_trips, ms(2 * (5 + 4)));
    assert_eq!((found.slowest[0].response, found.slowest[0].round_trip), (0, ms(5 + 4)));
    let back = Ways { to_server: Some(-ms(10)), to_client: Some(-ms(4)) };
    let found = ended(conversation(&words), back, Closing::default()).unwrap();
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
    let none = |words: &[Spoken]| ended(conversation(words), Ways::default(), Closing::default()).is_none();
    assert!(none(&[data(A, 10, 9)]), "a request without an answer");
    assert!(!none(&[data(B, 10, 9)]), "a greeting");
    assert!(!none(&[data(A, 10, 9), data(B, 20, 9)]), "an exchange");
}

#[test]
fn the_pattern_knows_echoes_and_polls() {
    let pattern = |is_echoed, is_polled| {
        let conversation = conversation(&[data(A, 10, 9), data(B, 20, 9)]);
        let closing = Closing { is_echoed, is_polled, ..Closing::default() };
        ended(conversation, Ways::default(), closing).unwrap().pattern
    };
    let all = [pattern(false, false), pattern(true, false), pattern(false, true)];
    assert_eq!(all, [Pattern::RequestResponse, Pattern::Interactive, Pattern::LongPoll]);
}

/// `SMALL_MESSAGE` and `LONG_REST`: the last message of a server that closes is not an answer.
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
        let words = [data(A, 10, 9), data(B, 20, 9), data(A, 30, 9), data(B, 30 + wait, bytes)];
        let closed = closed.map(|after| 30 + wait + after);
        let found = roles_until(&words, closed);
        assert_eq!(found[3] == Role::Goodbye, expected, "{what}");
    }
    let slow = |wait: i64| {
        let words = [data(A, 10, 9), data(B, 10 + wait, 9), data(A, 5000, 9), data(B, 7000, 9)];
        roles_until(&words, Some(7000))[3]
    };
    assert_eq!((slow(1000), slow(999)), (Role::Answer, Role::Goodbye), "AS_SLOW: as slow as the other answer");
    let asked = [data(A, 10, 9), data(B, 2010, 900), after_rest(B, 4010, 9)];
    assert_eq!(roles_until(&asked, Some(4010))[2], Role::Goodbye, "nothing was asked");
    let alert = Spoken { record: Record::Alert, ..after_rest(B, 15_000, 31) };
    assert_eq!(roles(&[data(A, 10, 9), data(B, 20, 900), alert])[2], Role::Goodbye, "a TLS alert");
    assert_eq!(roles(&[data(A, 10, 9), data(B, 20, 900), after_rest(B, 15_000, 31)])[2], Role::Push, "no alert");
}

/// Memory does not grow with messages, and facts learnt early apply to the first of them.
#[test]
fn a_long_conversation_is_decided_on_the_way() {
    let mut conversation = begun(4, Some(0));
    for n in 0..500 {
        conversation.follow(&data(A, 100 * n, 100));
        conversation.follow(&data(B, 100 * n + 7, 900));
        assert!(conversation.held.len() < MOST_HELD, "{n}");
    }
    let found = ended(conversation, Ways::default(), Closing::default()).unwrap();
    assert_eq!((found.count, found.parts.server, found.parts.client), (500, ms(7 * 500), ms(93 * 499)));
    assert_eq!(found.pattern, Pattern::RequestResponse);
}

/// The slowest exchanges are kept one by one; the sums include the others.
#[test]
fn the_slowest_are_kept() {
    let mut conversation = begun(2, Some(0));
    for (n, wait) in [30, 10, 20, 5, 40, 10].into_iter().enumerate() {
        let at = 1000 * n as i64;
        conversation.follow(&data(A, at, 9));
        conversation.follow(&data(B, at + wait, 9));
    }
    let found = ended(conversation, Ways::default(), Closing::default()).unwrap();
    let kept: Vec<_> = found.slowest.iter().map(|e| (e.nanos() / ms(1), e.request_packet)).collect();
    assert_eq!(kept, [(40, 4000), (30, 0)]);
    assert_eq!((found.count, found.parts.server), (6, ms(115)));
    let times = found.times.distribution().unwrap();
    assert_eq!((times.min as i64, times.max as i64), (ms(5), ms(40)));
    let alike = finished(&[data(A, 0, 9), data(B, 20, 9), data(A, 100, 9), data(B, 120, 9)]);
    assert_eq!(alike.slowest.iter().map(|e| e.request_packet).collect::<Vec<_>>(), [0, 100], "equal ones: the first");
}

/// All data of an end until the other answers belongs to one exchange, from its first to its last byte.
#[test]
fn the_time_of_messages_is_from_first_to_last_byte() {
    let found = finished(&[data(A, 10, 9), data(A, 15, 9), data(B, 30, 9), data(B, 70, 9), data(A, 99, 9)]);
    assert_eq!((found.count, found.slowest[0].nanos()), (1, ms(60)));
    assert_eq!((found.request_bytes, found.answer_bytes), (18, 18));
}
