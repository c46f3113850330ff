//! Packets were reordered: holes that the receiver reported by SACK were filled without a retransmission (RFC
//! 4737).
//!
//! Most stacks tolerate that: RACK (RFC 8985 §6.2) and Linux's `tp->reordering` learn to wait. It costs time
//! if the sender regards it as loss; the rule `spurious-retransmissions` reports this.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "reordering-without-loss", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

/// A capture that reorders packets looks the same.
const CONFIDENCE: f64 = 0.85;

/// Minimum number of holes. Fewer may come from one queue. Chosen.
const LEAST_HOLES: u32 = 5;
/// Minimum frequency: one hole per this number of segments. Chosen.
const RARE: u64 = 1000;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let reordering = facts.signs?.reordering;
    let counts = &facts.half.counts;
    let is_rare = u64::from(reordering.holes) * RARE < counts.segments;
    // A capture that lacks data may lack retransmissions as well.
    if reordering.holes < LEAST_HOLES || is_rare || counts.unseen_bytes > 0 {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(inferred(EvidenceKey::FilledHoleCount, reordering.holes));
    finding.evidence.push(inferred(EvidenceKey::LateUs, reordering.longest / 1000));
    if counts.reordered_segments > 0 {
        finding.evidence.push(exact(EvidenceKey::ReorderedCount, counts.reordered_segments));
    }
    finding.evidence.push(exact(EvidenceKey::RetransmittedCount, counts.retransmitted_segments));
    if counts.dsacks > 0 {
        finding.evidence.push(exact(EvidenceKey::SpuriousCount, counts.dsacks));
    }
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.fixes = vec![tcpwhy_advice::stop_reordering()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use tcpwhy_testkit::{Capture, Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    /// The second of three segments is overtaken, `times` times. `repair`: whether the sender retransmits it
    /// before the hole is filled.
    fn overtaken(times: u32, repair: bool) -> String {
        let mut text = "0.000 > S 0:0(0) <mss 1000,sackOK>
            0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
            0.020 > . 1:1(0) ack 1\n"
            .to_owned();
        for i in 0..times {
            let at = |n: u32| 1 + i * 3000 + n * 1000;
            for n in 0..3 {
                let _ = writeln!(text, "+0.001 > P. {}:{}(1000) ack 1 win 512", at(n), at(n + 1));
            }
            let _ = writeln!(text, "+0.018 < . 1:1(0) ack {} win 65535", at(1));
            let _ = writeln!(text, "+0.001 < . 1:1(0) ack {} win 65535 <sack {}:{}>", at(1), at(2), at(3));
            if repair {
                let _ = writeln!(text, "+0.001 > P. {}:{}(1000) ack 1 win 512", at(1), at(2));
            }
            let _ = writeln!(text, "+0.002 < . 1:1(0) ack {} win 65535", at(3));
        }
        text
    }

    #[test]
    fn holes_that_fill_by_themselves() {
        let finding = fires(RULE.id, &script(&overtaken(8, false)).segments);
        assert!((number(&finding, "filled_hole_count") - 8.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "late_us") - 2000.0).abs() < 1.0, "{finding:?}");
    }

    #[test]
    fn holes_that_are_repaired_or_few() {
        is_silent(RULE.id, &script(&overtaken(8, true)).segments);
        is_silent(RULE.id, &script(&overtaken(4, false)).segments);
        for capture in [Capture::Sender, Capture::Middle, Capture::Receiver] {
            let lossy = Transfer { lost_every: Some(60), ..Transfer::default() };
            is_silent(RULE.id, &lossy.captured_at(capture).run());
        }
    }

    /// A retransmission of one recovery may fill a hole that is reported only afterwards.
    #[test]
    fn holes_that_were_repaired_before_they_came_to_light() {
        let mut text = "0.000 > S 0:0(0) <mss 1000,sackOK>
            0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
            0.020 > . 1:1(0) ack 1\n"
            .to_owned();
        for i in 0..8 {
            let at = |n: u32| 1 + i * 6000 + n * 1000;
            for n in 0..6 {
                let _ = writeln!(text, "+0.001 > P. {}:{}(1000) ack 1 win 512", at(n), at(n + 1));
            }
            let _ = writeln!(text, "+0.015 < . 1:1(0) ack {} win 65535 <sack {}:{}>", at(0), at(1), at(3));
            let _ = writeln!(text, "+0.001 > P. {}:{}(1000) ack 1 win 512", at(0), at(1));
            let _ = writeln!(text, "+0.001 > P. {}:{}(1000) ack 1 win 512", at(3), at(4));
            let _ = writeln!(text, "+0.001 < . 1:1(0) ack {} win 65535", at(3));
            let _ = writeln!(text, "+0.001 < . 1:1(0) ack {} win 65535 <sack {}:{}>", at(3), at(4), at(6));
            let _ = writeln!(text, "+0.018 < . 1:1(0) ack {} win 65535", at(6));
        }
        is_silent(RULE.id, &script(&text).segments);
    }

    #[test]
    fn segments_that_are_late() {
        for capture in [Capture::Sender, Capture::Receiver] {
            let late = Transfer { late_every: Some((50, 60_000)), ..Transfer::default() };
            let finding = fires(RULE.id, &late.captured_at(capture).run());
            assert!(number(&finding, "filled_hole_count") > 10.0, "{finding:?}");
        }
    }

    /// The receiver got the packets in order; only the capture reordered them.
    #[test]
    fn a_capture_out_of_order() {
        let mut all = Transfer::default().run();
        let data: Vec<usize> =
            (1..all.len()).filter(|&i| all[i].payload_len > 0 && all[i - 1].payload_len > 0).collect();
        data.iter().step_by(20).for_each(|&i| all.swap(i - 1, i));
        is_silent(RULE.id, &all);
    }
}
