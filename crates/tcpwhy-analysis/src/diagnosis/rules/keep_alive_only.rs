//! The connection carried nothing but keep-alives (RFC 9293 §3.8.4): probes one byte before the next sequence number.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{ConnectionFacts, exact, note};
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "keep-alive-only", limits: &[], severity: Severity::Info, detect: Detect::Connection(detect) };

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let probes: u64 = facts.probes.iter().sum();
    if probes == 0 || facts.bytes != [0, 0] {
        return None;
    }
    let mut finding = note(&RULE, 0.95);
    finding.evidence.push(exact("probe_count", probes));
    Some(finding)
}
