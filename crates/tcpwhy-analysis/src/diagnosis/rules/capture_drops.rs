//! Data was acknowledged that the capture never showed: the capture lost packets, the network did not.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, note};
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule =
    Rule { id: "capture-drops", limits: &[], severity: Severity::Warning, detect: Detect::Half(detect) };

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let missing = facts.counts.unseen_bytes;
    if missing == 0 || facts.counts.segments == 0 {
        return None;
    }
    let mut finding = note(&RULE, 0.95);
    finding.severity = Severity::Info;
    let seconds = facts.seconds_of(tcpwhy_model::Limit::Unobserved);
    finding.seconds = (seconds > 0.0).then_some(seconds);
    if facts.share(seconds) >= 0.1 || missing * 20 >= facts.counts.bytes {
        finding.severity = Severity::Warning;
    }
    finding.evidence.push(exact("missing_bytes", missing));
    finding.fixes = vec![advice::capture_without_drops()];
    Some(finding)
}
