//! Repairs of losses, and events that only look like repairs, in packetdrill notation.

mod common;

use common::check;

/// A handshake over 20 ms, captured at the client, and five segments of which the second arrives late or
/// never.
const HOLE: &str = "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.021 > . 2001:3001(1000) ack 1
     0.021 > . 3001:4001(1000) ack 1
     0.021 > P. 4001:5001(1000) ack 1
     0.041 < . 1:1(0) ack 1001 win 65535
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:3001>
";

/// A handshake over 20 ms, captured at the client; windows are not scaled.
const OPEN: &str = "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
";

#[track_caller]
fn check_after(beginning: &str, text: &str) {
    check(&format!("{beginning}{text}"));
}

/// The receiver had all retransmitted data twice (RFC 3708 §3), and reported it during the recovery.
#[test]
fn everything_twice_during_the_recovery_is_spurious() {
    check_after(
        HOLE,
        "
         //^ limit: loss_recovery/spurious, until 0.070
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:4001>
     0.043 > . 1001:2001(1000) ack 1
     0.062 < . 1:1(0) ack 2001 win 65535 <sack 1001:2001 2001:4001>
     0.070 < . 1:1(0) ack 5001 win 65535
    ",
    );
}

/// The same, reported after the recovery.
#[test]
fn everything_twice_after_the_recovery_is_spurious() {
    check_after(
        HOLE,
        "
         //^ limit: loss_recovery/spurious, until 0.060
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:4001>
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:5001>
     0.043 > . 1001:2001(1000) ack 1
     0.060 < . 1:1(0) ack 5001 win 65535
     0.063 < . 1:1(0) ack 5001 win 65535 <sack 1001:2001>
    ",
    );
}

/// Two segments were retransmitted and one had arrived, so the other was lost.
#[test]
fn half_of_it_twice_is_a_loss() {
    let during = "0.0645 < . 1:1(0) ack 3001 win 65535 <sack 1001:2001 4001:5001>";
    let after = "0.080 < . 1:1(0) ack 5001 win 65535 <sack 1001:2001>";
    for told in [during, after] {
        check_after(
            HOLE,
            &format!(
                "
         //^ limit: loss_recovery/fast, until 0.070
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:3001 4001:5001>
     0.043 > . 1001:2001(1000) ack 1
     0.043 > . 3001:4001(1000) ack 1
     0.070 < . 1:1(0) ack 5001 win 65535
     {told}
    "
            ),
        );
    }
}

/// The retransmission was lost as well, which leads to silence and a timer.
#[test]
fn a_lost_repair_ends_in_a_timeout() {
    check_after(
        HOLE,
        "
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:4001>
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:5001>
     0.043 > . 1001:2001(1000) ack 1
         //^ limit: loss_recovery/rto, until 0.303
     0.283 > . 1001:2001(1000) ack 1
     0.303 < . 1:1(0) ack 5001 win 65535
     // finding: retransmission-timeouts
    ",
    );
}

/// The same, but retransmitted at once again: RACK rather than a timer.
#[test]
fn a_repair_repeated_within_a_round_trip_is_no_timeout() {
    check_after(
        HOLE,
        "
         //^ limit: loss_recovery/fast, until 0.090
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:4001>
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:5001>
     0.043 > . 1001:2001(1000) ack 1
     0.070 > . 1001:2001(1000) ack 1
     0.090 < . 1:1(0) ack 5001 win 65535
     // no finding: retransmission-timeouts
    ",
    );
}

/// There were too few duplicate ACKs for fast retransmit: the sender knew of the hole but waited for its
/// timer.
#[test]
fn a_hole_that_only_a_timer_repairs_is_a_timeout() {
    check_after(
        HOLE,
        "
         //^ limit: loss_recovery/rto, until 0.282
     0.262 > . 1001:2001(1000) ack 1
     0.282 < . 1:1(0) ack 5001 win 65535
     // finding: retransmission-timeouts
    ",
    );
}

/// The reason is unknown, but no timer is this fast.
#[test]
fn a_repair_within_two_round_trips_is_no_timer() {
    check_after(
        OPEN,
        "
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.021 > . 2001:3001(1000) ack 1
     0.041 < . 1:1(0) ack 1001 win 65535
     0.071 > . 1001:2001(1000) ack 1
         //^ limit: loss_recovery/fast, until 0.091
     0.091 < . 1:1(0) ack 3001 win 65535
     // no finding: retransmission-timeouts
    ",
    );
}

/// A probe retransmits the last segment, a timer the first one.
#[test]
fn an_early_repeat_of_the_first_segment_is_no_probe() {
    check_after(
        OPEN,
        "
     0.021 > . 1:1001(1000) ack 1
     0.021 > P. 1001:2001(1000) ack 1
         //^ limit: loss_recovery/rto, until 0.141
     0.121 > . 1:1001(1000) ack 1
     0.141 < . 1:1(0) ack 2001 win 65535
    ",
    );
}

/// A probe comes two round trips after the last data (RFC 8985 §7.2).
#[test]
fn a_probe_on_a_long_path_is_tlp() {
    check(
        "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.080 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.080 > . 1:1(0) ack 1
     0.081 > . 1:1001(1000) ack 1
     0.081 > P. 1001:2001(1000) ack 1
     0.161 < . 1:1(0) ack 1001 win 65535
         //^ limit: loss_recovery/tlp, until 0.430
     0.350 > P. 1001:2001(1000) ack 1
     0.430 < . 1:1(0) ack 2001 win 65535
    ",
    );
}

/// The window is full, so the probe retransmits data that waits for it, and nothing was lost.
#[test]
fn a_probe_into_a_full_window_is_the_window() {
    let window = |probe: &str| {
        format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.020 < S. 0:0(0) ack 1 win 2000 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
{probe}
     0.150 < . 1:1(0) ack 2001 win 2000
     0.150 > P. 2001:3001(1000) ack 1
     0.170 < . 1:1(0) ack 3001 win 2000
    "
        )
    };
    check(&window("         //^ limit: receive_window, until 0.150"));
    check(&window(
        "         //^ limit: receive_window, until 0.150
     0.081 > . 1001:2001(1000) ack 1
     // no finding: retransmission-timeouts",
    ));
}

/// A sender that knows only small windows sends halves of them (`tcp_bound_to_half_wnd`), so half a window is
/// room.
#[test]
fn half_a_small_window_is_room() {
    check(
        "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.020 < S. 0:0(0) ack 1 win 1500 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
     0.021 > P. 1:751(750) ack 1
         //^ limit: application/idle, until 0.100
     0.041 < . 1:1(0) ack 751 win 1500
     0.100 > P. 751:1501(750) ack 1
     0.120 < . 1:1(0) ack 1501 win 1500
    ",
    );
}

/// Captured at the server, whose answer is retransmitted and not even acknowledged. The path failed, and the
/// client's silence shows nothing about its application.
#[test]
fn a_peer_that_repeats_itself_unanswered_shows_a_dead_path() {
    let turn = |repeats: &str| {
        format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.000 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
     0.021 > P. 1:101(100) ack 1
     0.021 < . 1:1(0) ack 101 win 65535
     0.100 < P. 1:501(500) ack 101 win 65535
{repeats}
     1.670 > P. 101:201(100) ack 501
     1.670 < . 501:501(0) ack 201 win 65535
    "
        )
    };
    check(&turn(
        "         //^ limit: application/peer_turn, until 1.670
     0.320 < P. 1:501(500) ack 101 win 65535
     0.760 < P. 1:501(500) ack 101 win 65535
     1.650 < P. 1:501(500) ack 101 win 65535",
    ));
    check(&turn(
        "         //^ limit: application/think, until 1.650
     0.120 > . 101:101(0) ack 501",
    ));
}

/// Bytes in flight before the start of the capture are unknown until a round trip has passed.
#[test]
fn the_first_round_trip_of_a_connection_joined_is_unobserved() {
    check(
        "
     0.000 > . 10001:11001(1000) ack 1 win 1000
         //^ limit: unobserved, until 0.020
     0.010 < . 1:1(0) ack 5001 win 65535
     0.020 < . 1:1(0) ack 11001 win 65535
     0.020 > P. 11001:12001(1000) ack 1 win 1000
         //^ limit: tail_rtt, until 0.040
     0.040 < . 1:1(0) ack 12001 win 65535
     // finding: mid-stream-join
    ",
    );
}

/// Without SACK, a duplicate ACK shows a hole unless it has data or another window (RFC 5681 §2).
#[test]
fn a_repeated_ack_tells_of_a_hole_when_it_says_nothing_else() {
    let repeated = |expected: &str, acks: [&str; 3]| {
        let [a, b, c] = acks;
        check(&format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000>
     0.020 < S. 0:0(0) ack 1 win 30000 <mss 1000>
     0.020 > . 1:1(0) ack 1
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.021 > . 2001:3001(1000) ack 1
     0.021 > . 3001:4001(1000) ack 1
     0.021 > P. 4001:5001(1000) ack 1
     0.041 < . 1:1(0) ack 1001 win 30000
     0.042 < {a}
         //^ limit: {expected}
     0.042 < {b}
     0.042 < {c}
     0.060 > . 1001:2001(1000) ack 1
     0.080 < . 1:1(0) ack 5001 win 30000
    "
        ));
    };
    let same = ". 1:1(0) ack 1001 win 30000";
    repeated("loss_recovery/fast, until 0.080", [same; 3]);
    let moved = [". 1:1(0) ack 1001 win 31000", ". 1:1(0) ack 1001 win 32000", ". 1:1(0) ack 1001 win 33000"];
    repeated("slow_start, until 0.060", moved);
    let speaks = [
        "P. 1:101(100) ack 1001 win 30000",
        "P. 101:201(100) ack 1001 win 30000",
        "P. 201:301(100) ack 1001 win 30000",
    ];
    repeated("slow_start, until 0.060", speaks);
}
