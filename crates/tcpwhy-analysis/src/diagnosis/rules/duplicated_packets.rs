//! The same frames were recorded twice: a mirror port that sees them enter and leave, or a capture on the interface `any`.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, note};
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule =
    Rule { id: "duplicated-packets", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

/// Fewer copies may be the network's own.
const LEAST: u64 = 3;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let copies = facts.counts.duplicated_frames;
    if copies < LEAST || copies * 20 < facts.counts.segments {
        return None;
    }
    let mut finding = note(&RULE, 0.9);
    finding.evidence.push(exact("duplicate_count", copies));
    finding.fixes = vec![advice::capture_at_one_place()];
    Some(finding)
}
