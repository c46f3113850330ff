//! Severity, evidence and predictions of findings, compared with the model's settings.

mod common;

use common::{connection, describe, principal};
use tcpwhy_model::{Basis, Finding, Segment, Severity, Value};
use tcpwhy_testkit::{Capture, Reader, ReceiveBuffer, Transfer, mbit, ms, script};

#[track_caller]
fn finding(segments: &[Segment], rule: &str) -> Finding {
    let connection = connection(segments);
    let half = principal(&connection);
    let found = half.findings.iter().find(|f| f.rule == rule);
    found.unwrap_or_else(|| panic!("no {rule}\n{}", describe(&connection))).clone()
}

#[track_caller]
fn number(finding: &Finding, name: &str) -> f64 {
    match finding.evidence.iter().find(|e| e.key.id() == name).map(|e| &e.value) {
        Some(Value::Integer(i)) => *i as f64,
        Some(Value::Real(r)) => *r,
        other => panic!("{name} is {other:?} in {finding:?}"),
    }
}

fn small() -> Transfer {
    Transfer { send_buffer: Some(20_000), ..Transfer::default() }
}

/// Both have the same share of the time, but nobody waits for a transfer that ends at once.
#[test]
fn what_costs_less_is_less_grave() {
    let grave = |bytes, rtt| finding(&Transfer { bytes, rtt, ..small() }.run(), "send-buffer-plateau").severity;
    assert_eq!(grave(1_000_000, ms(20)), Severity::Critical);
    assert_eq!(grave(200_000, ms(5)), Severity::Warning);
    assert_eq!(grave(200_000, ms(2)), Severity::Info);
}

/// The verdict's limit has the largest share, but a small one, because five limits have a share each.
#[test]
fn a_verdict_on_a_small_part_is_a_warning() {
    let text = "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.020 < S. 0:0(0) ack 1 win 2000 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
     0.021 > . 1:1001(1000) ack 1
     0.021 > P. 1001:2001(1000) ack 1
     0.041 < . 1:1(0) ack 2001 win 0
     0.350 < . 1:1(0) ack 2001 win 65535
     0.350 > P. 2001:3001(1000) ack 1
     0.650 > P. 2001:3001(1000) ack 1
     0.670 < . 1:1(0) ack 3001 win 65535
     0.960 > P. 3001:3101(100) ack 1
     1.000 < . 1:1(0) ack 3101 win 65535
     1.001 < F. 1:1(0) ack 3101 win 65535
     1.001 > . 3101:3101(0) ack 2
     1.290 > F. 3101:3101(0) ack 2
     1.310 < . 2:2(0) ack 3102 win 65535
    ";
    let connection = connection(&script(text).segments);
    let half = principal(&connection);
    assert!(half.verdict.seconds / half.span.seconds() < 0.33, "{}", describe(&connection));
    let first = half.findings.iter().find(|f| f.seconds == Some(half.verdict.seconds));
    assert_eq!(first.map(|f| f.severity), Some(Severity::Warning), "{}", describe(&connection));
}

/// At the sender, packets show round trips directly; elsewhere they are inferred.
#[test]
fn a_round_trip_is_exact_at_the_sender_only() {
    for (capture, basis) in [(Capture::Sender, Basis::WireExact), (Capture::Receiver, Basis::WireInferred)] {
        let finding = finding(&small().captured_at(capture).run(), "send-buffer-plateau");
        let rtt = finding.evidence.iter().find(|e| e.key.id() == "rtt_us").map(|e| e.basis);
        assert_eq!(rtt, Some(basis), "{finding:?}");
    }
}

/// The rate is that under the limit, not that of the whole time.
#[test]
fn the_rate_of_a_limit_is_that_of_its_time() {
    let slow = Transfer {
        bytes: 3_000_000,
        syn_repeats: 1,
        receive_buffer: ReceiveBuffer::Fixed(256_000),
        window_scale: Some(3),
        reader: Reader::Rate(1_000_000),
        ..Transfer::default()
    };
    let rate = number(&finding(&slow.run(), "slow-reader"), "reader_rate_bits_per_s");
    assert!((7.6e6..8.8e6).contains(&rate), "{rate}");
    let narrow = Transfer { bytes: 8_000_000, rate: Some(mbit(20)), syn_repeats: 3, ..Transfer::default() };
    let rate = number(&finding(&narrow.run(), "path-busy"), "rate_bits_per_s");
    assert!((18.5e6..20.2e6).contains(&rate), "{rate}");
}

/// The percentage of retransmitted bytes refers to all bytes on the wire.
#[test]
fn what_was_sent_again_is_a_share_of_what_was_sent() {
    let lossy = Transfer { bytes: 1_448_000, lost_every: Some(50), ..Transfer::default() };
    let all = lossy.run();
    let payload: f64 = all.iter().map(|s| f64::from(s.payload_len)).sum();
    let percent = number(&finding(&all, "loss-recovery"), "retransmitted_percent");
    assert!((percent - (payload - 1_448_000.0) / payload * 100.0).abs() < 0.01, "{percent}");
}

/// A short queue that slow start fills drops packets without any faulty device. Random losses come at any
/// flight.
#[test]
fn a_queue_that_overflows_is_lengthened() {
    let first = |transfer: &Transfer| finding(&transfer.run(), "congestion-window-post-loss").fixes[0].id;
    let path = || Transfer { bytes: 30_000_000, rtt: ms(10), rate: Some(mbit(500)), ..Transfer::default() };
    assert_eq!(first(&Transfer { queue: 400_000, ..path() }), "lengthen-queue");
    assert_eq!(first(&Transfer { lost_every: Some(400), ..path() }), "fix-loss");
}
