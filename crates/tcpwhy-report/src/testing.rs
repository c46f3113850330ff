//! What tests of several modules share.

use tcpwhy_analysis::{HalfConnection, Meanwhile, Role, Side, Vantage, Verdict};
use tcpwhy_model::{Cause, Finding, Severity, TimelineBuilder, Timestamp, WindowScale};

/// A direction of 1 MB with these seconds under these causes; its verdict is on the first of them.
pub(crate) fn half(
    role: Role,
    severity: Option<Severity>,
    parts: &[(i64, Cause)],
    findings: Vec<Finding>,
) -> HalfConnection {
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
