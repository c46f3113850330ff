//! Tests of the numbers that each problem shows, and that they are few.

use tcpwhy_model::{Basis, Distribution, Endpoint, Evidence, Severity, Value};

use super::super::testing::{connection, exchanges, finding, half, problem};
use super::super::{ProblemKey, Target};
use super::*;
use crate::exchanges::Parts;
use crate::outcome::{Ending, Meanwhile, Role};

const SECOND: i64 = 1_000_000_000;

fn key(kind: Kind) -> ProblemKey {
    let server = Endpoint { address: [10, 0, 0, 2].into(), port: 80 };
    ProblemKey { target: Target::Service(server), kind }
}

fn found(rule: &'static str, evidence: &[(EvidenceKey, u64)]) -> Finding {
    let evidence =
        evidence.iter().map(|&(key, value)| Evidence { key, value: Value::from(value), basis: Basis::WireExact });
    Finding { evidence: evidence.collect(), ..finding(rule, Severity::Critical, 1, None) }
}

/// The numbers of a direction under `cause` for ten seconds, with this evidence of its finding.
fn limited(cause: Cause, evidence: &[(EvidenceKey, u64)]) -> Vec<Proof> {
    let mut half = half(Role::Server, Some(Severity::Critical), &[(10, cause)], vec![found("a-rule", evidence)]);
    half.verdict.meanwhile = Meanwhile { flight: Some(16_000), window: Some(64_000), rtt: None };
    half.rtt = Some((Distribution { min: 1, median: 20, p95: 30, max: 40 }, Basis::WireExact));
    (half.retransmitted_segments, half.segments) = (41, 980);
    half.goodput = Some(Rate::from_bytes_per_sec(1_000.0));
    let family = cause.family().unwrap();
    problem(key(Kind::Slow(Slow::Answers(family))), Some(cause), 1, &connection(vec![half])).proof()
}

#[test]
fn each_limit_has_its_numbers() {
    use EvidenceKey::{DelayUs, RetryCount, SetupUs, StallCount, TimeoutCount, TurnCount, ZeroWindowCount};
    let rtt = Proof::RoundTrip(20);
    let (flight, window) = (Proof::Flight(16_000), Proof::Window(64_000));
    let lost = Proof::Retransmitted(41, 980);
    let plain = Cause::plain;
    let carried = [Proof::Carried(1_000_000, 10 * SECOND), Proof::Rate(Rate::from_bytes_per_sec(1_000.0)), rtt];
    for (what, cause, evidence, expected) in [
        ("timeouts", Detail::Rto.into(), vec![(TimeoutCount, 14)], vec![Proof::Timeouts(14), lost, rtt]),
        ("a policer", Detail::Policer.into(), vec![], vec![lost, rtt]),
        ("after a loss", Detail::PostLoss.into(), vec![], vec![lost, rtt]),
        ("a window", plain(Limit::ReceiveWindow), vec![], vec![flight, window, rtt]),
        ("stalls", Detail::SlowReader.into(), vec![(StallCount, 3)], vec![Proof::ZeroWindows(3), window, rtt]),
        ("closed", Detail::ZeroWindow.into(), vec![(ZeroWindowCount, 2)], vec![Proof::ZeroWindows(2), window, rtt]),
        (
            "late ACKs",
            Detail::Nagle.into(),
            vec![(TurnCount, 9), (DelayUs, 40)],
            vec![Proof::Turns(9), Proof::AckDelay(40_000), rtt],
        ),
        (
            "lost SYNs",
            Detail::SynRto.into(),
            vec![(RetryCount, 2), (SetupUs, 5)],
            vec![Proof::Syns(3), Proof::Tried(5_000), rtt],
        ),
        ("the path", plain(Limit::Path), vec![], carried.to_vec()),
        ("its own pace", Detail::PacedWrites.into(), vec![], carried.to_vec()),
        ("a send buffer", plain(Limit::SendBuffer), vec![], vec![flight, window, rtt]),
        ("a congestion window", plain(Limit::CongestionWindow), vec![], vec![flight, window, rtt]),
    ] {
        assert_eq!(limited(cause, &evidence), expected, "{what}");
    }
}

#[test]
fn requests_have_their_count_and_the_slowest() {
    let asked = Connection { exchanges: Some(exchanges(Parts::default())), rtt_min: Some(7), ..connection(Vec::new()) };
    let of = |slow| problem(key(Kind::Slow(slow)), None, 1, &asked).proof();
    assert_eq!(of(Slow::Server), [Proof::Requests(10), Proof::RoundTrip(7)], "none was kept");
    assert_eq!(of(Slow::RoundTrips), [Proof::Requests(10), Proof::RoundTrip(7)]);
}

#[test]
fn each_failure_has_its_numbers() {
    use EvidenceKey::{
        AnswerWaitUs, DeliveredBytes, ProbeCount, RepeatCount, RequestBytes, RestUs, SilenceUs, SynAckCount, SynCount,
        UnacknowledgedBytes,
    };
    let failed = |failure, rule, ending, evidence: &[(EvidenceKey, u64)]| {
        let half = half(Role::Client, None, &[], vec![found(rule, evidence)]);
        let told = Connection { ending, packets: [4, 0], ..connection(vec![half]) };
        problem(key(Kind::Failed(failure)), None, 1, &told).proof()
    };
    let lasted = Proof::Tried(10 * SECOND);
    assert_eq!(failed(Failure::Unanswered, "syn-unanswered", Ending::Unanswered, &[]), [Proof::Syns(4), lasted]);
    let once = Connection { ending: Ending::Refused, packets: [1, 1], ..connection(Vec::new()) };
    assert_eq!(problem(key(Kind::Failed(Failure::Refused)), None, 1, &once).proof(), [Proof::Syns(1)]);
    assert_eq!(failed(Failure::Refused, "connection-refused", Ending::Refused, &[]), [Proof::Syns(4), lasted]);
    let reset = [(DeliveredBytes, 5), (UnacknowledgedBytes, 6)];
    assert_eq!(
        failed(Failure::ResetByServer, "reset-mid-transfer", Ending::Reset(Side::B), &reset),
        [Proof::Delivered(5), Proof::Unacknowledged(6)]
    );
    assert_eq!(
        failed(Failure::RequestUnanswered, "request-unanswered", Ending::Open, &[(RequestBytes, 5), (AnswerWaitUs, 6)]),
        [Proof::Request(5), Proof::Awaited(6_000)]
    );
    assert_eq!(
        failed(Failure::IdleClose, "idle-close-race", Ending::Reset(Side::B), &[(RequestBytes, 5), (RestUs, 6)]),
        [Proof::Request(5), Proof::Idle(6_000)]
    );
    let incomplete = [found("handshake-incomplete", &[(SynAckCount, 5), (SynCount, 2)])].to_vec();
    let incomplete = Connection { ending: Ending::Incomplete, findings: incomplete, ..connection(Vec::new()) };
    assert_eq!(
        problem(key(Kind::Failed(Failure::Incomplete)), None, 1, &incomplete).proof(),
        [Proof::SynAcks(5), Proof::Syns(2), lasted]
    );
    assert_eq!(
        failed(Failure::TimedOut, "peer-silent", Ending::Open, &[(RepeatCount, 7), (SilenceUs, 8)]),
        [Proof::Repeats(7), Proof::Silence(8_000), Proof::LastFrom(Side::A)]
    );
    assert_eq!(
        failed(Failure::TimedOut, "transfer-stopped", Ending::Open, &[(DeliveredBytes, 5), (SilenceUs, 8)]),
        [Proof::Delivered(5), Proof::Silence(8_000), Proof::LastFrom(Side::A)]
    );
    assert_eq!(
        failed(Failure::Unfinished, "zero-window-death", Ending::Open, &[(ProbeCount, 7), (SilenceUs, 8)]),
        [Proof::Delivered(1_000_000), Proof::Repeats(7), Proof::Silence(8_000)]
    );
}
