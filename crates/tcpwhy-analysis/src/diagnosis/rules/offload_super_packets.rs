//! Packets above the MSS: the capture stands before segmentation (TSO, GSO) or after reassembly (GRO, LRO) by the host.
//!
//! Nearly every capture on a host shows them, and they are split virtually for the analysis. They are worth a word only where
//! their unknown inner timing leaves the verdict in doubt, or where they exceed what IP can name (BIG TCP).

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, note};
use crate::diagnosis::{Detect, Rule, advice};
use crate::outcome::Vantage;

pub(super) static RULE: Rule =
    Rule { id: "offload-super-packets", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let (count, largest) = (facts.counts.super_packets, facts.counts.largest_payload);
    let is_doubtful = facts.verdict.alternative.is_some() && facts.vantage != Vantage::Sender;
    let is_much = count * 10 >= facts.counts.segments;
    if count == 0 || !(is_much && is_doubtful || largest > 65_535) {
        return None;
    }
    let mut finding = note(&RULE, 0.95);
    finding.evidence.push(exact("largest_bytes", largest));
    finding.evidence.push(exact("super_packet_count", count));
    finding.evidence.push(exact("mss_bytes", facts.mss));
    finding.fixes = vec![advice::offload_is_normal()];
    Some(finding)
}
