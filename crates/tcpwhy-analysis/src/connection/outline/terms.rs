//! Tests of each condition for single packets: dropping one, or moving its boundary, fails here.

use tcpwhy_model::Timestamp;
use tcpwhy_testkit::{ms, script};

use super::*;

const START: i64 = 1_700_000_000_000_000_000;

/// The packets of a script, all of one connection.
fn segments(text: &str) -> Vec<Segment> {
    script(text).segments
}

fn passed(text: &str) -> (Outline, Vec<Passed>) {
    let segments = segments(text);
    let mut outline = Outline::new(7, &segments[0]);
    let passed = segments.iter().map(|segment| outline.pass(segment, outline.side_of(segment))).collect();
    (outline, passed)
}

fn at(nanos: i64, segment: &Segment) -> Segment {
    Segment { timestamp: Timestamp::from_nanos(nanos), ..*segment }
}

#[test]
fn a_packet_belongs_to_its_sender() {
    let all = segments("0.0 > S 0:0(0)\n0.1 < S. 0:0(0) ack 1");
    let outline = Outline::new(7, &all[0]);
    let [a, b] = outline.endpoints;
    let third = Endpoint { port: 9, ..a };
    let between = |source, destination| outline.sender_of(&Segment { source, destination, ..all[0] });
    assert_eq!((outline.id(), a, b), (7, all[0].source, all[0].destination));
    assert_eq!(outline.first_packet, all[0].number);
    for (what, sender, expected) in [
        ("from the first end", between(a, b), Some(Side::A)),
        ("from the other one", between(b, a), Some(Side::B)),
        ("to another end", between(a, third), None),
        ("from another end", between(third, b), None),
        ("from the other end to a third", between(b, third), None),
        ("from a third to the first end", between(third, a), None),
    ] {
        assert_eq!(sender, expected, "{what}");
    }
    assert_eq!([0, 1].map(|n: usize| outline.side_of(&all[n])), [Side::A, Side::B]);
}

#[test]
fn packets_of_one_host_never_leave_it() {
    let all = segments("0.0 > S 0:0(0)");
    let within = |a: &str, b: &str| {
        let mut outline = Outline::new(0, &all[0]);
        outline.endpoints = [a, b].map(|address| Endpoint { address: address.parse().unwrap(), port: 1 });
        outline.is_within_host()
    };
    for (what, a, b, expected) in [
        ("one address", "10.0.0.1", "10.0.0.1", true),
        ("two addresses", "10.0.0.1", "10.0.0.2", false),
        ("two of the loopback", "127.0.0.1", "127.0.0.2", true),
        ("one of them", "127.0.0.1", "10.0.0.2", false),
        ("the other one", "10.0.0.2", "127.0.0.1", false),
        ("one address in two forms", "::ffff:10.0.0.1", "10.0.0.1", true),
    ] {
        assert_eq!(within(a, b), expected, "{what}");
    }
}

#[test]
fn both_ends_end_a_connection() {
    for (what, text, expected) in [
        ("no end", "0.0 > . 1:1(0) ack 1", false),
        ("one end", "0.0 > F. 1:1(0) ack 1\n0.1 < . 1:1(0) ack 2", false),
        ("the same end twice", "0.0 > F. 1:1(0) ack 1\n0.1 > F. 1:1(0) ack 1", false),
        ("both", "0.0 > F. 1:1(0) ack 1\n0.1 < F. 1:1(0) ack 2", true),
        ("a reset", "0.0 > R. 1:1(0) ack 1", true),
    ] {
        assert_eq!(passed(text).0.is_closed(), expected, "{what}");
    }
}

#[test]
fn an_initial_number_is_that_of_the_first_syn() {
    let (outline, _) = passed("0.0 > S 0:0(0)\n0.1 > S 5:5(0)");
    let first = segments("0.0 > S 0:0(0)")[0].seq;
    assert_eq!((outline.isn(Side::A), outline.isn(Side::B)), (Some(first), None));
    assert!(outline.is_half_open, "the SYN of one end");
    assert!(!passed("0.0 > S 0:0(0)\n0.1 < S. 0:0(0) ack 1").0.is_half_open, "of both");
    assert!(!passed("0.0 > . 1:1(0) ack 1").0.is_half_open, "of none");
}

/// A copy has the same identification and acknowledgment within a millisecond, and no payload.
#[test]
fn the_same_ack_within_a_millisecond_is_a_copy() {
    for (what, second, expected) in [
        ("1 ms later", "0.001 > . 1:1(0) ack 1 id 7", true),
        ("later than that", "0.001000001 > . 1:1(0) ack 1 id 7", false),
        ("another identification", "0.001 > . 1:1(0) ack 1 id 8", false),
        ("no identification", "0.001 > . 1:1(0) ack 1", false),
        ("another acknowledgment", "0.001 > . 1:1(0) ack 2 id 7", false),
        ("of the other end", "0.001 < . 1:1(0) ack 1 id 7", false),
        ("with data", "0.001 > . 1:3(2) ack 1 id 7", false),
    ] {
        let (_, passed) = passed(&format!("0.0 > . 1:1(0) ack 1 id 7\n{second}"));
        assert_eq!(passed[1].is_copy, expected, "{what}");
    }
    let (outline, _) = passed("0.0 > . 1:1(0) ack 1 id 7\n0.0005 > F. 1:1(0) ack 1 id 7");
    assert_eq!(outline.has_fin, [false; 2], "a copy ends nothing");
}

/// A SYN arrives while the other end still knows an earlier connection.
#[test]
fn an_old_connection_answers_with_numbers_of_its_own() {
    for (what, text, expected) in [
        ("another acknowledgment", "0.1 < . 500:500(0) ack 900", true),
        ("the SYN's", "0.1 < . 500:500(0) ack 1", false),
        ("a SYN-ACK", "0.1 < S. 0:0(0) ack 900", false),
        ("with data", "0.1 < . 500:502(2) ack 900", false),
        ("pushed", "0.1 < P. 500:500(0) ack 900", false),
        ("of the end that sent the SYN", "0.1 > . 500:500(0) ack 900", false),
        ("the client had gone on", "0.05 > . 1:1(0) ack 1\n0.1 < . 500:500(0) ack 900", false),
    ] {
        let (outline, passed) = passed(&format!("0.0 > S 0:0(0)\n{text}"));
        let is_old = passed.last().is_some_and(|packet| packet.is_of_old_connection);
        assert_eq!((is_old, outline.has_met_old_connection()), (expected, expected), "{what}");
    }
    let old = "0.0 > S 0:0(0)\n0.1 < . 500:500(0) ack 900";
    // The client's numbers are relative to its own initial number, as is the acknowledged number of the old
    // connection.
    for (what, text, expected) in [
        ("a reset with that number", "0.2 > R 900:900(0)", true),
        ("with another one", "0.2 > R 901:901(0)", false),
        ("no reset", "0.2 > . 900:900(0) ack 1", false),
        ("of the other end", "0.2 < R 900:900(0)", false),
    ] {
        let (outline, passed) = passed(&format!("{old}\n{text}"));
        assert_eq!(passed[2].is_of_old_connection, expected, "{what}");
        assert_eq!(
            outline.is_closed(),
            text.contains(" R ") && !expected,
            "{what}: a reset of the old one ends nothing"
        );
    }
    let both = passed("0.0 > S 0:0(0)\n0.1 < S. 0:0(0) ack 1\n0.2 < . 1:1(0) ack 900").1;
    assert!(!both[2].is_of_old_connection, "both SYNs were seen");
}

#[test]
fn silence_is_since_the_latest_packet() {
    let (outline, passed) = passed("0.0 > . 1:1(0) ack 1\n0.5 > . 1:1(0) ack 1\n0.7 < . 1:1(0) ack 1");
    assert_eq!(passed.iter().map(|packet| packet.silence).collect::<Vec<_>>(), [0, ms(500), ms(200)]);
    assert_eq!((outline.last(), outline.silence(outline.last() + 9)), (outline.first + ms(700), 9));
    assert_eq!(outline.silence(i64::MAX), LATEST - outline.last, "times beyond all");
    assert_eq!(outline.silence(i64::MIN), EARLIEST - outline.last);
}

/// `CLOCK_STEP`: a step back of 1 s may be reordering in the capture; a larger one is a clock that was set
/// back.
#[test]
fn a_clock_that_is_set_back_is_followed() {
    let first = &segments("0.0 > . 1:1(0) ack 1")[0];
    let times = |nanos: &[i64]| {
        let mut outline = Outline::new(0, &at(START, first));
        let times: Vec<_> =
            nanos.iter().map(|&nanos| outline.pass(&at(START + nanos, first), Side::A).time - START).collect();
        (times, outline.last - START, outline.time_of(&at(START, first)) - START)
    };
    let second = 1_000_000_000;
    assert_eq!(CLOCK_STEP.get(), second);
    assert_eq!(times(&[0, 5 * second, 4 * second]), (vec![0, 5 * second, 4 * second], 5 * second, 0), "1 s back");
    let (all, last, offset) = times(&[0, 5 * second, 4 * second - 1, 4 * second + 9]);
    assert_eq!(all, [0, 5 * second, 5 * second, 5 * second + 10], "more: it goes on from there");
    assert_eq!((last, offset), (5 * second + 10, second + 1), "so much is added from then on");
    let twice = times(&[0, 5 * second, 0, second, -5 * second, second]);
    assert_eq!(twice.0, [0, 5 * second, 5 * second, 6 * second, 6 * second, 12 * second], "set back twice");
}

/// `STEP_OF_SPAN`: a clock that stepped back and forth caused the duration. A clock that was set once did
/// not, in a long connection or by years.
#[test]
fn a_duration_that_is_a_step_of_the_clock_is_none() {
    let first = &segments("0.0 > . 1:1(0) ack 1")[0];
    let is_wrong = |seconds: &[i64]| {
        let mut outline = Outline::new(0, &at(START, first));
        for second in seconds {
            outline.pass(&at(START + second * 1_000_000_000, first), Side::A);
        }
        outline.has_stepped_as_long()
    };
    let year = 31_536_000;
    assert!(is_wrong(&[0, -20 * year, 0, 1]), "back and forth, more than may be");
    assert!(is_wrong(&[0, year, 1, 2]), "forth and back");
    assert!(is_wrong(&[0, -year, 0, 3]), "back and forth");
    assert!(is_wrong(&[0, -100, 0, 99]) && !is_wrong(&[0, -98, 0, 103]), "half of the duration");
    assert!(!is_wrong(&[0, 1, 2, 3]) && !is_wrong(&[0, 3600, 3599, 3601]), "no step");
    assert!(!is_wrong(&[0, 1, 1 - year, 3 - year]), "set once: the rest is mended");
    assert!(!is_wrong(&[0, 3600, 3595, 7200]), "a small one of a long connection");
}

/// Implausible times, and jumps of years.
#[test]
fn times_are_possible_ones() {
    let first = &segments("0.0 > . 1:1(0) ack 1")[0];
    let pass = |start: i64, nanos: i64| {
        let mut outline = Outline::new(0, &at(start, first));
        let passed = (outline.first, outline.pass(&at(nanos, first), Side::A).time);
        assert_eq!(outline.is_beyond, [start, nanos].iter().any(|time| !(EARLIEST..=LATEST).contains(time)));
        passed
    };
    for (what, start, nanos, expected) in [
        ("as far as a connection may last", START, START + MAX_SPAN, (START, START + MAX_SPAN)),
        ("further", START, START + MAX_SPAN + 1, (START, START + MAX_SPAN)),
        ("after all times", LATEST + 9, LATEST + 9, (LATEST, LATEST)),
        ("before all times", EARLIEST - 9, EARLIEST - 9, (EARLIEST, EARLIEST)),
        ("from the last time on", LATEST - 5, LATEST + 9, (LATEST - 5, LATEST)),
    ] {
        assert_eq!(pass(start, nanos), expected, "{what}");
    }
    let pcap_ends = i64::from(u32::MAX) * 1_000_000_000;
    assert!(LATEST > pcap_ends + MAX_SPAN && EARLIEST < 0);
    assert!(LATEST.checked_sub(EARLIEST).is_some_and(|most| most.checked_add(2 * MAX_SPAN).is_some()));
    assert_eq!(MAX_SPAN, 72_057_594_037_927_936);
}
