//! Losses and events that are not losses, their consequences, and events that only look like an application's
//! own pace.

#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

mod common;

use std::fmt::Write as _;

use common::{check, connection, describe, principal, rules, share};
use tcpwhy_testkit::script;

/// A handshake over 20 ms, captured at the client.
const OPEN: &str = "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK,TS val 1000 ecr 0>
     0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK,TS val 9000 ecr 1000>
     0.020 > . 1:1(0) ack 1 <TS val 1020 ecr 9000>
";

/// A timer expires while the path delays everything. The ACK echoes the original's timestamp (RFC 3522), so
/// nothing was lost.
#[test]
fn a_timeout_whose_ack_echoes_the_original_is_spurious() {
    for (echo, verdict, absent) in [
        (1021, "loss_recovery/spurious", "retransmission-timeouts"),
        (1321, "loss_recovery/rto", "spurious-retransmissions"),
    ] {
        check(&format!(
            "{OPEN}
     0.021 > . 1:1001(1000) ack 1 <TS val 1021 ecr 9000>
     0.021 > P. 1001:2001(1000) ack 1 <TS val 1021 ecr 9000>
     0.321 > . 1:1001(1000) ack 1 <TS val 1321 ecr 9000>
     0.421 < . 1:1(0) ack 1001 win 65535 <TS val 9400 ecr {echo}>
     0.422 < . 1:1(0) ack 2001 win 65535 <TS val 9401 ecr {echo}>
     // verdict: {verdict}
     // no finding: {absent}
    "
        ));
    }
}

/// The same without timestamps: the ACK follows the retransmission sooner than the path allows.
#[test]
fn a_timeout_whose_ack_comes_too_soon_is_spurious() {
    for (acked, verdict, absent) in [
        ("0.325", "loss_recovery/spurious", "retransmission-timeouts"),
        ("0.342", "loss_recovery/rto", "spurious-retransmissions"),
    ] {
        check(&format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000>
     0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000>
     0.020 > . 1:1(0) ack 1
     0.021 > . 1:1001(1000) ack 1
     0.021 > P. 1001:2001(1000) ack 1
     0.321 > . 1:1001(1000) ack 1
     {acked} < . 1:1(0) ack 1001 win 65535
     {acked} < . 1:1(0) ack 2001 win 65535
     // verdict: {verdict}
     // no finding: {absent}
    "
        ));
    }
}

/// The receiver's capture shows that it had acknowledged the data before the retransmission came. Within two
/// round trips, the sender could not know that yet. Later, the acknowledgment was lost.
#[test]
fn a_repeat_of_what_its_receiver_had_acknowledged_is_spurious_or_its_ack_was_lost() {
    let both = ["lost-acks", "spurious-retransmissions"];
    for (round_trip, repeated, limit, rule) in [
        (20, 321, "loss_recovery/lost_acks", "lost-acks"),
        (20, 171, "loss_recovery/lost_acks", "lost-acks"),
        (20, 170, "loss_recovery/spurious", "spurious-retransmissions"),
        (100, 301, "loss_recovery/lost_acks", "lost-acks"),
        (100, 300, "loss_recovery/spurious", "spurious-retransmissions"),
    ] {
        let (sent, again) = (round_trip + 1, repeated + 20);
        let text = format!(
            "
     0.000 < S 0:0(0) win 65535 <mss 1000>
     0.000 > S. 0:0(0) ack 1 win 65535 <mss 1000>
     0.{round_trip:03} < . 1:1(0) ack 1
     0.{sent:03} < P. 1:1001(1000) ack 1
     0.{sent:03} > . 1:1(0) ack 1001 win 65535
     0.{repeated} < P. 1:1001(1000) ack 1
     0.{repeated} > . 1:1(0) ack 1001 win 65535
     0.{again} < P. 1001:2001(1000) ack 1
     0.{again} > . 1:1(0) ack 2001 win 65535
    "
        );
        let connection = connection(&script(&text).segments);
        assert!(share(principal(&connection), limit) > 0.2, "{}", describe(&connection));
        let found: Vec<_> = rules(&connection).into_iter().filter(|found| both.contains(found)).collect();
        assert_eq!(found, [rule]);
    }
}

/// At the sender, a D-SACK in the first acknowledgment after a timeout shows that the data had arrived but
/// its acknowledgment had not. If that acknowledgment still comes, it was late.
#[test]
fn a_timeout_after_lost_acks_is_told_from_one_after_late_acks() {
    for (late, limit) in [
        ("", "loss_recovery/lost_acks"),
        ("0.330 < . 1:1(0) ack 2001 win 65535 <TS val 9300 ecr 1021>", "loss_recovery/spurious"),
    ] {
        check(&format!(
            "{OPEN}
     0.021 > . 1:1001(1000) ack 1 <TS val 1021 ecr 9000>
     0.021 > P. 1001:2001(1000) ack 1 <TS val 1021 ecr 9000>
     0.321 > . 1:1001(1000) ack 1 <TS val 1321 ecr 9000>
     {late}
     0.341 < . 1:1(0) ack 2001 win 65535 <sack 1:1001,TS val 9320 ecr 1321>
     // verdict: {limit}
    "
        ));
    }
}

/// A capture of one direction shows the timers of consecutive retransmissions, but nothing of the time
/// between.
#[test]
fn without_any_ack_only_doubling_timers_are_named() {
    let repeats = |times: &[f64], last: f64| {
        let mut text = String::from("0.000 > S 0:0(0) win 65535 <mss 1000>\n0.020 > . 1:1(0) ack 1\n");
        for segment in 0..5 {
            let start = segment * 1000 + 1;
            writeln!(text, "0.02{segment} > . {start}:{}(1000) ack 1", start + 1000).unwrap();
        }
        for time in times {
            writeln!(text, "{time:.3} > . 1:1001(1000) ack 1").unwrap();
        }
        writeln!(text, "{last:.3} > P. 5001:6001(1000) ack 1").unwrap();
        let connection = connection(&script(&text).segments);
        let half = principal(&connection);
        ((share(half, "loss_recovery"), share(half, "unobserved")), describe(&connection))
    };
    let ((lost, _), told) = repeats(&[0.4, 1.0, 2.0, 4.0], 4.01);
    assert!(lost > 0.95, "{told}");
    // A retransmission after 69 s has another cause, as has everything long after it.
    let ((lost, unobserved), told) = repeats(&[69.0], 69.01);
    assert!(lost < 0.01 && unobserved > 0.95, "{told}");
    let ((lost, unobserved), told) = repeats(&[0.4], 69.0);
    assert!(lost < 0.01 && unobserved > 0.95, "{told}");
}

/// New data after two silent round trips is a tail loss probe if it reveals a hole (RFC 8985 §7.3).
#[test]
fn new_data_that_probes_for_a_lost_tail_is_loss_recovery() {
    let probed = |is_lost: bool| {
        let mut text = OPEN
            .replace(",TS val 1000 ecr 0", "")
            .replace(",TS val 9000 ecr 1000", "")
            .replace(" <TS val 1020 ecr 9000>", "");
        let (mut time, mut next) = (0.021, 1);
        for _ in 0..10 {
            writeln!(text, "{time:.3} > . {next}:{}(1000) ack 1", next + 1000).unwrap();
            time += 0.045;
            let (first, second, end) = (next, next + 1000, next + 2000);
            writeln!(text, "{time:.3} > . {second}:{end}(1000) ack 1").unwrap();
            time += 0.020;
            if is_lost {
                writeln!(text, "{time:.3} < . 1:1(0) ack {first} win 65535 <sack {second}:{end}>").unwrap();
                time += 0.001;
                writeln!(text, "{time:.3} > . {first}:{second}(1000) ack 1").unwrap();
                time += 0.020;
            }
            writeln!(text, "{time:.3} < . 1:1(0) ack {end} win 65535").unwrap();
            (time, next) = (time + 0.000_5, end);
        }
        let connection = connection(&script(&text).segments);
        let half = principal(&connection);
        ((share(half, "loss_recovery"), share(half, "application/paced_writes")), describe(&connection))
    };
    let ((lost, paced), told) = probed(true);
    assert!(lost > 0.7 && paced < 0.02, "{told}");
    let ((lost, _), told) = probed(false);
    assert!(lost < 0.1, "{told}");
}

/// Sends follow each ACK by about the same time, whenever it comes: the host is slow, or the capture is away
/// from it. If that time varies, ACKs do not release them.
#[test]
fn a_host_that_answers_late_each_time_is_clocked_by_acks() {
    let own_pace = |lags: &[f64]| {
        let mut text = String::from(
            "0.000 > S 0:0(0) win 65535 <mss 1000>
             0.200 < S. 0:0(0) ack 1 win 65535 <mss 1000>
             0.200 > . 1:1(0) ack 1\n",
        );
        let (mut acked, mut next) = (1, 1);
        for _ in 0..20 {
            writeln!(text, "0.201 > . {next}:{}(1000) ack 1", next + 1000).unwrap();
            next += 1000;
        }
        let mut time = 0.401;
        for turn in 0..400_u32 {
            // ACKs come 12 to 28 ms apart, without a rhythm.
            time += 0.012 + f64::from(turn * 7919 % 17) * 0.001;
            acked += 2000;
            writeln!(text, "{time:.6} < . 1:1(0) ack {acked} win 65535").unwrap();
            let at = time + lags[turn as usize % lags.len()];
            writeln!(text, "{at:.6} > . {next}:{}(2000) ack 1", next + 2000).unwrap();
            next += 2000;
        }
        let connection = connection(&script(&text).segments);
        (share(principal(&connection), "application"), describe(&connection))
    };
    let (own, told) = own_pace(&[0.0033, 0.0031, 0.0036]);
    assert!(own < 0.15, "{told}");
    let (own, told) = own_pace(&[0.0033, 0.0071, 0.0110]);
    assert!(own > 0.8, "{told}");
}

/// Full segments over Ethernet at 10 Mbit/s, captured at the receiver. One takes longer than the remaining
/// path.
#[test]
fn full_segments_at_the_rate_of_a_line_are_the_paths() {
    let received = |apart: f64, uneven: f64| {
        let mut text = String::from(
            "0.0000 < S 0:0(0) win 65535 <mss 1460>
             0.0000 > S. 0:0(0) ack 1 win 65535 <mss 1460>
             0.0005 < . 1:1(0) ack 1\n",
        );
        let (mut time, mut next) = (0.003, 1);
        for segment in 0..300_u32 {
            time += apart + if segment % 3 == 0 { uneven } else { 0.0 };
            writeln!(text, "{time:.6} < . {next}:{}(1460) ack 1", next + 1460).unwrap();
            next += 1460;
            if segment % 2 == 1 {
                writeln!(text, "{:.6} > . 1:1(0) ack {next} win 65535", time + 0.000_05).unwrap();
            }
        }
        let connection = connection(&script(&text).segments);
        let half = principal(&connection);
        (share(half, "path"), share(half, "application/paced_writes"), describe(&connection))
    };
    let (path, own, told) = received(0.001_23, 0.000_04);
    assert!(path > 0.8 && own < 0.1, "{told}");
    // Each third segment is late, which no line causes.
    let (path, _, told) = received(0.001_23, 0.002_1);
    assert!(path < 0.1, "{told}");
    // A timer of a program.
    let (path, _, told) = received(0.002, 0.0);
    assert!(path < 0.1, "{told}");
}
