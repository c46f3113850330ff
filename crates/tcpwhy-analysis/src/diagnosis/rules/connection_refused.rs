//! The SYN was answered with RST: no program accepts connections there (RFC 9293 §3.5.2).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Ending;

pub(super) static RULE: Rule =
    Rule { id: "connection-refused", limits: &[], severity: Severity::Critical, detect: Detect::Connection(detect) };

/// The RST answers the SYN.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    if facts.ending != Ending::Refused {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::SynCount, u64::from(facts.syns)));
    finding.evidence.extend(facts.syn_hop_limits());
    finding.fixes = vec![tcpwhy_advice::check_listener()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent};
    use super::*;

    #[test]
    fn a_reset_is_the_only_answer() {
        let text = "0.00 > S 0:0(0) <mss 1460>
            0.02 < R. 0:0(0) ack 1 win 0";
        assert_eq!(fires(RULE.id, &script(text).segments).fixes[0].id, "check-listener");
    }

    #[test]
    fn a_reset_in_the_end() {
        let text = "0.00 > S 0:0(0) <mss 1460>
            0.02 < S. 0:0(0) ack 1 <mss 1460>
            0.02 > . 1:1(0) ack 1
            0.03 > P. 1:101(100) ack 1
            0.05 < R. 1:1(0) ack 101";
        is_silent(RULE.id, &script(text).segments);
        is_silent(RULE.id, &Transfer::default().run());
    }
}
