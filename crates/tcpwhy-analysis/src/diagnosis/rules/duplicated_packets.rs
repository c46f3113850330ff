//! The capture contains each frame twice. A mirror port sees them enter and leave, or the capture is on the
//! interface `any`.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "duplicated-packets", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

/// A router that duplicates packets looks the same.
const CONFIDENCE: f64 = 0.9;

/// Minimum number of copies. The network itself may create fewer.
const LEAST: u64 = 3;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let copies = facts.half.counts.duplicated_frames;
    if copies < LEAST || copies * 20 < facts.half.counts.segments {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::DuplicateCount, copies));
    finding.fixes = vec![tcpwhy_advice::capture_at_one_place()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, alter};

    use super::super::testing::{connections, fires, is_silent, number};
    use super::*;

    #[test]
    fn every_packet_twice() {
        let all = Transfer { bytes: 200_000, ..Transfer::default() }.run();
        let segments = all.iter().filter(|s| s.payload_len > 0).count();
        assert!((number(&fires(RULE.id, &alter::doubled(&all)), "duplicate_count") - segments as f64).abs() < 0.1);
    }

    /// A router on the captured wire forwards each packet 6 ms later, after other packets. Nothing was
    /// retransmitted.
    #[test]
    fn every_packet_again_behind_a_router() {
        let all = Transfer { bytes: 200_000, ..Transfer::default() }.run();
        let data = all.iter().find(|s| s.payload_len > 0).unwrap();
        let twice = alter::repeated_by_router(&all, data.source, 6_000_000);
        let segments = all.iter().filter(|s| s.payload_len > 0).count();
        let copies = number(&fires(RULE.id, &twice), "duplicate_count");
        // Copies of the first burst may come after more packets than are kept before the first copy.
        assert!(copies >= 0.9 * segments as f64, "{copies} of {segments}");
        let half = &connections(&twice)[0].halves[0];
        assert!(half.retransmitted_segments <= segments as u64 / 10, "{}", half.retransmitted_segments);
    }

    #[test]
    fn every_packet_once() {
        is_silent(RULE.id, &Transfer { lost_every: Some(50), ..Transfer::default() }.run());
    }
}
