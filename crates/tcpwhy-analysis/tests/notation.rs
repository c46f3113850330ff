//! Every limit and every form of it, in the field's own notation.

mod common;

use common::check;

/// A handshake over 20 ms, captured at the client; windows are not scaled.
const OPEN: &str = "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
";

/// Checks a script that begins with [`OPEN`].
#[track_caller]
fn check_open(text: &str) {
    check(&format!("{OPEN}{text}"));
}

#[test]
fn setting_up_is_handshake() {
    check(
        "
     0.000 > S 0:0(0) <mss 1460>
         //^ limit: handshake, until 0.020
     0.020 < S. 0:0(0) ack 1 <mss 1460>
     0.020 > . 1:1(0) ack 1
     0.020 > P. 1:101(100) ack 1
         //^ limit: tail_rtt, until 0.040
     0.040 < . 1:1(0) ack 101
     // no finding: syn-retries
    ",
    );
}

#[test]
fn a_repeated_syn_is_handshake_syn_rto() {
    check(
        "
     0.000 > S 0:0(0) <mss 1460>
         //^ limit: handshake/syn_rto, until 1.000
     1.000 > S 0:0(0) <mss 1460>
         //^ limit: handshake, until 1.020
     1.020 < S. 0:0(0) ack 1 <mss 1460>
     1.020 > . 1:1(0) ack 1
     1.020 > P. 1:101(100) ack 1
     1.040 < . 1:1(0) ack 101
     // verdict: handshake/syn_rto
     // finding: syn-retries
    ",
    );
}

#[test]
fn a_repeated_syn_ack_is_handshake_syn_rto() {
    check(
        "
     0.000 < S 0:0(0) <mss 1460>
         //^ limit: handshake/syn_rto, until 1.000
     0.000 > S. 0:0(0) ack 1 <mss 1460>
     1.000 > S. 0:0(0) ack 1 <mss 1460>
         //^ limit: handshake, until 1.020
     1.020 < . 1:1(0) ack 1
     1.020 > P. 1:101(100) ack 1
     1.040 < . 1:1(0) ack 101
     // verdict: handshake/syn_rto
    ",
    );
}

/// Three messages over 6 ms; the last is retransmitted after `wait` milliseconds.
fn repeated_after(wait: u32, finding: &str) -> String {
    let [repeat, ack] = [30 + wait, 36 + wait].map(|at| format!("{}.{:03}", at / 1000, at % 1000));
    format!(
        "
     0.000 > S 0:0(0) win 65535 <mss 1460,sackOK>
     0.006 < S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK>
     0.006 > . 1:1(0) ack 1
     0.010 > P. 1:101(100) ack 1
     0.016 < . 1:1(0) ack 101 win 65535
     0.020 > P. 101:201(100) ack 1
     0.026 < . 1:1(0) ack 201 win 65535
     0.030 > P. 201:301(100) ack 1
     {repeat} > P. 201:301(100) ack 1
     {ack} < . 1:1(0) ack 301 win 65535
     // verdict: loss_recovery/rto
     // {finding}: minimum-rto
    "
    )
}

/// RFC 6298 requires one second; Linux waits 200 ms longer than the round trip.
#[test]
fn a_timeout_of_a_second_over_6_ms_is_the_senders_minimum() {
    check(&repeated_after(1_000, "finding"));
    check(&repeated_after(206, "no finding"));
}

/// Linux sends half of a window below two segments at a time, which does not show a small MTU.
#[test]
fn segments_of_half_the_window_are_no_clamped_mss() {
    use std::fmt::Write as _;

    let mut text = String::from(
        "
     0.000 < S 0:0(0) win 65535 <mss 1460>
     0.000 > S. 0:0(0) ack 1 win 1152 <mss 1460>
     0.020 < . 1:1(0) ack 1 win 65535
",
    );
    for round in 0..60 {
        let (time, first) = (40 + 20 * round, 1 + 1152 * round);
        let time = format!("{}.{:03}", time / 1000, time % 1000);
        let _ = write!(
            text,
            "     {time} < . {first}:{mid}(576) ack 1 win 65535
     {time} < . {mid}:{end}(576) ack 1 win 65535
     {time} > . 1:1(0) ack {end} win 1152
",
            mid = first + 576,
            end = first + 1152,
        );
    }
    check(&format!(
        "{text}
     // verdict<: receive_window/small_buffer
     // finding: receive-window-small-buffer
     // no finding: mss-clamped
    "
    ));
}

#[test]
fn a_window_that_is_closed_from_the_start() {
    check(
        "
     0.000 > S 0:0(0) <mss 1460,wscale 7>
     0.010 < S. 0:0(0) ack 1 win 0 <mss 1000>
     0.010 > . 1:1(0) ack 1
         //^ limit: receive_window/zero_window, until 0.210
     0.210 < . 1:1(0) ack 1 win 2000
     0.210 > P. 1:1001(1000) ack 1
     0.220 < . 1:1(0) ack 1001 win 2000
    ",
    );
}

#[test]
fn a_window_that_closes_and_opens() {
    check(
        "
     0.000 > S 0:0(0) win 65535 <mss 1000>
     0.020 < S. 0:0(0) ack 1 win 2000 <mss 1000>
     0.020 > . 1:1(0) ack 1
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.041 < . 1:1(0) ack 2001 win 0
         //^ limit: receive_window/zero_window, until 1.000
     0.300 > . 2000:2000(0) ack 1
     0.320 < . 1:1(0) ack 2001 win 0
     1.000 < . 1:1(0) ack 2001 win 8000
     1.000 > P. 2001:3001(1000) ack 1
     1.020 < . 1:1(0) ack 3001 win 8000
     // verdict: receive_window/zero_window
     // finding: zero-window
    ",
    );
}

/// A sender that probes a zero window until it gives up had data to send all that time. A window that opens
/// after that changes nothing.
#[test]
fn dying_in_a_closed_window_is_receive_window() {
    check(
        "
     0.000 > S 0:0(0) win 65535 <mss 1000>
     0.020 < S. 0:0(0) ack 1 win 2000 <mss 1000>
     0.020 > . 1:1(0) ack 1
     0.020 > P. 1:2001(2000) ack 1
     0.040 < . 1:1(0) ack 2001 win 0
         //^ limit: receive_window/zero_window, until 1.700
     0.260 > . 2000:2000(0) ack 1
     0.740 > . 2000:2000(0) ack 1
     1.700 > . 2000:2000(0) ack 1
     9.000 < . 1:1(0) ack 2001 win 2000
     9.000 > R 2001:2001(0)
     // verdict: receive_window/zero_window
     // finding: zero-window-death
    ",
    );
}

/// Keep-alives of an idle connection are not requests.
#[test]
fn keep_alives_do_not_lengthen_a_transfer() {
    check_open(
        "
     0.020 > P. 1:2001(2000) ack 1
         //^ limit: tail_rtt, until 0.040
     0.040 < . 1:1(0) ack 2001
     60.000 > . 2000:2000(0) ack 1
     60.020 < . 1:1(0) ack 2001
     // no finding: zero-window
    ",
    );
}

#[test]
fn a_window_that_closes_when_all_is_said_limits_nothing() {
    check_open(
        "
     0.021 > P. 1:1001(1000) ack 1
     0.041 < . 1:1(0) ack 1001 win 0
     0.400 < . 1:1(0) ack 1001 win 65535
     0.900 < P. 1:101(100) ack 1001 win 65535
     0.900 > . 1001:1001(0) ack 101
     0.950 > P. 1001:1101(100) ack 101
         //^ limit: tail_rtt, until 0.970
     0.970 < . 101:101(0) ack 1101 win 65535
    ",
    );
}

#[test]
fn duplicate_acks_and_a_repair_are_fast_recovery() {
    check_open(
        "
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.021 > . 2001:3001(1000) ack 1
     0.021 > . 3001:4001(1000) ack 1
     0.021 > P. 4001:5001(1000) ack 1
     0.041 < . 1:1(0) ack 1001 win 65535
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:3001>
         //^ limit: loss_recovery/fast, until 0.063
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:4001>
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:5001>
     0.043 > . 1001:2001(1000) ack 1
     0.063 < . 1:1(0) ack 5001 win 65535
    ",
    );
}

#[test]
fn reordering_is_no_recovery() {
    check_open(
        "
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.021 > P. 2001:3001(1000) ack 1
         //^ limit: tail_rtt, until 0.042
     0.041 < . 1:1(0) ack 1001 win 65535
     0.0415 < . 1:1(0) ack 1001 win 65535 <sack 2001:3001>
     0.042 < . 1:1(0) ack 3001 win 65535
     // no finding: loss-recovery
    ",
    );
}

#[test]
fn silence_and_a_repair_are_a_timeout() {
    check_open(
        "
     0.021 > P. 1:1001(1000) ack 1
         //^ limit: loss_recovery/rto, until 0.281
     0.261 > P. 1:1001(1000) ack 1
     0.281 < . 1:1(0) ack 1001 win 65535
     // verdict: loss_recovery/rto
     // finding: retransmission-timeouts
    ",
    );
}

#[test]
fn timeouts_that_double_are_one_stretch() {
    check_open(
        "
     0.021 > P. 1:1001(1000) ack 1
         //^ limit: loss_recovery/rto, until 1.601
     0.241 > P. 1:1001(1000) ack 1
     0.681 > P. 1:1001(1000) ack 1
     1.581 > P. 1:1001(1000) ack 1
     1.601 < . 1:1(0) ack 1001 win 65535
     // finding: retransmission-timeouts
    ",
    );
}

#[test]
fn a_probe_of_the_tail_is_tlp() {
    check_open(
        "
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.021 > P. 2001:3001(1000) ack 1
     0.041 < . 1:1(0) ack 2001 win 65535
         //^ limit: loss_recovery/tlp, until 0.103
     0.083 > P. 2001:3001(1000) ack 1
     0.103 < . 1:1(0) ack 3001 win 65535
    ",
    );
}

#[test]
fn the_second_small_write_waits_for_a_delayed_ack() {
    check_open(
        "
     0.021 > P. 1:101(100) ack 1
         //^ limit: ack_delay/nagle, until 0.041
     0.081 < . 1:1(0) ack 101 win 65535
     0.081 > P. 101:201(100) ack 1
     0.101 < P. 1:501(500) ack 201 win 65535
     0.101 > . 201:201(0) ack 501
     0.102 > P. 201:301(100) ack 501
         //^ limit: ack_delay/nagle, until 0.122
     0.162 < . 501:501(0) ack 301 win 65535
     0.162 > P. 301:401(100) ack 501
     0.182 < P. 501:1001(500) ack 401 win 65535
     0.182 > . 401:401(0) ack 1001
     // verdict: ack_delay/delayed_ack
     // finding: nagle-delayed-ack
    ",
    );
}

#[test]
fn after_the_round_trip_it_is_the_ack_that_is_late() {
    check_open(
        "
     0.021 > P. 1:101(100) ack 1
     0.041 > . 101:101(0) ack 1
         //^ limit: ack_delay/delayed_ack, until 0.081
     0.081 < . 1:1(0) ack 101 win 65535
     0.081 > P. 101:201(100) ack 1
     0.101 < P. 1:501(500) ack 201 win 65535
     0.101 > . 201:201(0) ack 501
    ",
    );
}

#[test]
fn the_first_answer_is_thought_about_too() {
    check_open(
        "
     0.021 > P. 1:101(100) ack 1
     0.041 < . 1:1(0) ack 101 win 65535
         //^ limit<: application/think, until 0.521
     0.541 < P. 1:501(500) ack 101 win 65535
     0.541 > . 101:101(0) ack 501
    ",
    );
}

#[test]
fn an_answer_that_takes_its_time_is_think() {
    check_open(
        "
     0.021 > P. 1:101(100) ack 1
     0.041 < . 1:1(0) ack 101 win 65535
     0.541 < P. 1:501(500) ack 101 win 65535
     0.541 > . 101:101(0) ack 501
     0.542 > P. 101:201(100) ack 501
     0.562 < . 501:501(0) ack 201 win 65535
         //^ limit: application/peer_turn, until 1.062
         //^ limit<: application/think, until 1.042
     1.062 < P. 501:1001(500) ack 201 win 65535
     1.062 > . 201:201(0) ack 1001
     1.063 > P. 201:301(100) ack 1001
     1.083 < . 1001:1001(0) ack 301 win 65535
     // finding: application-think
     // verdict: application/peer_turn
    ",
    );
}

#[test]
fn speaking_again_after_a_rest_is_idle() {
    check_open(
        "
     0.021 > P. 1:101(100) ack 1
     0.041 < . 1:1(0) ack 101 win 65535
         //^ limit: application/idle, until 0.741
     0.741 > P. 101:201(100) ack 1
     0.761 < . 1:1(0) ack 201 win 65535
     // verdict: application/idle
     // finding: application-idle
    ",
    );
}

/// The sender's socket shows the same: nothing was left to send.
#[test]
fn the_flight_before_a_rest_is_the_applications() {
    check_open(
        "
     0.021 > P. 1:101(100) ack 1
         //^ limit: application/idle, until 0.741
     0.041 < . 1:1(0) ack 101 win 65535
     0.741 > P. 101:201(100) ack 1
     0.761 < . 1:1(0) ack 201 win 65535
    ",
    );
}

#[test]
fn the_last_flight_is_propagation() {
    check_open(
        "
     0.021 > . 1:1001(1000) ack 1
     0.021 > P. 1001:2001(1000) ack 1
         //^ limit: tail_rtt, until 0.041
     0.041 < . 1:1(0) ack 2001 win 65535
    ",
    );
}

#[test]
fn the_first_rounds_are_slow_start() {
    check_open(
        "
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
         //^ limit: slow_start, until 0.061
     0.041 < . 1:1(0) ack 1001 win 65535
     0.041 > . 2001:3001(1000) ack 1
     0.041 > . 3001:4001(1000) ack 1
     0.0412 < . 1:1(0) ack 2001 win 65535
     0.0412 > . 4001:5001(1000) ack 1
     0.0412 > . 5001:6001(1000) ack 1
     0.061 < . 1:1(0) ack 3001 win 65535
     0.061 > . 6001:7001(1000) ack 1
     0.061 > . 7001:8001(1000) ack 1
     0.0612 < . 1:1(0) ack 4001 win 65535
     0.0612 > . 8001:9001(1000) ack 1
     0.0614 < . 1:1(0) ack 6001 win 65535
     0.0614 > P. 9001:10001(1000) ack 1
     0.082 < . 1:1(0) ack 10001 win 65535
     // verdict: slow_start
     // finding: slow-start-dominates
    ",
    );
}

#[test]
fn what_was_acknowledged_but_never_seen_is_unobserved() {
    check_open(
        "
     0.021 > . 1:1001(1000) ack 1
     0.041 < . 1:1(0) ack 1001 win 65535
         //^ limit: unobserved, until 0.500
     0.500 < . 1:1(0) ack 21001 win 65535
     0.520 > P. 21001:22001(1000) ack 1
     0.540 < . 1:1(0) ack 22001 win 65535
     // finding: capture-drops
     // no finding: loss-recovery
    ",
    );
}

#[test]
fn two_segments_fill_a_window_of_two_and_a_half() {
    let mut lines = vec![OPEN.replace("win 65535", "win 2500")];
    for round in 0..20 {
        let (a, b, c) = (round * 2000 + 1, round * 2000 + 1001, round * 2000 + 2001);
        let time = 0.021 + f64::from(round) * 0.020_1;
        let ack = time + 0.020_05;
        lines.push(format!("{time:.6} > . {a}:{b}(1000) ack 1"));
        lines.push(format!("{time:.6} > . {b}:{c}(1000) ack 1"));
        lines.push(format!("{ack:.6} < . 1:1(0) ack {c} win 2500"));
    }
    lines.push("// verdict: receive_window/small_buffer".into());
    lines.push("// finding: receive-window-small-buffer".into());
    check(&lines.join("\n"));
}

#[test]
fn an_edge_that_stands_still_is_a_slow_reader() {
    // 4 kB are acknowledged in every round, and 1 kB of room is added. The window shrinks from 40 kB to 1 kB.
    let mut lines = vec![OPEN.replace("win 65535", "win 40000")];
    let (mut sent, mut edge, mut time) = (1, 40_001, 0.021);
    for _ in 0..60 {
        for _ in 0..((edge - sent) / 1000).min(4) {
            lines.push(format!("{time:.6} > . {sent}:{}(1000) ack 1", sent + 1000));
            sent += 1000;
        }
        time += 0.020_03;
        edge += 1000;
        lines.push(format!("{time:.6} < . 1:1(0) ack {sent} win {}", edge - sent));
        time += 0.000_02;
    }
    lines.push("// verdict: receive_window/slow_reader".into());
    lines.push("// finding: slow-reader".into());
    check(&lines.join("\n"));
}

/// 35 segments and a piece every 32 ms, over 30 ms and 17 Mbit/s. Linux holds each piece until the one before
/// is acknowledged (`tcp_minshall_check`). The piece is sent alone, so there was nothing else to send, and
/// the window had room for more.
#[test]
fn pieces_that_leave_alone_show_that_nothing_waits() {
    let mut lines = vec![(0.0, OPEN.to_owned())];
    for burst in 0..40 {
        let (start, from) = (0.050 + 0.0317 * f64::from(burst), burst * 35_500 + 1);
        for segment in (0..35).map(|n| from + n * 1000) {
            lines.push((start, format!("> . {segment}:{}(1000) ack 1", segment + 1000)));
        }
        let (piece, end) = (from + 35_000, from + 35_500);
        let sent = if burst == 0 { start } else { start + 0.0067 };
        lines.push((sent, format!("> P. {piece}:{end}(500) ack 1")));
        for pair in 1..=18 {
            let ack = if pair == 18 { end } else { from + pair * 2000 };
            lines.push((start + 0.030 + 0.000_46 * f64::from(pair), format!("< . 1:1(0) ack {ack} win 65535")));
        }
    }
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let text = |(time, line): &(f64, String)| if *time == 0.0 { line.clone() } else { format!("{time:.6} {line}") };
    let mut text: Vec<_> = lines.iter().map(text).collect();
    text.push("// verdict: application/paced_writes".into());
    check(&text.join("\n"));
}

/// Linux acknowledges unread data in a full buffer late: all of it at once, when it is read.
#[test]
fn late_acks_of_a_full_window_are_a_slow_reader() {
    let rounds = |late: f64| {
        let mut lines = vec![OPEN.replace("win 65535", "win 30000")];
        let mut time = 0.021;
        for round in 0..30 {
            let from = round * 30_000 + 1;
            for sent in (0..30).map(|n| from + n * 1000) {
                lines.push(format!("{time:.6} > . {sent}:{}(1000) ack 1", sent + 1000));
            }
            time += 0.020_05 + if round < 3 { 0.0 } else { late };
            lines.push(format!("{time:.6} < . 1:1(0) ack {} win 30000", from + 30_000));
        }
        lines
    };
    let mut lines = rounds(0.030);
    lines.push("// verdict: receive_window/slow_reader".into());
    check(&lines.join("\n"));
    let mut lines = rounds(0.0);
    lines.push("// verdict: receive_window/small_buffer".into());
    check(&lines.join("\n"));
}

#[test]
fn a_scale_that_only_one_side_offers_is_none() {
    check(
        "
     0.000 > S 0:0(0) win 65535 <mss 1000,wscale 7>
     0.020 < S. 0:0(0) ack 1 win 2500 <mss 1000>
     0.020 > . 1:1(0) ack 1 win 65535
     0.021 > . 1:1001(1000) ack 1 win 65535
     0.021 > . 1001:2001(1000) ack 1 win 65535
         //^ limit: receive_window, until 0.441
     0.441 < . 1:1(0) ack 2001 win 2500
     0.441 > . 2001:3001(1000) ack 1 win 65535
     0.461 < . 1:1(0) ack 3001 win 2500
    ",
    );
}

/// The scale of a SYN-ACK does not count if the SYN offered none (RFC 7323 §2.2).
#[test]
fn a_scale_that_was_not_asked_for_is_none() {
    check(
        "
     0.000 > S 0:0(0) win 65535 <mss 1000>
     0.020 < S. 0:0(0) ack 1 win 2500 <mss 1000,wscale 7>
     0.020 > . 1:1(0) ack 1 win 65535
     0.021 < . 1:1(0) ack 1 win 2500
     0.021 > . 1:1001(1000) ack 1 win 65535
     0.021 > . 1001:2001(1000) ack 1 win 65535
         //^ limit: receive_window, until 0.441
     0.441 < . 1:1(0) ack 2001 win 2500
     0.441 > . 2001:3001(1000) ack 1 win 65535
     0.461 < . 1:1(0) ack 3001 win 2500
    ",
    );
}

/// A receiver may shrink its window, and a sender may still use the earlier one (RFC 9293 §3.8.6). A sender
/// with room in an earlier window had nothing to send if it sent no more.
#[test]
fn a_right_edge_that_moves_back_takes_no_room() {
    let shrinking = |window: u32, expected: &str| {
        check(&format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000>
     0.020 < S. 0:0(0) ack 1 win {window} <mss 1000>
     0.020 > . 1:1(0) ack 1
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.042 < . 1:1(0) ack 2001 win 500
     0.043 > . 2001:3001(1000) ack 1
         //^ limit: {expected}, until 0.300
     0.063 < . 1:1(0) ack 3001 win 500
     0.300 > . 3001:4001(1000) ack 1
     0.320 < . 1:1(0) ack 4001 win 4000
    "
        ));
    };
    shrinking(4000, "application/idle");
    // No earlier window was larger.
    shrinking(3000, "receive_window");
}

/// A zero window does not limit a sender that had nothing to send.
#[test]
fn a_window_that_opens_long_before_the_first_word() {
    check(
        "
     0.000 > S 0:0(0) <mss 1460,wscale 7>
     0.010 < S. 0:0(0) ack 1 win 0 <mss 1000>
     0.010 > . 1:1(0) ack 1
         //^ limit: application/idle, until 0.500
     0.100 < . 1:1(0) ack 1 win 2000
     0.500 > P. 1:1001(1000) ack 1
     0.510 < . 1:1(0) ack 1001 win 2000
    ",
    );
}

#[test]
fn an_application_that_does_not_close_is_close_wait() {
    check_open(
        "
     0.030 > P. 1:101(100) ack 1
     0.050 < P. 1:2001(2000) ack 101 win 65535
     0.050 < F. 2001:2001(0) ack 101 win 65535
         //^ limit: application/close_wait, until 3.000
     0.051 > . 101:101(0) ack 2002
     3.000 > F. 101:101(0) ack 2002
     3.020 < . 2002:2002(0) ack 102 win 65535
     // verdict: application/close_wait
     // finding: application-close-wait
    ",
    );
}

/// The capture ends while the application has not closed.
#[test]
fn an_application_that_never_closes_is_close_wait() {
    check_open(
        "
     0.030 > P. 1:101(100) ack 1
     0.050 < F. 1:1(0) ack 101 win 65535
         //^ limit: application/close_wait, until 60.050
     0.051 > . 101:101(0) ack 2
     60.050 < . 1:1(0) ack 101 win 65535
     60.050 > . 101:101(0) ack 2
     // verdict: application/close_wait
    ",
    );
}

/// A peer that only ends its own stream (`shutdown`) and gets an answer afterwards waits for a busy server.
#[test]
fn an_answer_after_the_peer_has_closed_is_think() {
    check_open(
        "
     0.030 > P. 1:101(100) ack 1
     0.050 < P. 1:101(100) ack 101 win 65535
     0.050 < F. 101:101(0) ack 101 win 65535
         //^ limit: application/think, until 2.000
     2.000 > P. 101:1101(1000) ack 102
     2.020 < . 102:102(0) ack 1101 win 65535
     2.020 > F. 1101:1101(0) ack 102
     // verdict: application/think
    ",
    );
}

/// Nobody waited on a connection that both ends kept for later and closed together.
#[test]
fn a_connection_kept_for_later_is_no_close_wait() {
    check_open(
        "
     0.020 > P. 1:101(100) ack 1
     0.050 < P. 1:2001(2000) ack 101 win 65535
     0.050 > . 101:101(0) ack 2001
     60.000 < F. 2001:2001(0) ack 101 win 65535
     60.100 > F. 101:101(0) ack 2002
     60.120 < . 2002:2002(0) ack 102 win 65535
     // no finding: application-close-wait
    ",
    );
}

/// A cause after the transfer ranks below the limit of the transfer.
#[test]
fn a_timeout_outranks_what_followed_the_transfer() {
    check_open(
        "
     0.020 > P. 1:101(100) ack 1
     1.020 > P. 1:101(100) ack 1
     1.040 < . 1:1(0) ack 101 win 65535
     1.040 < F. 1:1(0) ack 101 win 65535
     1.041 > . 101:101(0) ack 2
     6.000 > F. 101:101(0) ack 2
     6.020 < . 2:2(0) ack 102 win 65535
     // verdict: loss_recovery/rto
     // finding: application-close-wait
    ",
    );
}

/// Losses of the peer's answer, which this side acknowledges throughout, do not show a failed path for this
/// side's data.
#[test]
fn losses_of_the_answer_are_the_peers_turn() {
    check_open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < . 1:1(0) ack 101 win 65535
         //^ limit: application/peer_turn, until 0.520
     0.300 < . 1:1001(1000) ack 101 win 65535
     0.300 > . 101:101(0) ack 1001
     0.320 < . 2001:3001(1000) ack 101 win 65535
     0.320 > . 101:101(0) ack 1001 <sack 2001:3001>
     0.360 < . 1001:2001(1000) ack 101 win 65535
     0.360 > . 101:101(0) ack 3001
     0.500 < . 2001:3001(1000) ack 101 win 65535
     0.500 > . 101:101(0) ack 3001
     0.520 < P. 3001:4001(1000) ack 101 win 65535
     0.520 > . 101:101(0) ack 4001
     0.720 > P. 101:201(100) ack 4001
     0.740 < . 4001:4001(0) ack 201 win 65535
    ",
    );
}
