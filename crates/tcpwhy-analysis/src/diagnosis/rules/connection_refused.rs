//! The SYN was answered with a reset: nothing accepts connections there (RFC 9293 §3.5.2).

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{ConnectionFacts, exact, note};
use crate::diagnosis::{Detect, Rule, advice};
use crate::outcome::Ending;

pub(super) static RULE: Rule =
    Rule { id: "connection-refused", limits: &[], severity: Severity::Critical, detect: Detect::Connection(detect) };

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    if facts.ending != Ending::Refused {
        return None;
    }
    let mut finding = note(&RULE, 0.95);
    finding.evidence.push(exact("syn_count", u64::from(facts.syns)));
    finding.fixes = vec![advice::check_listener()];
    Some(finding)
}
