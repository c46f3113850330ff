//! The SYN got no answer at all, neither acceptance nor refusal.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{ConnectionFacts, exact, note};
use crate::diagnosis::{Detect, Rule, advice};
use crate::outcome::Ending;

pub(super) static RULE: Rule =
    Rule { id: "syn-unanswered", limits: &[], severity: Severity::Critical, detect: Detect::Connection(detect) };

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    if facts.ending != Ending::Unanswered {
        return None;
    }
    let mut finding = note(&RULE, if facts.syns > 1 { 0.95 } else { 0.6 });
    // A single SYN at the end of a capture may still be answered.
    finding.severity = if facts.syns > 1 { Severity::Critical } else { Severity::Warning };
    finding.seconds = Some(facts.syn_seconds);
    finding.evidence.push(exact("syn_count", u64::from(facts.syns)));
    finding.fixes = vec![advice::check_firewall()];
    Some(finding)
}
