//! Tests of each condition for pauses that a connection survived: dropping one, or moving a boundary, fails
//! here.

use super::super::testing::after_handshake;
use super::*;
use crate::thresholds::FORGETTING_REST;

/// A request that was acknowledged at 0.050 s; the next packet 60 s later ends a long pause.
const REQUEST: &str = "0.030 > P. 1:101(100) ack 1\n0.050 < . 1:1(0) ack 101\n";
/// Data after the pause, and its retransmissions at doubling intervals.
const DATA: &str = "60.050 > P. 101:201(100) ack 1
    60.250 > P. 101:201(100) ack 1
    60.650 > P. 101:201(100) ack 1
    61.450 > P. 101:201(100) ack 1\n";
const SECOND: i64 = 1_000_000_000;

fn forgotten(text: &str) -> Option<Forgotten> {
    after_handshake(&format!("{REQUEST}{text}")).forgotten()
}

#[test]
fn data_after_a_rest_is_never_answered() {
    let found = forgotten(DATA).unwrap();
    let times = (found.rest, found.survived, found.nanos);
    assert_eq!(times, (60 * SECOND, 0, 1_400_000_000), "the rest, and how long data was sent in vain");
    assert_eq!((found.packets, found.is_reset, found.is_probe), (4, false, false));
    assert_eq!(FORGETTING_REST.get(), 60_000_000_000);
}

#[test]
fn rests_of_a_minute_between_two_ends_that_go_on() {
    for (what, text, expected) in [
        ("60 s", DATA.to_owned(), true),
        ("less", DATA.replace("60.050", "60.049999999"), false),
        ("two repeats of the data", DATA.lines().take(3).collect::<Vec<_>>().join("\n"), false),
        ("an answer", format!("{DATA}61.500 < . 1:1(0) ack 201"), false),
        ("an answer without an acknowledgment of it", format!("{DATA}61.500 < . 1:1(0) ack 101"), false),
        (
            "the peer had closed",
            {
                let closed = "0.060 < F. 1:1(0) ack 101\n0.061 > . 101:101(0) ack 2\n";
                format!("{closed}{}", DATA.replace("60.050", "60.100").replace("ack 1", "ack 2"))
            },
            false,
        ),
        (
            "the peer had not closed",
            {
                let acknowledged = "0.060 < . 1:1(0) ack 101\n0.061 > . 101:101(0) ack 1\n";
                format!("{acknowledged}{}", DATA.replace("60.050", "60.100"))
            },
            true,
        ),
        ("the peer had reset", format!("0.050 < R. 1:1(0) ack 101\n{DATA}"), false),
        (
            "data was under way",
            format!("0.050 > P. 101:151(50) ack 1\n{}", DATA.replace("101:201(100)", "151:251(100)")),
            { false },
        ),
        ("the capture misses data before it", DATA.replace("101:201", "201:301"), false),
        ("the capture misses data of the peer", DATA.replace("ack 1\n", "ack 77\n"), false),
        ("its first packet closes", DATA.replacen("P.", "FP.", 1), false),
        ("its first packet resets", DATA.replacen("P.", "R.", 1), false),
        (
            "its first packet is an ACK alone",
            format!("60.050 > . 101:101(0) ack 1\n{}", DATA.replace("60.050", "60.051")),
            { false },
        ),
        ("the window was closed", format!("0.050 < . 1:1(0) ack 101 win 0\n{DATA}"), false),
    ] {
        assert_eq!(forgotten(&text).is_some(), expected, "{what}");
    }
}

/// Keep-alives are sent at equal intervals: at least three of them, for at least 1 s.
#[test]
fn keep_alives_after_a_rest_are_never_answered() {
    let probe = |at: &str| format!("{at} > . 100:100(0) ack 1\n");
    let probes = |times: &[&str]| times.iter().map(|at| probe(at)).collect::<String>();
    let three = probes(&["60.050", "60.550", "61.050"]);
    for (what, text, expected) in [
        ("three in 1 s", three.clone(), Some((3, SECOND, true))),
        ("three in less", probes(&["60.050", "60.550", "61.049999999"]), None),
        ("two in 1 s", probes(&["60.050", "61.050"]), None),
        ("with a byte of data each", three.replace("100:100(0)", "100:101(1)"), Some((3, SECOND, true))),
        ("an ACK between them", format!("{three}60.560 > . 101:101(0) ack 1"), Some((3, SECOND, true))),
        ("two bytes are no keep-alive", three.replace("100:100(0)", "100:102(2)"), None),
        ("an answer", format!("{three}61.060 < . 1:1(0) ack 101"), None),
    ] {
        let found = forgotten(&text).map(|found| (found.packets, found.nanos, found.is_probe));
        assert_eq!(found, expected, "{what}");
    }
    let then_data = format!("{three}61.100 > P. 101:201(100) ack 1\n61.300 < R 1:1(0)");
    assert_eq!(
        forgotten(&then_data).map(|found| (found.packets, found.is_probe)),
        Some((4, false)),
        "data found it out"
    );
}

/// A reset from a host that does not know the connection acknowledges nothing after the pause.
#[test]
fn a_stranger_resets() {
    let data = DATA.lines().next().unwrap_or_default();
    for (what, reset, expected) in [
        ("without an acknowledgment", "60.070 < R 1:1(0)", Some((1, 20_000_000, true, false))),
        ("of what it had before", "60.070 < R. 1:1(0) ack 101", Some((1, 20_000_000, true, false))),
        ("of the data", "60.070 < R. 1:1(0) ack 201", None),
        ("no reset at all", "60.070 < . 1:1(0) ack 101", None),
        ("of the end that rested", "60.070 > R. 201:201(0) ack 1", None),
    ] {
        let found = forgotten(&format!("{data}\n{reset}"));
        let found = found.map(|f| (f.packets, f.nanos, f.is_reset, f.is_probe));
        assert_eq!(found, expected, "{what}");
    }
    let keep_alive = "60.050 > . 100:100(0) ack 1\n60.550 > . 100:100(0) ack 1\n60.600 < R 1:1(0)";
    let found = forgotten(keep_alive).map(|f| (f.packets, f.nanos, f.is_reset, f.is_probe));
    assert_eq!(found, Some((2, 550_000_000, true, true)), "keep-alives found it out");
}

/// A pause as long as an earlier one that the connection survived explains nothing.
#[test]
fn longer_rests_had_done_no_harm() {
    let data = "60.050 > P. 101:201(100) ack 1\n60.070 < . 1:1(0) ack 201\n";
    let after = |at: &str| format!("{data}{at} > P. 201:301(100) ack 1\n{at}1 < R 1:1(0)");
    let rests = |text: &str| forgotten(text).map(|f| (f.rest, f.survived));
    assert_eq!(rests(&after("120.070")), None, "as long");
    assert_eq!(rests(&after("120.070000001")), Some((60 * SECOND + 1, 60 * SECOND)), "longer");
    let third = "190.070 > P. 201:301(100) ack 1\n190.090 < . 1:1(0) ack 301\n
        250.090 > P. 301:401(100) ack 1\n250.110 < . 1:1(0) ack 401\n
        321.110 > P. 401:501(100) ack 1\n321.111 < R 1:1(0)";
    let [longest, last] = [120 * SECOND, 71 * SECOND];
    assert!(last < longest);
    assert_eq!(rests(&format!("{data}{third}")), None, "the longest of three, not the last");
    let probed = "60.050 > . 100:100(0) ack 1\n60.070 < R. 1:1(0) ack 101";
    assert_eq!(rests(probed), Some((60 * SECOND, 0)), "a reset survives nothing");
}

/// The other end may be the one that continues.
#[test]
fn the_server_goes_on_after_a_rest() {
    let text = "60.050 < P. 1:101(100) ack 101\n60.250 < P. 1:101(100) ack 101
        60.650 < P. 1:101(100) ack 101\n61.450 < P. 1:101(100) ack 101\n";
    assert_eq!(forgotten(text).map(|f| (f.packets, f.nanos)), Some((4, 1_400_000_000)));
    assert!(forgotten(&format!("{text}61.460 > . 101:101(0) ack 101")).is_none(), "the client answers");
}
