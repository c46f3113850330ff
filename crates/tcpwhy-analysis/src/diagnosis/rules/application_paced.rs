//! Data left as the application wrote it: no acknowledgment released the sends, and neither window nor buffer was full.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "application-paced",
    limits: &[Limit::Application],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.1, |c| {
        c.limit == Limit::Application && matches!(c.detail, Some(Detail::PacedWrites) | None)
    })?;
    let seconds = facts.seconds_of_detail(Detail::PacedWrites);
    let bytes = facts.moved.bytes_under(Limit::Application);
    let rate = if seconds > 0.0 && bytes > 0.0 { bytes / seconds } else { facts.goodput() };
    finding.evidence.push(inferred("rate_bits_per_s", rate * 8.0));
    if let Some(flight) = facts.flight {
        finding.evidence.push(inferred("flight_bytes", flight.median));
    }
    if let Some(window) = facts.window {
        finding.evidence.push(inferred("window_bytes", window.median));
    }
    finding.evidence.extend(facts.rtt_evidence());
    finding.fixes = vec![advice::write_more_ahead(), advice::profile_application()];
    finding.prediction = if_removed(facts, Detail::PacedWrites.into());
    Some(finding)
}
