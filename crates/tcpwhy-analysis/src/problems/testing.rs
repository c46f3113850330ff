//! Directions and findings for tests, of this crate and of those that present them.

use tcpwhy_model::{
    Basis, Cause, Endpoint, Estimate, Finding, Fix, FixPlace, Limit, Prediction, Severity, Span, TimelineBuilder,
    Timestamp, WindowScale,
};

use super::weight::Weight;
use super::wrong::Wrong;
use super::{Failure, One, Problem, ProblemKey};
use crate::exchanges::{Exchanges, Known, Opening, Parts, Pattern};
use crate::outcome::{
    Close, Connection, Ending, HalfConnection, Meanwhile, Role, Side, Vantage, VantageEstimate, Verdict,
};
use crate::sketch::Sketch;

/// A direction of 1 MB with these seconds under these causes. Its verdict is about the first of them.
pub fn half(role: Role, severity: Option<Severity>, parts: &[(i64, Cause)], findings: Vec<Finding>) -> HalfConnection {
    let mut timeline = TimelineBuilder::new(Timestamp::ZERO);
    for &(seconds, cause) in parts {
        let end = timeline.end().plus(seconds * 1_000_000_000);
        timeline.push(end, cause, 0.9, None);
    }
    let limits = timeline.finish();
    HalfConnection {
        sender: Side::A,
        role,
        exchange_role: role,
        bytes: 1_000_000,
        retransmitted_bytes: 0,
        segments: 700,
        retransmitted_segments: 0,
        span: limits.span(),
        goodput: None,
        mss: Some(1448),
        window_scale: WindowScale::Shift(7),
        vantage: Vantage::Sender,
        rtt: None,
        flight: None,
        receive_window: None,
        path_rate: None,
        loss_line: None,
        progress: None,
        transfer: None,
        together: None,
        limits,
        verdict: Verdict {
            cause: parts.first().map(|part| part.1),
            confidence: 0.9,
            seconds: 1.0,
            severity,
            alternative: None,
            reason: None,
            meanwhile: Meanwhile::default(),
            flips: None,
        },
        findings,
    }
}

/// A finding of this rule with this many fixes. After a fix the transfer takes `seconds`.
pub fn finding(rule: &'static str, severity: Severity, fixes: usize, seconds: Option<f64>) -> Finding {
    let fix = Fix::new("remove-so-sndbuf", FixPlace::SendingApplication, Vec::new());
    let prediction = seconds.map(|value| {
        Prediction::by_formula(
            Estimate { value, low: value, high: value, basis: Basis::WireInferred },
            tcpwhy_model::Claim::Range,
            Limit::Path,
            "path-rate-seen",
        )
    });
    let (confidence, evidence) = (0.9, Vec::new());
    Finding { rule, severity, confidence, seconds: Some(1.0), evidence, fixes: vec![fix; fixes], prediction }
}

/// A connection from port 40000 of 10.0.0.1 to port 80 of 10.0.0.2, which closed after ten seconds.
pub fn connection(halves: Vec<HalfConnection>) -> Connection {
    let end = |host, port| Endpoint { address: [10, 0, 0, host].into(), port };
    Connection {
        id: 1,
        endpoints: [end(1, 40_000), end(2, 80)],
        initiator: Some(Side::A),
        span: Span::new(Timestamp::ZERO, Timestamp::from_nanos(10_000_000_000)),
        first_packet: 1,
        packets: [10, 10],
        vantage: VantageEstimate { near: None, is_middle: false, basis: Basis::Assumed },
        ending: Ending::Closed,
        close: Close::default(),
        halves,
        exchanges: None,
        findings: Vec::new(),
        rtt_min: None,
        kernel: None,
        server_name: None,
        served_by: None,
        has_wrong_clock: false,
        awaited: None,
    }
}

/// Ten requests of the first end with their answers, which took these parts of the time.
pub fn exchanges(parts: Parts) -> Box<Exchanges> {
    Box::new(Exchanges {
        client: Side::A,
        known: Known::Port,
        pattern: Pattern::RequestResponse,
        count: 10,
        request_bytes: 1_000,
        answer_bytes: 100_000,
        opening: Opening::default(),
        parts,
        times: Sketch::default(),
        responses: Sketch::default(),
        limits: Vec::new(),
        slowest: Vec::new(),
    })
}

/// A problem of `count` connections like `example`, which lost a second by it. `cause`: what limited the data
/// of all of them.
pub fn problem(key: ProblemKey, cause: Option<Cause>, count: u64, example: &Connection) -> Problem {
    let (lost, severity) = (1_000_000_000, Severity::Warning);
    let weight = Weight::failed(lost, Failure::TimedOut);
    let client = example.endpoints[example.server().peer().index()].address;
    let wrong = Wrong { kind: key.kind, finding: None, lost, longest: lost, cause, severity, weight };
    let one = One { connection: example, client, bytes: 1_000_000, wrong, attempt: None };
    Problem { connections: count, ..Problem::new(key, &one) }
}
