//! SYNs had a wrong TCP checksum, or came in a tunnel whose UDP checksum was wrong, and were not answered.
//! The receiving host drops such segments silently, counted as `TcpInCsumErrors` (`tcp_v4_rcv`), and a
//! firewall may as well.
//!
//! A host with checksum offload writes only a part of them, so its own packets look wrong in its own
//! captures. The decoder knows the usual forms (`tcpwhy-capture/src/checksum.rs`), and an answered SYN
//! reveals the others.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "wrong-checksum", limits: &[], severity: Severity::Critical, detect: Detect::Connection(detect) };

/// A SYN of the same host with a correct checksum was answered.
const CONFIDENCE: f64 = 0.95;
/// No SYN was answered, but routers had forwarded them, so no interface would complete their checksums any
/// more.
const CONFIDENCE_ROUTED: f64 = 0.9;
/// They may have been captured at their sender, on a host whose interface completes checksums in an unknown
/// form.
const CONFIDENCE_UNROUTED: f64 = 0.5;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let checksums = facts.checksums?;
    let (confidence, severity) = match checksums {
        _ if checksums.is_right_answered => (CONFIDENCE, Severity::Critical),
        _ if checksums.is_routed => (CONFIDENCE_ROUTED, Severity::Critical),
        _ => (CONFIDENCE_UNROUTED, Severity::Warning),
    };
    let mut finding = note(&RULE, confidence);
    finding.severity = severity;
    finding.seconds = Some(facts.syn_seconds);
    finding.evidence.push(exact(EvidenceKey::WrongChecksumCount, u64::from(checksums.wrong)));
    finding.evidence.push(exact(EvidenceKey::SynCount, u64::from(facts.syns)));
    finding.fixes = vec![tcpwhy_advice::fix_checksums()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Segment;
    use tcpwhy_testkit::script;

    use super::super::testing::{findings, fires, fixes, is_silent, number};
    use super::*;

    const OPENED: &str = "
         0.000 > S 0:0(0) win 64240 <mss 1460>
         1.000 > S 0:0(0) win 64240 <mss 1460>
         3.000 > S 0:0(0) win 64240 <mss 1460>
         3.001 < S. 0:0(0) ack 1 win 65160 <mss 1460>
         3.001 > . 1:1(0) ack 1
         3.002 > P. 1:101(100) ack 1
         3.003 < P. 1:2001(2000) ack 101
         3.003 > . 101:101(0) ack 2001
    ";

    /// These packets, with wrong checksums in those at the indices `wrong`, after `routers` routers.
    fn packets(text: &str, wrong: &[usize], routers: u8) -> Vec<Segment> {
        let mut all = script(text).segments;
        let client = all[0].source;
        for (place, segment) in all.iter_mut().enumerate() {
            segment.ip.hop_limit = if segment.source == client { 64 - routers } else { 64 };
            segment.ip = segment.ip.with_wrong_checksum(wrong.contains(&place));
        }
        all
    }

    #[test]
    fn two_syns_in_vain_and_a_right_one() {
        let all = packets(OPENED, &[0, 1], 1);
        let finding = fires(RULE.id, &all);
        assert!((number(&finding, "wrong_checksum_count") - 2.0).abs() < 0.1, "{finding:?}");
        assert_eq!((finding.severity, finding.seconds), (Severity::Critical, Some(3.0)));
        assert!((finding.confidence - CONFIDENCE).abs() < 1e-9, "{finding:?}");
        // No packet was lost.
        let retries = findings("syn-retries", &all);
        assert!(!retries.is_empty() && retries.iter().all(|f| fixes(f) == ["fix-checksums"]), "{retries:?}");
        assert!(fixes(&fires("syn-retries", &packets(OPENED, &[], 1))).contains(&"fix-loss"));
    }

    #[test]
    fn none_was_answered() {
        let text = OPENED.lines().take(4).collect::<Vec<_>>().join("\n");
        let confidence = |routers| fires(RULE.id, &packets(&text, &[0, 1, 2], routers)).confidence;
        assert!((confidence(1) - CONFIDENCE_ROUTED).abs() < 1e-9 && (confidence(0) - CONFIDENCE_UNROUTED).abs() < 1e-9);
        is_silent("syn-unanswered", &packets(&text, &[0, 1, 2], 1));
        fires("syn-unanswered", &packets(&text, &[], 1));
    }

    /// The capturing host left the checksum to its interface: its packets were answered.
    #[test]
    fn a_wrong_one_was_answered() {
        is_silent(RULE.id, &packets(OPENED, &[0, 1, 2], 0));
        is_silent(RULE.id, &packets(OPENED, &[2], 0));
        is_silent(RULE.id, &packets(OPENED, &[3], 0));
        is_silent(RULE.id, &packets(OPENED, &[], 0));
    }
}
