//! The connection was reset while data was under way: what was not acknowledged may be lost (RFC 9293 §3.5.3).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::facts::{ConnectionFacts, exact, note};
use crate::diagnosis::{Detect, Rule};
use crate::outcome::{Ending, Side};

pub(super) static RULE: Rule =
    Rule { id: "reset-mid-transfer", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// The reset came before all data was acknowledged.
const CONFIDENCE: f64 = 0.9;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let Ending::Reset(side) = facts.ending else { return None };
    // Who had forgotten a connection that rested is told as that.
    if facts.unacknowledged == 0 || facts.forgotten.is_some_and(|f| f.is_reset) {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::UnacknowledgedBytes, facts.unacknowledged));
    finding.evidence.push(exact(EvidenceKey::IsResetByClient, facts.initiator.unwrap_or(Side::A) == side));
    finding.fixes = vec![tcpwhy_advice::find_reset()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    const BEGUN: &str = "
         0.00 > S 0:0(0) <mss 1460>
         0.02 < S. 0:0(0) ack 1 <mss 1460>
         0.02 > . 1:1(0) ack 1
         0.03 > P. 1:1001(1000) ack 1
         0.03 > P. 1001:2001(1000) ack 1
         0.05 < . 1:1(0) ack 1001
    ";

    #[test]
    fn with_data_under_way() {
        let finding = fires(RULE.id, &script(&format!("{BEGUN} 0.06 < R. 1:1(0) ack 1001")).segments);
        assert!((number(&finding, "unacknowledged_bytes") - 1000.0).abs() < 0.1, "{finding:?}");
    }

    #[test]
    fn after_everything_arrived() {
        let text = format!(
            "{BEGUN} 0.05 < . 1:1(0) ack 2001
             0.06 < R. 1:1(0) ack 2001"
        );
        is_silent(RULE.id, &script(&text).segments);
        is_silent(RULE.id, &Transfer::default().run());
    }
}
