//! Packets above the MSS: the capture point is before segmentation (TSO, GSO) or after reassembly (GRO, LRO)
//! by the host.
//!
//! Nearly every capture on a host has them, and the analysis splits them virtually. They are reported only if
//! their unknown inner timing makes the verdict uncertain, or if they exceed the maximum of IP (BIG TCP).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Vantage;

pub(super) static RULE: Rule =
    Rule { id: "offload-super-packets", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

/// No link carries packets of that size.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let (count, largest) = (facts.half.counts.super_packets, facts.half.counts.largest_payload);
    let is_doubtful = facts.verdict.alternative.is_some() && facts.half.vantage != Vantage::Sender;
    let is_much = count * 10 >= facts.half.counts.segments;
    if count == 0 || !(is_much && is_doubtful || largest > 65_535) {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::LargestBytes, largest));
    finding.evidence.push(exact(EvidenceKey::SuperPacketCount, count));
    finding.evidence.push(exact(EvidenceKey::MssBytes, facts.half.mss));
    finding.fixes = vec![tcpwhy_advice::offload_is_normal()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, alter};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn larger_than_ip_can_name() {
        let all = Transfer { send_buffer: Some(400_000), ..Transfer::default() }.run();
        let finding = fires(RULE.id, &alter::merged(&all, 180_000, 0));
        assert!(number(&finding, "largest_bytes") > 65_535.0, "{finding:?}");
    }

    #[test]
    fn usual_sizes_are_not_worth_a_word() {
        is_silent(
            RULE.id,
            &Transfer { send_buffer: Some(400_000), offload: Some(65_160), ..Transfer::default() }.run(),
        );
    }
}
