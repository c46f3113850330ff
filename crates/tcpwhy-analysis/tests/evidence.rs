//! Conclusions from evidence: rules learnt from real traffic, each with a case that has the evidence and one
//! that does not.

#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

mod common;

use std::fmt::Write as _;

use common::{check, connection, describe, half, principal, share};
use tcpwhy_analysis::Vantage;
use tcpwhy_model::{Cause, Detail, Limit, Severity, VerdictReason};
use tcpwhy_testkit::{Capture, ReceiveBuffer, Transfer, Turns, Writer, alter, at, mbit, ms, script};

/// A handshake over 20 ms, captured at the client.
const OPEN: &str = "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
";

fn open(text: &str) -> String {
    format!("{OPEN}{text}")
}

/// A keep-alive (RFC 9293 §3.8.4), with or without a byte, shows that the connection was idle.
#[test]
fn keep_alives_are_idle_time() {
    for byte in ["100:101(1)", "100:100(0)"] {
        check(&open(&format!(
            "
     0.020 > P. 1:101(100) ack 1
     0.040 < . 1:1(0) ack 101
         //^ limit: application/idle, until 60.100
    30.040 > . {byte} ack 1
    30.060 < . 1:1(0) ack 101
    60.100 > P. 101:201(100) ack 1
    60.120 < . 1:1(0) ack 201
     // verdict: application/idle
            "
        )));
    }
    // Only keep-alives follow: they are not part of the transfer.
    check(&open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < . 1:1(0) ack 101
    30.040 > . 100:101(1) ack 1
    30.060 < . 1:1(0) ack 101
    60.080 > . 100:101(1) ack 1
    60.100 < . 1:1(0) ack 101
     // verdict: none
        ",
    ));
}

/// The peer's keep-alive is not a request, so data after it is not a late answer.
#[test]
fn a_keep_alive_of_the_peer_asks_for_nothing() {
    check(&open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < P. 1:101(100) ack 101
     0.040 > . 101:101(0) ack 101
         //^ limit<: application/idle, until 60.000
    30.040 < . 100:101(1) ack 101
    30.041 > . 101:101(0) ack 101
    60.000 < P. 101:201(100) ack 101
    60.020 > . 101:101(0) ack 201
        ",
    ));
    // A request is different.
    check(&open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < P. 1:101(100) ack 101
     0.040 > . 101:101(0) ack 101
    30.040 > P. 101:201(100) ack 101
         //^ limit<: application/think, until 60.000
    30.060 < . 101:101(0) ack 201
    60.000 < P. 101:201(100) ack 201
    60.020 > . 201:201(0) ack 201
        ",
    ));
}

/// The peer retransmitted data without effect, so its data had not arrived. But it was answered since, and
/// the long silence after that is this side's own.
#[test]
fn an_outage_ends_when_the_peer_is_heard_again() {
    check(&open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < P. 1:101(100) ack 101
     0.040 > . 101:101(0) ack 101
     1.000 > P. 101:201(100) ack 101
         //^ limit<: application/peer_turn, until 3.200
     1.300 > P. 101:201(100) ack 101
     1.900 > P. 101:201(100) ack 101
     3.200 < . 101:101(0) ack 201
         //^ limit<: application/think, until 90.000
    90.000 < P. 101:201(100) ack 201
    90.020 > . 201:201(0) ack 201
        ",
    ));
}

/// In the same case, this side's next data is beyond the acknowledged data, so it had been sending as well.
#[test]
fn an_outage_of_both_ways_is_a_timeout_of_both() {
    check(&open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < P. 1:101(100) ack 101
     0.040 > . 101:101(0) ack 101
     1.000 > P. 101:201(100) ack 101
         //^ limit<: loss_recovery/rto, until 3.200
     1.300 > P. 101:201(100) ack 101
     1.900 > P. 101:201(100) ack 101
     3.200 < . 201:201(0) ack 201
     3.300 < P. 101:201(100) ack 201
     3.320 > . 201:201(0) ack 201
        ",
    ));
}

/// A silence before a first transmission with nothing in flight is the application's, even if that data is
/// then lost.
#[test]
fn silence_before_data_that_is_lost_is_the_applications() {
    check(&open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < . 1:1(0) ack 101
         //^ limit: application/idle, until 235.000
   235.000 > P. 101:201(100) ack 1
         //^ limit: loss_recovery/rto, until 237.400
   235.300 > P. 101:201(100) ack 1
   235.900 > P. 101:201(100) ack 1
   237.100 > P. 101:201(100) ack 1
   237.400 < . 1:1(0) ack 201
     // verdict: application/idle
        ",
    ));
}

/// No retransmission timer runs for longer than two minutes (`TCP_RTO_MAX`), so a longer silence has another
/// cause.
#[test]
fn no_timer_runs_for_minutes() {
    let repeated = |at: [&str; 2], expected: &str| {
        let [again, acked] = at;
        check(&open(&format!(
            "
     0.020 > P. 1:101(100) ack 1
     0.040 < . 1:1(0) ack 101
         //^ limit: application/idle, until 10.000
    10.000 > P. 101:201(100) ack 1
    10.300 > P. 101:201(100) ack 1
         //^ limit: {expected}, until {again}
    {again} > P. 101:201(100) ack 1
    {acked} < . 1:1(0) ack 201
            "
        )));
    };
    repeated(["128.300", "128.320"], "loss_recovery/rto");
    repeated(["310.300", "310.320"], "unobserved");
}

/// Backoff is visible from one direction alone: the same segment at doubling intervals, even if no ACKs were
/// captured.
#[test]
fn repeats_without_any_ack_are_timeouts() {
    check(
        "
     0.000 > P. 1:649(648) ack 1
     0.206 > P. 1:649(648) ack 1
         //^ limit: loss_recovery/rto, until 9.2
     0.806 > P. 1:649(648) ack 1
     2.006 > P. 1:649(648) ack 1
     4.406 > P. 1:649(648) ack 1
     9.211 > P. 1:649(648) ack 1
     // verdict: loss_recovery/rto
        ",
    );
    // Data that is not retransmitted, without any ACK, shows nothing.
    check(
        "
     0.000 > P. 1:649(648) ack 1
         //^ limit: unobserved, until 2.006
     0.206 > P. 649:1297(648) ack 1
     2.006 > P. 1297:1945(648) ack 1
     // verdict: unobserved
        ",
    );
}

/// A request, its ACK and the first byte of the answer show the server's time. The capture ends before the
/// answer is acknowledged.
#[test]
fn the_wait_for_the_first_byte_is_the_servers() {
    check(&open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < . 1:1(0) ack 101
         //^ limit<: application/think, until 1.040
     1.040 < P. 1:1001(1000) ack 101
     // verdict<: application/think
        ",
    ));
}

/// If more data is missing than was captured, the capture is the problem, and no cause is named.
#[test]
fn more_missing_than_captured_is_unobserved() {
    let whole = Transfer { send_buffer: Some(64_000), bytes: 2_000_000, ..Transfer::default() }.run();
    let verdict = |every: usize| {
        let mut data = 0;
        let kept = |s: &&tcpwhy_model::Segment| {
            data += usize::from(s.payload_len > 0);
            s.payload_len == 0 || data < 20 || data.is_multiple_of(every)
        };
        let seen: Vec<_> = whole.iter().filter(kept).copied().collect();
        let connection = connection(&seen);
        principal(&connection).verdict.cause
    };
    assert_eq!(verdict(4), Some(Cause::plain(Limit::Unobserved)));
    assert_eq!(verdict(1), Some(Cause::plain(Limit::SendBuffer)));
}

/// Away from the sender and without timestamps, the time at which an ACK moved the window's edge is unknown.
/// Bytes in flight that stay at the edge are still limited by the window. Those that stay below it are not.
#[test]
fn a_flight_that_stands_at_the_windows_edge_is_held_by_the_window() {
    for capture in [Capture::Receiver, Capture::Middle] {
        let fast = Transfer {
            bytes: 4_000_000,
            rtt: 26_000_000,
            rate: Some(mbit(20)),
            window_scale: Some(3),
            has_timestamps: false,
            offload: Some(33_304),
            capture,
            ..Transfer::default()
        };
        let share = |transfer: Transfer, limit| {
            let connection = connection(&transfer.run());
            let half = principal(&connection);
            half.limits.nanos_of(limit) as f64 / half.span.nanos() as f64
        };
        let window = Transfer { receive_buffer: ReceiveBuffer::Fixed(50_000), ..fast.clone() };
        let held = share(window.clone(), Limit::ReceiveWindow);
        assert!(held > 0.8 && share(window, Limit::SendBuffer) < 0.1, "{capture:?}: {held}");
        let buffer = Transfer { send_buffer: Some(50_000), ..fast };
        let held = share(buffer, Limit::ReceiveWindow);
        assert!(held < 0.01, "{capture:?}: {held}");
    }
}

/// The verdict's seconds are those of the limit and form that it names. Other time that the change affects is
/// reported next to it.
#[test]
fn a_verdict_says_the_time_of_what_it_names() {
    let lossy = Transfer { bytes: 4_000_000, lost_every: Some(150), ..Transfer::default() };
    let connection = connection(&lossy.run());
    let half = principal(&connection);
    let cause = half.verdict.cause.unwrap();
    let named = half.limits.nanos_of_cause(cause) as f64 / 1e9;
    assert!((half.verdict.seconds - named).abs() < 1e-9, "{}", describe(&connection));
    let related: Vec<_> = half.related_to_verdict().map(|t| t.cause).collect();
    assert!(!related.is_empty() && !related.contains(&cause), "{related:?}");
    assert!(related.iter().all(|c| c.family() == cause.family()), "{related:?}");
}

/// All time of a window that was full over a persistent queue is the queue's, also in the timeline.
#[test]
fn a_window_held_by_a_queue_is_the_paths() {
    let full = Transfer {
        bytes: 4_000_000,
        rate: Some(mbit(10)),
        queue: 1_000_000,
        receive_buffer: tcpwhy_testkit::ReceiveBuffer::Fixed(130_000),
        window_scale: Some(7),
        ..Transfer::default()
    };
    let connection = connection(&full.run());
    let half = principal(&connection);
    assert_eq!(half.verdict.cause, Some(Detail::Queue.into()), "{}", describe(&connection));
    assert_eq!(half.verdict.reason, Some(VerdictReason::WindowHeldByQueue), "{}", describe(&connection));
    assert!(share(half, "path/queue") > 0.8, "{}", describe(&connection));
}

/// Time without data to send is not a problem of the connection.
#[test]
fn what_nobody_waits_for_has_no_severity() {
    let severity = |text: &str, is_client| {
        let connection = connection(&script(text).segments);
        half(&connection, is_client).map(|h| h.verdict.severity)
    };
    // A person who pauses between requests, and a server that answers at once.
    let talk = open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < P. 1:101(100) ack 101
     0.041 > . 101:101(0) ack 101
     9.000 > P. 101:201(100) ack 101
     9.020 < P. 101:201(100) ack 201
     9.021 > . 201:201(0) ack 201
    20.000 > P. 201:301(100) ack 201
    20.020 < P. 201:301(100) ack 301
    20.021 > . 301:301(0) ack 301
        ",
    );
    assert_eq!(severity(&talk, true), Some(None));
    assert_eq!(severity(&talk, false), Some(None));
    // Somebody waits for a server that takes seconds to answer, but little data is never a critical problem.
    let slow = open(
        "
     0.020 > P. 1:101(100) ack 1
     0.040 < . 1:1(0) ack 101
     9.000 < P. 1:101(100) ack 101
     9.001 > . 101:101(0) ack 101
        ",
    );
    assert_eq!(severity(&slow, false), Some(Some(Severity::Warning)));
    // A slow server with much data is a critical problem.
    let bulk = Turns { think: ms(200), answer: 20_000, ..Turns::default() };
    let connection = connection(&bulk.run());
    let server = half(&connection, false).unwrap();
    assert_eq!(server.verdict.severity, Some(Severity::Critical), "{}", describe(&connection));
}

/// A program that pauses while it sends gets a warning; one with long pauses does not.
#[test]
fn pauses_matter_while_somebody_waits() {
    for (pause, expected) in [(ms(300), Some(Severity::Warning)), (ms(10_000), Some(Severity::Info))] {
        let bursts = Transfer { writer: Writer::Bursts { bytes: 100_000, pause }, ..Transfer::default() };
        let connection = connection(&bursts.captured_at(Capture::Sender).run());
        let half = principal(&connection);
        assert_eq!(half.verdict.cause, Some(Detail::Idle.into()), "{}", describe(&connection));
        assert_eq!(half.verdict.severity, expected, "{}", describe(&connection));
        assert!(half.findings.iter().all(|f| f.severity < Severity::Critical), "{:?}", half.findings);
    }
}

/// Line rate on a LAN, with a queue before it and a send buffer that is full above the queue: a larger buffer
/// would bring nothing. Batches of ACKs hide how evenly the path serves.
#[test]
fn line_rate_is_the_paths() {
    for (rtt, rate, send_buffer, ack_batches) in [
        (200_000, mbit(1000), 1_400_000, Some(100_000)),
        (1_000_000, mbit(1000), 300_000, None),
        (1_000_000, mbit(1000), 300_000, Some(100_000)),
        (1_000_000, mbit(100), 1_400_000, Some(100_000)),
    ] {
        let lan = Transfer {
            bytes: rate / 2,
            rtt,
            rate: Some(rate),
            queue: 2_000_000,
            send_buffer: Some(send_buffer),
            ack_batches,
            ..Transfer::default()
        };
        let c = connection(&lan.run());
        assert_eq!(principal(&c).verdict.cause.map(|c| c.limit), Some(Limit::Path), "{}", describe(&c));
    }
}

/// At the same rate without a queue, the buffer holds exactly one bandwidth-delay product, and trains pass
/// faster.
#[test]
fn a_steady_rate_alone_is_not_the_paths() {
    for capture in [Capture::Sender, Capture::Receiver] {
        let small = Transfer {
            bytes: 20_000_000,
            rtt: ms(10),
            rate: Some(mbit(1000)),
            send_buffer: Some(128_000),
            ..Transfer::default()
        };
        let c = connection(&small.captured_at(capture).run());
        assert_eq!(principal(&c).verdict.cause.map(|c| c.limit), Some(Limit::SendBuffer), "{}", describe(&c));
    }
}

/// Data that Nagle's algorithm holds until all data before it is acknowledged (RFC 9293 §3.7.4) is the end of
/// a write. A writer that waited for its buffer would have filled the segment.
#[test]
fn the_rest_of_a_write_is_no_full_buffer() {
    let under = |rest: u32| {
        let mut text = String::new();
        let write = 2000 + rest;
        for i in 0..20 {
            let (at, from) = (0.020 + 0.025 * f64::from(i), 1 + i * write);
            let (middle, end) = (from + 2000, from + write);
            if i > 0 {
                // Acknowledges the remainder of the write before.
                writeln!(text, "{:.6} < . 1:1(0) ack {from}", at + 0.0160).unwrap();
            }
            writeln!(
                text,
                "{at:.6} > . {from}:{middle}(2000) ack 1
                 {:.6} < . 1:1(0) ack {}
                 {:.6} < . 1:1(0) ack {middle}
                 {:.6} > P. {middle}:{end}({rest}) ack 1",
                at + 0.0200,
                from + 1000,
                at + 0.0205,
                at + 0.020_51,
            )
            .unwrap();
        }
        let connection = connection(&script(&open(&text)).segments);
        let half = half(&connection, true).unwrap();
        (["application", "send_buffer"].map(|limit| share(half, limit)), describe(&connection))
    };
    let ([application, send_buffer], told) = under(600);
    assert!(application > 0.8 && send_buffer < 0.05, "{told}");
    // Full segments on the same ACKs are not the remainder of a write.
    let ([_, send_buffer], told) = under(2000);
    assert!(send_buffer > 0.6, "{told}");
}

/// Two writes and an answer, repeatedly: the second write waits for the ACK of the first. `offered` is the
/// MSS of both SYNs, if the capture shows them. The ACK comes at once in the first rounds, later after
/// `delay` seconds, in `acks` parts. Returns the share of the time that is a delayed ACK's.
fn two_writes(offered: Option<u32>, size: u32, delay: f64, acks: u32, is_answered: bool) -> (f64, String) {
    let mut text = String::new();
    if let Some(mss) = offered {
        write!(
            text,
            "
     0.000 > S 0:0(0) win 65535 <mss {mss},sackOK>
     0.000010 < S. 0:0(0) ack 1 win 65535 <mss {mss},sackOK>
     0.000020 > . 1:1(0) ack 1
            "
        )
        .unwrap();
    }
    let (mut at, mut next, mut answer) = (0.000_100, 1, 1);
    for round in 0..24 {
        writeln!(text, "{at:.6} > P. {next}:{}({size}) ack {answer}", next + size).unwrap();
        let is_late = round >= 6;
        for part in 1..=acks {
            at += if is_late && part == acks { delay } else { 0.000_008 };
            let ack = if part == acks { size } else { size / acks * part };
            writeln!(text, "{at:.6} < . {answer}:{answer}(0) ack {} win 65535", next + ack).unwrap();
        }
        writeln!(text, "{:.6} > P. {}:{}({size}) ack {answer}", at + 0.000_01, next + size, next + 2 * size).unwrap();
        next += 2 * size;
        at += 0.000_02;
        writeln!(text, "{at:.6} < . {answer}:{answer}(0) ack {next} win 65535").unwrap();
        if is_answered {
            writeln!(text, "{:.6} < P. {answer}:{}(20) ack {next} win 65535", at + 0.000_01, answer + 20).unwrap();
            answer += 20;
        }
        at += 0.000_1;
    }
    let connection = connection(&script(&text).segments);
    let half = half(&connection, true).unwrap();
    (share(half, "ack_delay/delayed_ack"), describe(&connection))
}

/// A segment that waits for the ACK of the write before is not full, whatever the size of writes and their
/// repetition.
#[test]
fn writes_that_wait_for_each_other_tell_no_mss() {
    for mss in [1460, 8960, 65_495] {
        for size in [100, 500, 1400, 2000, 5000, 20_000].into_iter().filter(|&size| size < mss) {
            let (delayed, told) = two_writes(Some(mss), size, 0.040, 1, true);
            assert!(delayed > 0.95, "{size} of {mss}: {told}");
        }
    }
    // Nagle's algorithm does not hold full segments.
    for (mss, size) in [(1460, 1460), (1460, 5000), (8960, 20_000)] {
        let (delayed, told) = two_writes(Some(mss), size, 0.040, 1, true);
        assert!(delayed < 0.05, "{size} of {mss}: {told}");
    }
}

/// Without the handshake the MSS is unknown, but two full segments are acknowledged at once (RFC 9293
/// §3.8.6.3).
#[test]
fn a_late_ack_of_its_own_shows_a_small_segment() {
    for size in [100, 500, 1400, 2000, 5000, 20_000] {
        let (delayed, told) = two_writes(None, size, 0.040, 1, true);
        assert!(delayed > 0.9, "{size}: {told}");
    }
    for (delay, acks, is_answered) in [
        // Several segments were acknowledged, the last of them late, so the others were full.
        (0.040, 3, true),
        // The delay is within the variation of a round trip.
        (0.012, 1, true),
        // There are no turns of the two ends.
        (0.040, 1, false),
    ] {
        let (delayed, told) = two_writes(None, 5000, delay, acks, is_answered);
        assert!(delayed < 0.05, "{delay} {acks} {is_answered}: {told}");
    }
}

/// Within a host both ends are at the capture point, whichever of them answers sooner.
#[test]
fn within_a_host_the_capture_is_at_the_sender() {
    let transfer = Transfer { rtt: 60_000, bytes: 200_000, capture: Capture::Receiver, ..Transfer::default() };
    let mut segments = alter::joined_at(&transfer.run(), at(400_000));
    let vantage = |segments: &[tcpwhy_model::Segment]| {
        let connection = connection(segments);
        (principal(&connection).vantage, describe(&connection))
    };
    assert_eq!(vantage(&segments).0, Vantage::Receiver);
    for [source, destination] in
        [["127.0.0.1", "127.0.0.1"], ["127.0.0.1", "127.0.0.53"], ["::1", "::1"], ["192.0.2.7", "192.0.2.7"]]
    {
        for segment in &mut segments {
            let is_back = segment.source.port < segment.destination.port;
            let (from, to) = if is_back { (destination, source) } else { (source, destination) };
            segment.source.address = from.parse().unwrap();
            segment.destination.address = to.parse().unwrap();
        }
        let (found, told) = vantage(&segments);
        assert_eq!(found, Vantage::Sender, "{source} {told}");
    }
}

/// Segments of one size that did not wait show the MSS, even if each is acknowledged at once.
#[test]
fn full_segments_show_the_mss() {
    let carried = |rtt: f64, spacing: f64| {
        let mut text = format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1460,sackOK>
     0.000010 < S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK>
     {rtt:.6} > . 1:1(0) ack 1
",
        );
        for i in 0..8u32 {
            let (at, from) = (0.021 + spacing * f64::from(i), 1 + i * 1000);
            writeln!(text, "{at:.6} > . {from}:{}(1000) ack 1", from + 1000).unwrap();
            writeln!(text, "{:.6} < . 1:1(0) ack {}", at + 0.000_005, from + 1000).unwrap();
        }
        let connection = connection(&script(&text).segments);
        half(&connection, true).unwrap().mss
    };
    assert_eq!(carried(0.020, 0.000_4), Some(1000));
    assert_eq!(carried(0.000_3, 0.000_01), Some(1000));
    // Each segment could have waited for the ACK of the one before.
    assert_eq!(carried(0.000_3, 0.000_4), Some(1460));
}

/// A capture in the middle of a short path is less than a millisecond from both ends, but at neither of them.
/// The sender's answer to an ACK comes half a round trip after it there.
#[test]
fn half_way_over_a_short_path_is_not_at_the_sender() {
    for rtt in [1_030_000, 1_770_000, 3_510_000] {
        let writer = Writer::Paced { bytes: 4_000, every: rtt + 110_000 };
        let paced = Transfer { rtt, bytes: 1_000_000, writer, ..Transfer::default() };
        for (capture, vantage) in [
            (Capture::Sender, Vantage::Sender),
            (Capture::Middle, Vantage::Middle),
            (Capture::Receiver, Vantage::Receiver),
        ] {
            let connection = connection(&paced.captured_at(capture).run());
            assert_eq!(principal(&connection).vantage, vantage, "{rtt} {capture:?} {}", describe(&connection));
        }
    }
}

/// A busy host answers late: up to a millisecond, or a twentieth of a long round trip, it is still the
/// capture point.
#[test]
fn a_host_that_answers_a_little_late_is_where_the_capture_is() {
    for (there, here, vantage) in [
        (0.020, 0.0006, Vantage::Sender),
        (0.020, 0.0015, Vantage::Middle),
        (0.200, 0.006, Vantage::Sender),
        (0.200, 0.015, Vantage::Middle),
    ] {
        let end = there + here;
        let text = format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     {there:.6} < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     {end:.6} > . 1:1(0) ack 1
     {end:.6} > P. 1:101(100) ack 1
            "
        );
        let connection = connection(&script(&text).segments);
        assert_eq!(half(&connection, true).unwrap().vantage, vantage, "{there} {here} {}", describe(&connection));
    }
}

/// The client's ACK answers the last of several SYN-ACKs. So the path is not a second long, and the late
/// answer to the first one does not place the capture at the server.
#[test]
fn a_repeated_syn_ack_moves_no_capture() {
    for (answer, third, vantage) in [(0.020, 1.020_02, Vantage::Sender), (0.000_02, 1.020, Vantage::Receiver)] {
        let text = format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     {answer:.6} < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     1.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     {third:.6} > . 1:1(0) ack 1
     {third:.6} > P. 1:101(100) ack 1
            "
        );
        let text = if vantage == Vantage::Receiver { text.replace("1.020 <", "1.000 <") } else { text };
        let connection = connection(&script(&text).segments);
        assert_eq!(half(&connection, true).unwrap().vantage, vantage, "{answer} {third} {}", describe(&connection));
    }
}

/// Returns the limit of most of the time, and the shares of the application and of the send buffer.
#[track_caller]
fn writer_or_buffer(transfer: &Transfer) -> (Option<Limit>, [f64; 2], String) {
    let connection = connection(&transfer.run());
    let half = principal(&connection);
    let shares = ["application", "send_buffer"].map(|limit| share(half, limit));
    (half.verdict.cause.map(|c| c.limit), shares, describe(&connection))
}

/// Fewer bytes in flight than the smallest send buffer (`SOCK_MIN_SNDBUF`) show a slow writer, even near the
/// round trip.
#[test]
fn a_flight_below_any_buffer_is_the_writers() {
    let small = Transfer { rtt: 21_130_000, rate: Some(mbit(100)), bytes: 300_000, ..Transfer::default() };
    for capture in [Capture::Sender, Capture::Receiver] {
        for every in [23_000_000, 21_900_000, 22_300_000] {
            let writer = Writer::Paced { bytes: 1771, every };
            let (limit, [_, buffer], told) = writer_or_buffer(&Transfer { writer, capture, ..small.clone() });
            assert!(limit == Some(Limit::Application) && buffer < 0.05, "{told}");
        }
        // A little more data, limited by a buffer.
        let (limit, _, told) = writer_or_buffer(&Transfer { send_buffer: Some(4 * 1448), capture, ..small.clone() });
        assert_eq!(limit, Some(Limit::SendBuffer), "{told}");
    }
}

/// Linux never shrinks an autotuned send buffer, so a plateau at a quarter of an earlier flight is not a
/// buffer.
#[test]
fn a_flight_under_what_had_been_in_flight_is_no_buffer() {
    for capture in [Capture::Sender, Capture::Receiver] {
        let first = Transfer {
            rtt: 20_130_000,
            bytes: 2_000_000,
            initial_segments: 100,
            writer: Writer::Waning { first: 100_000, bytes: 26_000, every: 20_600_000 },
            delays_acks: false,
            capture,
            ..Transfer::default()
        };
        let (limit, [_, buffer], told) = writer_or_buffer(&first);
        assert!(limit == Some(Limit::Application) && buffer < 0.1, "{told}");
        // The same amount is in flight all the time.
        let bulk = Transfer { writer: Writer::Bulk, send_buffer: Some(26_000), ..first };
        let (limit, _, told) = writer_or_buffer(&bulk);
        assert_eq!(limit, Some(Limit::SendBuffer), "{told}");
    }
}

/// A sender that repeatedly sends 0.5 ms or more after the ACK that made room has a timer: no writer wakes so
/// slowly.
#[test]
fn who_answers_late_has_a_clock() {
    let clock = Transfer { rtt: 20_130_000, rate: Some(mbit(1000)), delays_acks: false, ..Transfer::default() };
    for every in [20_700_000, 20_900_000, 21_100_000] {
        // Full segments, so that Nagle's algorithm holds nothing.
        let writer = Writer::Paced { bytes: 10 * 1448, every };
        let (limit, [application, _], told) = writer_or_buffer(&Transfer { writer, ..clock.clone() });
        assert!(limit == Some(Limit::Application) && application > 0.8, "{told}");
    }
    for wakes_after in [20_000, 150_000] {
        let (limit, _, told) =
            writer_or_buffer(&Transfer { send_buffer: Some(10 * 1448), wakes_after, ..clock.clone() });
        assert_eq!(limit, Some(Limit::SendBuffer), "{told}");
    }
}

/// The order of a capture is not exact to the microsecond: data whose ACK comes just before it was sent
/// earlier.
#[test]
fn an_ack_just_before_its_data_misses_nothing() {
    let missing = |late: &str| {
        let text = open(&format!(
            "
     0.020 > . 1:3001(3000) ack 1
     0.040 < . 1:1(0) ack 3001
     0.060 < . 1:1(0) ack 6001
    +{late} > . 3001:6001(3000) ack 1
     0.080 > . 6001:9001(3000) ack 1
     0.100 < . 1:1(0) ack 9001
            "
        ));
        let connection = connection(&script(&text).segments);
        let half = half(&connection, true).unwrap();
        ((half.limits.nanos_of(Limit::Unobserved) > 0, half.retransmitted_segments), describe(&connection))
    };
    let (found, told) = missing("0.000002");
    assert_eq!(found, (false, 0), "{told}");
    // A millisecond later the data is a retransmission, and its original was not captured.
    let (found, told) = missing("0.001");
    assert_eq!(found, (true, 1), "{told}");
}

/// An ACK of data that never appears is used as it is, also at the end of the capture.
#[test]
fn an_ack_of_what_never_shows_is_kept() {
    check(&open(
        "
     0.020 > . 1:1001(1000) ack 1
     0.040 < . 1:1(0) ack 1001
     0.041 > . 1001:2001(1000) ack 1
         //^ limit: unobserved, until 0.080
     0.080 < . 1:1(0) ack 4001
        ",
    ));
}

/// Jitter and a slow return path move ACKs but change no cause: neither a small send buffer nor a slow
/// writer.
#[test]
fn what_moves_acks_moves_no_cause() {
    let small = Transfer {
        rtt: 40_130_000,
        rate: Some(mbit(100)),
        bytes: 3_000_000,
        send_buffer: Some(60_000),
        wakes_after: 40_000,
        ..Transfer::default()
    };
    let writer = Writer::Paced { bytes: 12_000, every: 13_370_000 };
    let paced = Transfer { bytes: 1_500_000, send_buffer: None, writer, ..small.clone() };
    for (capture, jitter, return_rate) in
        [(Capture::Sender, 6_000_000, None), (Capture::Sender, 0, Some(mbit(2))), (Capture::Receiver, 0, Some(mbit(2)))]
    {
        let rough = |calm: &Transfer| Transfer { jitter, return_rate, capture, ..calm.clone() };
        let (limit, [_, buffer], told) = writer_or_buffer(&rough(&small));
        assert!(limit == Some(Limit::SendBuffer) && buffer > 0.9, "{told}");
        let (limit, [application, _], told) = writer_or_buffer(&rough(&paced));
        assert!(limit == Some(Limit::Application) && application > 0.7, "{told}");
    }
}

/// No round trip, delayed acknowledgment or limit of the sender explains a second or more with data in flight
/// but no packets. Something happened that was not captured.
#[test]
fn a_silence_that_nothing_explains_is_unobserved() {
    let answered = |sent_until: &str, at: &str, then: &str, next: &str| {
        open(&format!(
            "
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
         //^ limit: {sent_until}, until {at}
     {at} < . 1:1(0) ack 2001
     {at} > . 2001:3001(1000) ack 1
     {at} > . 3001:4001(1000) ack 1
         //^ limit: {next}, until {then}
     {then} < . 1:1(0) ack 4001
            "
        ))
    };
    check(&answered("unobserved", "2.041", "2.061", "tail_rtt"));
    check(&answered("slow_start", "0.241", "0.261", "tail_rtt"));
    // The final round trip.
    check(&answered("slow_start", "0.041", "2.041", "unobserved"));
    check(&answered("slow_start", "0.041", "0.841", "tail_rtt"));
    // With a round trip above 0.5 s, fewer than eight round trips show nothing.
    let far = |until: &str, expected: &str| {
        check(&format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.500 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.500 > . 1:1(0) ack 1
     0.521 > . 1:1001(1000) ack 1
     0.521 > . 1001:2001(1000) ack 1
         //^ limit: {expected}, until {until}
     {until} < . 1:1(0) ack 2001
            "
        ));
    };
    far("3.900", "tail_rtt");
    far("4.900", "unobserved");
}

/// A hole that stays open for so long is not reordering. The sender repairs a loss, although its repair was
/// not captured.
#[test]
fn sending_over_an_old_hole_is_loss_recovery() {
    let holes = |filled: &[(f64, u32)]| {
        let mut text = String::from(
            "
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.021 > . 2001:3001(1000) ack 1
     0.041 < . 1:1(0) ack 1001
     0.042 < . 1:1(0) ack 1001 <sack 2001:3001>
",
        );
        let mut end = 3001;
        for i in 0..12 {
            let time = 0.043 + 0.25 * f64::from(i);
            writeln!(text, "{time:.6} > . {end}:{}(1000) ack 1", end + 1000).unwrap();
            end += 1000;
            let una = filled.iter().find(|(at, _)| time > *at).map_or(1001, |_| end);
            let sack = if una == end { String::new() } else { format!(" <sack 2001:{end}>") };
            writeln!(text, "{:.6} < . 1:1(0) ack {una}{sack}", time + 0.020).unwrap();
        }
        let connection = connection(&script(&open(&text)).segments);
        let half = half(&connection, true).unwrap();
        (share(half, "loss_recovery"), describe(&connection))
    };
    let (lost, told) = holes(&[]);
    assert!(lost > 0.5, "{told}");
    // Late data came within a few round trips.
    let (lost, told) = holes(&[(0.2, 0)]);
    assert!(lost < 0.01, "{told}");
}

/// The peer's answer acknowledges the last request, so this time includes the peer's time.
#[test]
fn a_last_request_that_the_answer_acknowledges_waits_for_the_peer() {
    let answered = |at: &str, expected: &str| {
        check(&open(&format!(
            "
     0.020 > P. 1:101(100) ack 1
     0.040 < . 1:1(0) ack 101
     0.041 > P. 101:201(100) ack 1
         //^ limit: {expected}, until {at}
     {at} < P. 1:501(500) ack 201
            "
        )));
    };
    answered("2.041", "application/peer_turn");
    answered("0.061", "tail_rtt");
}

/// Data in the SYN (RFC 7413) waits for the handshake, and its retransmission is that of the SYN.
#[test]
fn data_in_a_syn_waits_for_the_handshake() {
    let with_syn = |lines: &str, expected: &str, until: &str| {
        check(&format!(
            "
     0.000 > S 0:100(100) win 65535 <mss 1000,sackOK>
         //^ limit: {expected}, until {until}
{lines}
     2.020 > . 101:101(0) ack 1
     2.021 > P. 101:201(100) ack 1
     2.041 < . 1:1(0) ack 201
            "
        ));
    };
    with_syn(
        "     1.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     2.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     2.020 < S. 0:0(0) ack 101 win 65535 <mss 1000,sackOK>",
        "handshake/syn_rto",
        "2.000",
    );
    with_syn("     2.019 < S. 0:0(0) ack 101 win 65535 <mss 1000,sackOK>", "handshake", "2.020");
}

/// An acknowledgment on an answer is as late as the answering program.
#[test]
fn round_trips_are_what_acks_of_their_own_show() {
    let turns = |answer: f64, is_pure: bool| {
        let mut text = String::new();
        for i in 0..20u32 {
            let (at, from, to) = (0.021 + f64::from(i), 1 + i * 100, 101 + i * 100);
            let (mine, theirs) = (1 + i * 500, 501 + i * 500);
            writeln!(text, "{at:.6} > P. {from}:{to}(100) ack {mine}").unwrap();
            if is_pure {
                writeln!(text, "{:.6} < . {mine}:{mine}(0) ack {to}", at + 0.020).unwrap();
            }
            writeln!(text, "{:.6} < P. {mine}:{theirs}(500) ack {to}", at + answer).unwrap();
            writeln!(text, "{:.6} > . {to}:{to}(0) ack {theirs}", at + answer + 0.000_05).unwrap();
        }
        let connection = connection(&script(&open(&text)).segments);
        half(&connection, true).unwrap().rtt.map(|(rtt, _)| [rtt.median, rtt.max].map(|nanos| nanos / 1_000_000))
    };
    // An acknowledgment at once and a later answer show the path's round trip.
    assert_eq!(turns(0.4, true), Some([20, 20]));
    // Answers that include the program's time show no round trip, but immediate ones do.
    assert_eq!(turns(0.4, false), None);
    assert_eq!(turns(0.021, false), Some([21, 21]));
}

/// At most one window passes in a round trip. If windows turn sooner than the handshake took, a nearer host
/// such as a proxy sends the data. Captured at the receiver, without timestamps.
#[test]
fn a_window_that_turns_sooner_tells_the_round_trip() {
    let turned = |every: f64| {
        let mut text = String::from(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.000 < S. 0:0(0) ack 1 win 4000 <mss 1000,sackOK>
     0.100 > . 1:1(0) ack 1
",
        );
        for i in 0..200u32 {
            let (at, from) = (0.101 + every * f64::from(i), 1 + i * 4000);
            for k in 0..4 {
                writeln!(text, "{:.6} > . {}:{}(1000) ack 1", at, from + k * 1000, from + k * 1000 + 1000).unwrap();
            }
            writeln!(text, "{:.6} < . 1:1(0) ack {} win 4000", at + 0.000_05, from + 4000).unwrap();
        }
        let connection = connection(&script(&text).segments);
        let half = half(&connection, true).unwrap();
        let rtt = half.rtt.map(|(rtt, _)| rtt.median / 1_000_000);
        (rtt, share(half, "receive_window"), describe(&connection))
    };
    let (rtt, window, told) = turned(0.005);
    assert_eq!(rtt, Some(4), "{told}");
    assert!(window > 0.8, "{told}");
    let (rtt, window, told) = turned(0.100);
    assert_eq!(rtt, None, "{told}");
    assert!(window > 0.8, "{told}");
}

/// No end answers before a packet reaches it. So acknowledgments that come sooner than the handshake's answer
/// show the distance of the sender. Captured at the client, with a server that greets first and answers each
/// command `answered` seconds later; the handshake took 0.1 s.
#[test]
fn acknowledgments_tell_how_far_away_the_server_is() {
    let dialogue = |acked: Option<f64>, answered: f64| {
        let mut text = String::from(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.100 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.100 > . 1:1(0) ack 1
     0.200 < P. 1:51(50) ack 1
",
        );
        for i in 0..20u32 {
            let (at, from, to) = (0.201 + f64::from(i) * (answered + 0.001), 1 + i * 30, 31 + i * 30);
            let (mine, theirs) = (51 + i * 50, 101 + i * 50);
            writeln!(text, "{at:.6} > P. {from}:{to}(30) ack {mine}").unwrap();
            if let Some(acked) = acked {
                writeln!(text, "{:.6} < . {mine}:{mine}(0) ack {to}", at + acked).unwrap();
            }
            writeln!(text, "{:.6} < P. {mine}:{theirs}(50) ack {to}", at + answered).unwrap();
        }
        let connection = connection(&script(&text).segments);
        let server = half(&connection, false).unwrap();
        let [think, pace] = ["think", "paced_writes"].map(|detail| share(server, &format!("application/{detail}")));
        (think, pace, describe(&connection))
    };
    // A proxy nearby answered, so the far end's time is not part of the path to the proxy.
    let (think, pace, told) = dialogue(Some(0.000_2), 0.095);
    assert!(think > 0.8 && pace < 0.06, "{think} {pace} {told}");
    // The handshake was slow, and everything after it takes a tenth less. No program thinks, and nothing was
    // sent too early.
    let (think, pace, told) = dialogue(None, 0.090);
    assert!(think < 0.05 && pace < 0.06, "{think} {pace} {told}");
    // The distance equals that of the handshake.
    let (think, pace, told) = dialogue(Some(0.100), 0.200);
    assert!((0.4..0.6).contains(&think) && pace < 0.06, "{think} {pace} {told}");
}

/// A transfer behind a small send buffer, captured without its handshake and without timestamps. If
/// `are_routed`, routers reduced the hop limits of the far end by seven; otherwise none are reduced.
fn without_handshake(capture: Capture, are_routed: bool, is_asked: bool) -> (Vantage, f64, f64, Option<u64>, String) {
    let transfer = Transfer {
        send_buffer: Some(30_000),
        has_timestamps: false,
        is_download: is_asked,
        capture,
        bytes: 8_000_000,
        ..Transfer::default()
    };
    let mut segments = transfer.run().split_off(3);
    let sender = segments.iter().max_by_key(|s| s.payload_len).unwrap().source;
    if is_asked {
        // The request is acknowledged before the answer (`tcp_enter_quickack_mode` in Linux).
        let first = segments.iter().position(|s| s.source == sender).unwrap();
        let mut ack = segments[first];
        (ack.payload_len, ack.flags) = (0, tcpwhy_model::TcpFlags::ACK);
        segments.insert(first, ack);
    }
    for segment in &mut segments {
        let is_far = (segment.source == sender) == (capture == Capture::Receiver);
        segment.ip =
            tcpwhy_model::IpHeader::new(None, if is_far && are_routed { 57 } else { 64 }, tcpwhy_model::Ecn::default());
    }
    let connection = connection(&segments);
    let half = principal(&connection);
    let rtt = half.rtt.map(|(rtt, _)| rtt.min / 1_000_000);
    (half.vantage, share(half, "send_buffer"), share(half, "unobserved"), rtt, describe(&connection))
}

/// Packets that crossed no router were sent at the capture point (RFC 791 §3.2, RFC 8200 §3).
#[test]
fn hop_limits_tell_where_the_capture_stands() {
    let (vantage, buffer, _, rtt, told) = without_handshake(Capture::Sender, true, false);
    assert_eq!((vantage, rtt), (Vantage::Sender, Some(20)), "{told}");
    assert!(buffer > 0.9, "{told}");
    // The server's acknowledgment of the request shows its distance.
    let (vantage, buffer, _, rtt, told) = without_handshake(Capture::Receiver, true, true);
    assert_eq!((vantage, rtt), (Vantage::Receiver, Some(20)), "{told}");
    assert!(buffer > 0.7, "{told}");
    // Within one network the hop limits show nothing.
    let (vantage, .., told) = without_handshake(Capture::Sender, false, false);
    assert_eq!(vantage, Vantage::Unknown, "{told}");
}

#[test]
fn at_the_receiver_nothing_is_told_without_the_round_trip() {
    let (vantage, _, unobserved, rtt, told) = without_handshake(Capture::Receiver, true, false);
    assert_eq!((vantage, rtt), (Vantage::Receiver, None), "{told}");
    assert!(unobserved > 0.95, "{told}");
}

/// Bytes in flight that stay level for ten round trips are not limited by a congestion window. After a loss,
/// twenty round trips are needed, because CUBIC stays near its last maximum for some time (RFC 9438 §4.1).
#[test]
fn a_plateau_soon_after_a_loss_is_no_buffer() {
    let plateau = |is_lossy: bool, round_trips: u32| {
        let mut text = String::new();
        let mut next = 1;
        for _ in 0..10 {
            writeln!(text, "0.021 > . {next}:{}(1000) ack 1", next + 1000).unwrap();
            next += 1000;
        }
        let mut time = 0.041;
        if is_lossy {
            // The first segment is lost and repaired.
            for sacked in 1..10 {
                let upto = 1001 + sacked * 1000;
                writeln!(text, "{:.6} < . 1:1(0) ack 1 <sack 1001:{upto}>", time + 0.000_01 * f64::from(sacked))
                    .unwrap();
            }
            writeln!(text, "{:.6} > . 1:1001(1000) ack 1", time + 0.000_2).unwrap();
            time += 0.0203;
            writeln!(text, "{time:.6} < . 1:1(0) ack {next}").unwrap();
            for _ in 0..10 {
                writeln!(text, "{time:.6} > . {next}:{}(1000) ack 1", next + 1000).unwrap();
                next += 1000;
            }
            time += 0.020;
        }
        for _ in 0..round_trips {
            // Each ACK releases the acknowledged amount, and no path spaces ACKs like this.
            for after in [0.0, 0.000_3, 0.002_1, 0.002_6, 0.005_7] {
                let (at, ack) = (time + after, next - 10_000 + 2000);
                writeln!(text, "{at:.6} < . 1:1(0) ack {ack}").unwrap();
                writeln!(text, "{:.6} > . {next}:{}(2000) ack 1", at + 0.000_02, next + 2000).unwrap();
                next += 2000;
            }
            time += 0.0201;
        }
        let connection = connection(&script(&open(&text)).segments);
        (share(half(&connection, true).unwrap(), "send_buffer"), describe(&connection))
    };
    let (buffer, told) = plateau(false, 60);
    assert!(buffer > 0.5, "{told}");
    let (buffer, told) = plateau(true, 20);
    assert!(buffer < 0.1, "{told}");
    let (buffer, told) = plateau(true, 60);
    assert!(buffer > 0.5, "{told}");
}

/// The timestamp that data echoes shows when it was sent, whatever the path's delay (RFC 7323 §4.3): its
/// sender had received this ACK, but not the next one. Captured at the client. The handshake took `handshake`
/// seconds, and the second round of data came 46 ms after the first ACKs. Its data echoes them one after the
/// other, or only the last.
#[test]
fn echoes_tell_what_released_a_flight() {
    let answer = |handshake: f64, is_released: bool| {
        let opened = 0.1 + handshake;
        let mut text = format!(
            "
     0.1 > S 0:0(0) win 65535 <mss 1000,sackOK,TS val 100 ecr 0,wscale 7>
{opened:.6} < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK,TS val 7 ecr 100,wscale 7>
{opened:.6} > . 1:1(0) ack 1 win 5000 <TS val 130 ecr 7>
     0.150 > P. 1:301(300) ack 1 win 5000 <TS val 150 ecr 7>
"
        );
        // The sender's clock ticks every 4 ms, the receiver's every millisecond.
        let mut packets = Vec::new();
        for i in 0..15u32 {
            let (start, at) = (1 + i * 2000, f64::from(i) * 0.000_9);
            for (flight, ecr, ts) in [(0, 150, 17), (1, if is_released { 200 + i } else { 214 }, 28)] {
                let first = start + flight * 30_000;
                let at = at + 0.2 + f64::from(flight) * 0.046;
                for segment in [first, first + 1000] {
                    let end = segment + 1000;
                    packets.push((at, format!("< . {segment}:{end}(1000) ack 301 win 500 <TS val {ts} ecr {ecr}>")));
                }
                let val = 200 + i + flight * 46;
                packets.push((
                    at + 0.000_05,
                    format!("> . 301:301(0) ack {} win 5000 <TS val {val} ecr {ts}>", first + 2000),
                ));
            }
        }
        packets.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (at, packet) in packets {
            writeln!(text, "{at:.6} {packet}").unwrap();
        }
        let connection = connection(&script(&text).segments);
        let server = half(&connection, false).unwrap();
        let own = ["paced_writes", "idle"].map(|detail| share(server, &format!("application/{detail}")));
        (share(server, "slow_start"), own[0] + own[1], describe(&connection))
    };
    for handshake in [0.025, 0.046, 0.049] {
        let (slow_start, own, told) = answer(handshake, true);
        assert!(slow_start > 0.25 && own < 0.01, "{handshake}: {slow_start} {own} {told}");
    }
    // The sender had received all ACKs long before.
    let (slow_start, own, told) = answer(0.025, false);
    assert!(slow_start < 0.2 && own > 0.2, "{slow_start} {own} {told}");
}
