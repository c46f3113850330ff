//! The bundled captures: transfers over a real kernel with a configured limit (`samples/README.md`).

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::path::Path;

use tcpwhy_analysis::{Analyzer, Connection, HalfConnection};
use tcpwhy_capture::CaptureReader;
use tcpwhy_model::{Cause, Detail, Limit};

/// The connections of a bundled capture.
fn connections(name: &str) -> Vec<Connection> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(format!("{name}.pcap.gz"));
    let mut analyzer = Analyzer::new();
    for segment in CaptureReader::open(&path).expect("a bundled capture opens") {
        analyzer.observe(&segment);
    }
    analyzer.finish()
}

/// The directions of a bundled capture, the one with the most bytes last.
fn directions(name: &str) -> Vec<HalfConnection> {
    let mut halves: Vec<_> = connections(name).into_iter().flat_map(|c| c.halves).collect();
    halves.sort_by_key(|h| h.bytes);
    halves
}

/// The direction that carried the transfer.
fn explain(name: &str) -> HalfConnection {
    directions(name).pop().expect("it carried data")
}

/// Asserts the verdict and that its limit has at least `share` of the time.
#[track_caller]
fn check(name: &str, expected: impl Into<Cause>, share: f64) {
    check_half(name, &explain(name), expected.into(), share);
}

#[track_caller]
fn check_half(name: &str, half: &HalfConnection, expected: Cause, share: f64) {
    let cause = half.verdict.cause.unwrap_or_else(|| panic!("{name}: no verdict"));
    assert_eq!(cause.limit, expected.limit, "{name}: {:?}", half.verdict);
    if expected.detail.is_some() {
        assert_eq!(cause, expected, "{name}: {:?}", half.verdict);
    }
    check_share(name, half, expected.limit, share);
    let finding = half.findings.first().unwrap_or_else(|| panic!("{name}: no finding"));
    assert!(!finding.evidence.is_empty() && !finding.fixes.is_empty(), "{name}: {finding:?}");
}

/// Asserts that `limit` has at least `share` of the time.
#[track_caller]
fn check_share(name: &str, half: &HalfConnection, limit: Limit, share: f64) {
    let spent = half.limits.nanos_of(limit) as f64 / half.span.nanos() as f64;
    assert!(spent >= share, "{name}: {spent:.2} of the time");
}

#[test]
fn send_buffer_from_both_ends() {
    check("send-buffer", Cause::plain(Limit::SendBuffer), 0.9);
    check("send-buffer-receiver-side", Cause::plain(Limit::SendBuffer), 0.85);
}

#[test]
fn receive_window_from_both_ends() {
    check("receive-window", Detail::SmallBuffer, 0.9);
    check("receive-window-4k", Detail::SmallBuffer, 0.95);
    check("receive-window-receiver-side", Detail::SmallBuffer, 0.9);
}

#[test]
fn readers_that_do_not_keep_up() {
    check("slow-reader", Detail::SlowReader, 0.9);
    check("zero-window", Detail::ZeroWindow, 0.9);
}

#[test]
fn a_full_path_from_both_ends() {
    check("path-queue", Detail::Queue, 0.7);
    check("path-queue-receiver-side", Detail::Queue, 0.7);
}

#[test]
fn losses() {
    check("loss", Detail::PostLoss, 0.6);
    check("syn-retry", Detail::SynRto, 0.8);
}

#[test]
fn applications() {
    check("application-paced", Cause::plain(Limit::Application), 0.9);
    // The findings about its requests belong to the connection.
    let connection = &connections("request-response")[0];
    assert_eq!(connection.exchanges.as_ref().map(|exchanges| exchanges.count), Some(40));
    let think = connection.findings.iter().find(|finding| finding.rule == "application-think");
    assert!(think.is_some_and(|finding| !finding.fixes.is_empty()), "{:?}", connection.findings);
    let answers = explain("request-response");
    assert_eq!(answers.verdict.cause.map(|cause| cause.limit), Some(Limit::Application));
    check_share("request-response", &answers, Limit::Application, 0.9);
    // The client's writes wait for ACKs; the answers are larger.
    check_half("nagle-delayed-ack", &directions("nagle-delayed-ack")[0], Cause::plain(Limit::AckDelay), 0.7);
}

#[test]
fn an_opening_window() {
    check("slow-start", Cause::plain(Limit::SlowStart), 0.5);
}

#[test]
fn a_pacing_sender_and_a_policer() {
    for (name, cause) in [("bbr", Detail::Paced), ("policer", Detail::Policer)] {
        assert_eq!(explain(name).verdict.cause, Some(cause.into()), "{name}");
    }
}

/// The prediction for the send-buffer sample includes the measurement: without the option, the same transfer
/// took 0.6 s.
#[test]
fn the_prediction_holds_what_was_measured() {
    let half = explain("send-buffer");
    let prediction = half.findings[0].prediction.as_ref().expect("a prediction").seconds;
    assert!(prediction.low <= 0.62 && 0.58 <= prediction.high, "{prediction:?}");
}
