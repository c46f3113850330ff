//! The capture has the packets of one end only: it shows sizes and rates, but no causes.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Ending;

pub(super) static RULE: Rule =
    Rule { id: "one-sided-capture", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// The capture has one direction only.
const CONFIDENCE: f64 = 0.95;

/// Minimum number of packets. Fewer may belong to a connection at the edge of the capture.
const LEAST_PACKETS: u64 = 4;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let (most, least) = (facts.packets[0].max(facts.packets[1]), facts.packets[0].min(facts.packets[1]));
    let is_refusal = matches!(facts.ending, Ending::Unanswered | Ending::Refused);
    if least > 0 || most < LEAST_PACKETS || is_refusal || facts.probes.iter().sum::<u64>() >= most {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::PacketCount, most));
    finding.fixes = vec![tcpwhy_advice::capture_both_directions()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{CLIENT, SERVER, Transfer, alter};

    use super::super::testing::{findings, fires, is_silent};
    use super::*;

    #[test]
    fn either_direction() {
        let all = Transfer::default().run();
        for source in [CLIENT, SERVER] {
            fires(RULE.id, &alter::one_sided(&all, source));
        }
    }

    #[test]
    fn both_directions() {
        is_silent(RULE.id, &Transfer::default().run());
        assert_eq!(findings("mid-stream-join", &alter::one_sided(&Transfer::default().run(), SERVER)).len(), 0);
    }
}
