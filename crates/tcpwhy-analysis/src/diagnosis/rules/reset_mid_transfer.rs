//! The connection was reset while data was under way: what was not acknowledged may be lost (RFC 9293 §3.5.3).

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{ConnectionFacts, exact, note};
use crate::diagnosis::{Detect, Rule, advice};
use crate::outcome::{Ending, Side};

pub(super) static RULE: Rule =
    Rule { id: "reset-mid-transfer", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let Ending::Reset(side) = facts.ending else { return None };
    if facts.unacknowledged == 0 {
        return None;
    }
    let mut finding = note(&RULE, 0.9);
    finding.evidence.push(exact("unacknowledged_bytes", facts.unacknowledged));
    finding.evidence.push(exact("is_reset_by_client", facts.initiator.unwrap_or(Side::A) == side));
    finding.fixes = vec![advice::find_reset()];
    Some(finding)
}
