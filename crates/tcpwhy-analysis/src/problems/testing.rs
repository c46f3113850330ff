//! Directions and findings for tests, of this crate and of those that present them.

use tcpwhy_model::{
    Basis, Cause, Estimate, Finding, Fix, FixPlace, Limit, Prediction, Severity, TimelineBuilder, Timestamp,
    WindowScale,
};

use crate::outcome::{HalfConnection, Meanwhile, Role, Side, Vantage, Verdict};

/// A direction of 1 MB with these seconds under these causes; its verdict is on the first of them.
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
        limits,
        verdict: Verdict {
            cause: parts.first().map(|part| part.1),
            confidence: 0.9,
            seconds: 1.0,
            severity,
            alternative: None,
            reason: None,
            meanwhile: Meanwhile::default(),
        },
        findings,
    }
}

/// A finding of this rule with so many fixes, after which the transfer takes so many seconds.
pub fn finding(rule: &'static str, severity: Severity, fixes: usize, seconds: Option<f64>) -> Finding {
    let fix = Fix::new("remove-so-sndbuf", FixPlace::SendingApplication, Vec::new());
    let prediction = seconds.map(|value| Prediction {
        claim: tcpwhy_model::Claim::Range,
        seconds: Estimate { value, low: value, high: value, basis: Basis::WireInferred },
        next_limit: Limit::Path,
        ceiling: "path-rate-seen",
    });
    let (confidence, evidence) = (0.9, Vec::new());
    Finding { rule, severity, confidence, seconds: Some(1.0), evidence, fixes: vec![fix; fixes], prediction }
}
