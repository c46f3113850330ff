//! The SYN was not answered at all, neither accepted nor refused.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Ending;

pub(super) static RULE: Rule =
    Rule { id: "syn-unanswered", limits: &[], severity: Severity::Critical, detect: Detect::Connection(detect) };

/// The SYN was retransmitted.
const CONFIDENCE: f64 = 0.95;
/// The capture may have ended before the answer.
const CONFIDENCE_ONCE: f64 = 0.6;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    // A wrong checksum has its own rule.
    if facts.ending != Ending::Unanswered || facts.checksums.is_some() {
        return None;
    }
    let mut finding = note(&RULE, if facts.syns > 1 { CONFIDENCE } else { CONFIDENCE_ONCE });
    // A single SYN at the end of a capture may still be answered.
    finding.severity = if facts.syns > 1 { Severity::Critical } else { Severity::Warning };
    finding.seconds = Some(facts.syn_seconds);
    finding.evidence.push(exact(EvidenceKey::SynCount, u64::from(facts.syns)));
    finding.evidence.extend(facts.syn_hop_limits());
    if facts.unreachable > 0 {
        finding.evidence.push(exact(EvidenceKey::UnreachableCount, facts.unreachable));
    }
    finding.fixes = vec![tcpwhy_advice::check_firewall()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Segment, Undelivered};
    use tcpwhy_testkit::{CLIENT, SERVER, Transfer, alter, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn four_in_vain() {
        let text = "0 > S 0:0(0) <mss 1460>
            1 > S 0:0(0) <mss 1460>
            3 > S 0:0(0) <mss 1460>
            7 > S 0:0(0) <mss 1460>";
        let finding = fires(RULE.id, &script(text).segments);
        assert!((number(&finding, "syn_count") - 4.0).abs() < 0.1);
        assert_eq!((finding.severity, finding.seconds), (Severity::Critical, Some(7.0)));
    }

    #[test]
    fn a_router_says_why() {
        let mut all = script("0 > S 0:0(0) <mss 1460>\n1 > S 0:0(0) <mss 1460>").segments;
        let (seq, time) = (all[0].seq, all[0].timestamp);
        all.insert(1, Segment::quoted([CLIENT, SERVER], seq, Undelivered::Unreachable, 0, time));
        let finding = fires(RULE.id, &all);
        assert!((number(&finding, "unreachable_count") - 1.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "syn_count") - 2.0).abs() < 0.1, "{finding:?}");
    }

    #[test]
    fn answered_where_the_capture_does_not_see_it() {
        is_silent(RULE.id, &alter::one_sided(&Transfer::default().run(), CLIENT));
        is_silent(RULE.id, &Transfer::default().run());
    }
}
