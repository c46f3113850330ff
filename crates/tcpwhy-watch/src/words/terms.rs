//! Each term of the words between two samples. A test fails if one is dropped, or if its boundary moves.

use super::*;

/// Two samples, ten seconds apart: bytes of both sides, segments of the peer, and its silence.
struct Between {
    sent: Option<u64>,
    received: Option<u64>,
    /// Segments of the peer with data.
    words: Option<u64>,
    mss: Option<u64>,
    rtt: Option<u64>,
    last_sent: Option<u64>,
    last_received: Option<u64>,
    nanos: i64,
}

/// 2000 bytes of two segments acknowledged, the last one sent 500 ms ago; the peer was heard 1001 ms ago.
fn own(change: fn(&mut Between)) -> Between {
    let mut b = Between {
        sent: Some(2000),
        received: Some(0),
        words: Some(0),
        mss: Some(1000),
        rtt: Some(20_000),
        last_sent: Some(500),
        last_received: Some(1001),
        nanos: 10_000_000_000,
    };
    change(&mut b);
    b
}

fn words(b: &Between) -> Words {
    // Counters do not begin at 0.
    let counted = |by: Option<u64>| (Some(7), by.map(|by| 7 + by));
    let [mut before, mut after] = [SocketSample::default(), SocketSample::default()];
    (before.info.bytes_acked, after.info.bytes_acked) = counted(b.sent);
    (before.info.bytes_received, after.info.bytes_received) = counted(b.received);
    (before.info.data_segs_in, after.info.data_segs_in) = counted(b.words);
    (after.info.snd_mss, after.info.rtt) = (b.mss, b.rtt);
    (after.info.last_data_sent, after.info.last_data_recv) = (b.last_sent, b.last_received);
    Words::between(&before, &after, b.nanos)
}

/// `SILENT`: 1000 ms; `LONGEST_OWN_PACE`: 500 ms; two segments.
#[test]
fn a_peer_that_said_nothing_between() {
    for (what, change, expected) in [
        ("silent for more than 1000 ms, writes within 500 ms", (|_| ()) as fn(&mut Between), Words::Own),
        ("it wrote longer ago", |b| b.last_sent = Some(501), Words::Other),
        ("nobody knows when it wrote", |b| b.last_sent = None, Words::Other),
        ("a byte was acknowledged", |b| b.sent = Some(1), Words::Own),
        ("nothing was acknowledged", |b| b.sent = Some(0), Words::Other),
        ("the peer was never heard", |b| b.last_received = None, Words::Own),
        ("heard 1000 ms ago, an answer of two segments", |b| b.last_received = Some(1000), Words::Peers),
        (
            "heard 1000 ms ago, nothing acknowledged yet",
            |b| (b.last_received, b.sent) = (Some(1000), Some(0)),
            Words::Peers,
        ),
        (
            "heard 1000 ms ago, more than two segments",
            |b| (b.last_received, b.sent) = (Some(1000), Some(2001)),
            Words::Other,
        ),
        (
            "heard, segments of unknown size",
            |b| (b.last_received, b.sent, b.mss) = (Some(1000), Some(1 << 40), None),
            Words::Peers,
        ),
        ("nobody counts what was sent", |b| b.sent = None, Words::Other),
        ("nobody counts what was received", |b| b.received = None, Words::Other),
    ] {
        assert_eq!(words(&own(change)), expected, "{what}");
    }
}

/// Two words of the peer, 64 bytes each, in two round trips of 20 ms of twice that time.
fn turns(b: &mut Between) {
    (b.sent, b.received, b.words, b.nanos) = (Some(4000), Some(128), Some(2), 80_000_000);
}

/// Half of the time for round trips; two segments after each word; `LONGEST_GRANT`: 128 bytes.
#[test]
fn a_peer_that_spoke_between() {
    for (what, change, expected) in [
        ("half of the time, two segments after each word", (|_| ()) as fn(&mut Between), Words::Peers),
        ("half of the time, more after each word", |b| b.sent = Some(4002), Words::Grants),
        (
            "less than half of the time, more after each word",
            |b| (b.sent, b.nanos) = (Some(4002), 80_000_001),
            Words::Other,
        ),
        ("less than half of the time, two segments after each", |b| b.nanos = 80_000_001, Words::Peers),
        ("words of 128 bytes", |b| (b.sent, b.received) = (Some(4002), Some(257)), Words::Grants),
        ("longer words", |b| (b.sent, b.received) = (Some(4002), Some(258)), Words::Peers),
        ("nobody counts words: one", |b| (b.words, b.sent, b.nanos) = (None, Some(2001), 40_000_000), Words::Grants),
        (
            "nobody counts words: one takes one round trip",
            |b| (b.words, b.sent, b.nanos) = (None, Some(2001), 40_000_001),
            Words::Other,
        ),
        ("no word counted: one", |b| (b.words, b.sent, b.nanos) = (Some(0), Some(2001), 40_000_000), Words::Grants),
        ("no round trip, much", |b| (b.rtt, b.sent) = (None, Some(4002)), Words::Other),
        ("no round trip, little", |b| b.rtt = None, Words::Peers),
        ("when it was heard does not matter", |b| (b.last_sent, b.last_received) = (Some(0), Some(5000)), Words::Peers),
    ] {
        let mut b = own(turns);
        change(&mut b);
        assert_eq!(words(&b), expected, "{what}");
    }
}

/// A SYN has no counters: all of the second sample came between.
#[test]
fn counters_of_a_syn_are_zero() {
    let mut after = SocketSample::default();
    (after.info.bytes_acked, after.info.bytes_received, after.info.last_data_sent) = (Some(1), Some(0), Some(1));
    assert_eq!(Words::between(&SocketSample::default(), &after, 1), Words::Own);
}
