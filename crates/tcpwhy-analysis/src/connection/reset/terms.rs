//! Tests of each condition for the lost data and the sender of a reset: dropping one, or moving a boundary,
//! fails here.

use std::fmt::Write as _;

use tcpwhy_testkit::ms;

use super::super::testing::after_handshake;
use super::*;

fn facts(text: &str) -> ResetFacts {
    after_handshake(text).reset_facts().unwrap()
}

/// The client had 1000 bytes acknowledged and sent `request` more; the server had `answer` bytes in flight.
fn under_way(request: u32, answer: u32, end: &str) -> ResetFacts {
    let mut text = "0.030 > P. 1:1001(1000) ack 1\n0.050 < . 1:1(0) ack 1001\n".to_owned();
    if answer > 0 {
        let _ = writeln!(text, "0.060 < P. 1:{}({answer}) ack 1001", 1 + answer);
    }
    if request > 0 {
        let _ = writeln!(text, "0.070 > P. 1001:{}({request}) ack 1", 1001 + request);
    }
    facts(&format!("{text}{end}"))
}

#[test]
fn what_a_reset_cuts_off() {
    let found = under_way(500, 40, "0.100 < R. 41:41(0) ack 1001");
    assert_eq!((found.side, found.after), (Side::B, ms(100)), "since the first packet");
    assert_eq!((found.delivered, found.unacknowledged), (1000, 540), "of both directions");
    let found = under_way(500, 40, "0.100 > R. 1501:1501(0) ack 1");
    assert_eq!((found.side, found.unacknowledged), (Side::A, 540));
    let again = under_way(500, 40, "0.100 < R. 41:41(0) ack 1001\n0.110 < R. 41:41(0) ack 1001");
    assert_eq!((again.side, again.after), (Side::B, ms(100)), "the first of one end's");
    let twice = under_way(500, 40, "0.100 < R. 41:41(0) ack 1001\n0.110 > R. 1501:1501(0) ack 1");
    assert_eq!((twice.side, twice.after), (Side::B, ms(100)), "the first of two");
    assert!(after_handshake("0.030 > P. 1:1001(1000) ack 1").reset_facts().is_none(), "no reset");
}

/// `SMALL_MESSAGE`: a final message of either end. An end that had not closed may reset instead of the last
/// ACK. Its reset comes at most one round trip, or `DELAYED_ACK`, after the peer's last data.
#[test]
fn a_goodbye_is_all_that_was_under_way() {
    assert_eq!((SMALL_MESSAGE.get(), DELAYED_ACK.get()), (150, ms(40)));
    let reset = "0.100 < R. 1:1(0) ack 1001";
    let closed = "0.090 > F. 9999:9999(0) ack 1\n0.100 < R. 1:1(0) ack 1001";
    let closed_by_itself = "0.090 < F. 999:999(0) ack 1001\n0.100 < R. 1:1(0) ack 1001";
    let closed_after = "0.100 < R. 1:1(0) ack 1001\n0.101 > F. 9999:9999(0) ack 1";
    for (what, request, answer, end, expected) in [
        ("nothing", 0, 0, reset, true),
        ("150 bytes of its own", 0, 150, reset, true),
        ("151 bytes of its own", 0, 151, reset, false),
        ("its own, and 150 bytes of the peer's", 150, 150, reset, true),
        ("its own, and 151 bytes of the peer's", 151, 150, reset, false),
        ("151 bytes of its own, and the peer's", 150, 151, reset, false),
        ("40 ms after the peer's last word", 150, 150, "0.110 < R. 1:1(0) ack 1001", true),
        ("later", 150, 150, "0.111 < R. 1:1(0) ack 1001", false),
        ("a byte of a request, and nobody had closed", 1, 0, reset, false),
        ("150 bytes of the peer's, who had closed", 150, 0, closed, true),
        ("151 bytes", 151, 0, closed, false),
        ("the peer's, and 150 bytes of its own", 150, 150, closed, true),
        ("the peer's, and 151 bytes of its own", 150, 151, closed, false),
        ("150 bytes of the peer's, and it had closed itself", 150, 0, closed_by_itself, true),
        ("the peer closed afterwards", 150, 0, closed_after, false),
    ] {
        assert_eq!(under_way(request, answer, end).is_goodbye, expected, "{what}");
    }
    let at_once = "0.100 > F. 9999:9999(0) ack 1\n0.100 < R. 1:1(0) ack 1001";
    assert!(under_way(150, 0, at_once).is_goodbye, "closed at the same moment");
}

#[test]
fn its_sender_had_closed_before() {
    for (what, end, expected) in [
        ("it had", "0.090 < F. 1:1(0) ack 1001\n0.100 < R. 2:2(0) ack 1001", true),
        ("at the same moment", "0.100 < F. 1:1(0) ack 1001\n0.100 < R. 2:2(0) ack 1001", false),
        ("the peer had", "0.090 > F. 1001:1001(0) ack 1\n0.100 < R. 1:1(0) ack 1002", false),
        ("nobody had", "0.100 < R. 1:1(0) ack 1001", false),
    ] {
        assert_eq!(under_way(0, 0, end).had_closed, expected, "{what}");
    }
}

/// `RESET_OUTLIVED` and `RESET_OUTLIVED_ACKS`: a host that continues to send did not send the reset.
#[test]
fn the_host_of_a_reset_speaks_on() {
    assert_eq!((RESET_OUTLIVED.get(), RESET_OUTLIVED_ACKS.get()), (10_000_000, 3));
    let request = "0.070 > P. 1001:1501(500) ack 1\n0.100 < R. 1:1(0) ack 1001\n";
    let ack = |at: &str, ack: u32| format!("{at} < . 1:1(0) ack {ack}\n");
    let three = |last: u32| ack("0.101", 1101) + &ack("0.102", 1201) + &ack("0.103", last);
    for (what, after, expected) in [
        ("nothing", String::new(), None),
        ("10 ms later", ack("0.110", 1001), Some((1, ms(10)))),
        ("sooner", ack("0.109999999", 1001), None),
        ("three that acknowledge more, sooner", three(1301), Some((3, ms(3)))),
        ("two that do, and one that does not", three(1201), None),
        ("data of it", "0.110 < P. 1:5(4) ack 1001\n".to_owned(), Some((1, ms(10)))),
        ("another reset is no other host", "0.110 < R. 1:1(0) ack 1001\n".to_owned(), None),
        ("a SYN opens another connection", "0.110 < S. 1:1(0) ack 1001\n".to_owned(), None),
        ("the peer", "0.110 > . 1501:1501(0) ack 1\n".to_owned(), None),
        ("a reset after it: it was under way", ack("0.110", 1001) + "0.111 < R. 1:1(0) ack 1001\n", None),
        ("10 ms after the second reset", "0.105 < R. 1:1(0) ack 1001\n".to_owned() + &ack("0.115", 1001), {
            Some((1, ms(15)))
        }),
        ("less after the second reset", "0.105 < R. 1:1(0) ack 1001\n".to_owned() + &ack("0.114", 1001), None),
        ("the later of two", ack("0.110", 1001) + &ack("0.120", 1001), Some((2, ms(20)))),
    ] {
        assert_eq!(under_way(0, 0, &format!("{request}{after}")).outlived, expected, "{what}");
    }
}

/// `RESET_HOPS`: the reset passed other routers than the other packets of its address.
#[test]
fn a_reset_came_another_way() {
    assert_eq!(RESET_HOPS.get(), 2);
    let hops = |ttl: u8, other: &str| {
        let text = format!("0.030 > P. 1:1001(1000) ack 1\n0.050 < . 1:1(0) ack 1001 ttl 57\n{other}");
        facts(&format!("{text}0.100 < R. 1:1(0) ack 1001 ttl {ttl}")).hops_apart
    };
    for (what, ttl, other, expected) in [
        ("two routers more", 55, "", Some(2)),
        ("one more", 56, "", None),
        ("two fewer", 59, "", Some(2)),
        ("as many from another start", 121, "", None),
        ("packets of its address came different ways", 55, "0.060 < . 1:1(0) ack 1001 ttl 60\n", None),
        ("the peer's packets do not count", 55, "0.060 > . 1001:1001(0) ack 1 ttl 3\n", Some(2)),
        ("it was not captured", 0, "", None),
    ] {
        assert_eq!(hops(ttl, other), expected, "{what}");
    }
    let apart = |usual, hop_limit| HopLimits { usual, ..HopLimits::default() }.hops_apart(hop_limit);
    assert_eq!([apart(32, 64), apart(33, 64), apart(65, 128), apart(129, 255)], [0, 31, 63, 126].map(Some));
}

/// The window for the data of each end is zero.
#[test]
fn a_reset_meets_a_closed_window() {
    let closed = |text: &str| after_handshake(text).reset.unwrap().is_in_closed_window;
    let data = "0.030 > P. 1:1001(1000) ack 1\n0.031 < P. 1:101(100) ack 1\n";
    for (what, text, expected) in [
        ("open", "0.050 < . 101:101(0) ack 1001\n0.060 > . 1001:1001(0) ack 101", [false, false]),
        ("closed for the client's data", "0.050 < . 101:101(0) ack 1001 win 0", [true, false]),
        ("closed for the server's data", "0.050 > . 1001:1001(0) ack 101 win 0", [false, true]),
    ] {
        assert_eq!(closed(&format!("{data}{text}\n5.000 < R. 101:101(0) ack 1001")), expected, "{what}");
    }
}

/// Bytes of both ends are added without overflow.
#[test]
fn bytes_of_both_directions_are_added() {
    let state = after_handshake("0.030 > P. 1:1001(1000) ack 1\n0.040 < R. 1:1(0) ack 1");
    let mut reset = state.reset.unwrap();
    assert_eq!((reset.unacknowledged(), reset.sent), (1000, [1000, 0]));
    reset.unacknowledged = [u64::MAX, 1];
    assert_eq!(reset.unacknowledged(), u64::MAX);
}
