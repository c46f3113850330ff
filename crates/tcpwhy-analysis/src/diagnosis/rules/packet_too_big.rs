//! A router reported that the sender's packets were too large for the next link. The capture has its ICMP
//! "fragmentation needed" (RFC 1191 §4) or, for IPv6, "packet too big" (RFC 4443 §3.2).
//!
//! Path MTU discovery works that way, at the cost of a round trip and a retransmission. If the sender keeps
//! retransmitting full-size segments, the message does not reach it, or it ignores the message
//! (`pmtu-black-hole`).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "packet-too-big", limits: &[], severity: Severity::Warning, detect: Detect::Half(detect) };

/// A router reported it.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let undelivered = facts.undelivered;
    if undelivered.too_big == 0 {
        return None;
    }
    let is_in_vain = facts.half.vanished.is_some();
    let mut finding = note(&RULE, CONFIDENCE);
    finding.severity = if is_in_vain { Severity::Warning } else { Severity::Info };
    finding.evidence.push(exact(EvidenceKey::TooBigCount, undelivered.too_big));
    if undelivered.mtu > 0 {
        finding.evidence.push(exact(EvidenceKey::MtuBytes, u64::from(undelivered.mtu)));
    }
    finding.evidence.push(exact(EvidenceKey::MssBytes, facts.half.mss));
    finding.evidence.push(exact(EvidenceKey::RetransmittedCount, facts.half.counts.retransmitted_segments));
    finding.fixes = if is_in_vain {
        vec![tcpwhy_advice::fix_mtu(), tcpwhy_advice::mss_clamp()]
    } else {
        vec![tcpwhy_advice::mss_clamp()]
    };
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Segment, SeqNum, Undelivered};
    use tcpwhy_testkit::{CLIENT, SERVER, Transfer, at, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    /// A transfer with an ICMP error about a packet of one end during the transfer.
    fn with_error(transfer: &Transfer, ends: [tcpwhy_model::Endpoint; 2], error: Undelivered) -> Vec<Segment> {
        let mut all = transfer.run();
        let time = at(ms(50));
        let place = all.partition_point(|s| s.timestamp < time);
        all.insert(place, Segment::quoted(ends, SeqNum(1), error, 0, time));
        all
    }

    #[test]
    fn a_router_names_its_mtu() {
        let error = Undelivered::TooBig { mtu: 1400 };
        let finding = fires(RULE.id, &with_error(&Transfer::default(), [CLIENT, SERVER], error));
        assert!((number(&finding, "mtu_bytes") - 1400.0).abs() < 0.1, "{finding:?}");
        assert_eq!(finding.severity, Severity::Info);
        let hole = Transfer { bytes: 100_000, largest_passing: Some(1300), ..Transfer::default() };
        assert_eq!(fires(RULE.id, &with_error(&hole, [CLIENT, SERVER], error)).severity, Severity::Warning);
    }

    /// Errors about the other end's packets, about another connection, or for another reason.
    #[test]
    fn what_says_nothing_of_this_data() {
        let error = Undelivered::TooBig { mtu: 1400 };
        is_silent(RULE.id, &with_error(&Transfer::default(), [SERVER, CLIENT], error));
        let other = tcpwhy_model::Endpoint { port: 1, ..CLIENT };
        is_silent(RULE.id, &with_error(&Transfer::default(), [other, SERVER], error));
        is_silent(RULE.id, &with_error(&Transfer::default(), [CLIENT, SERVER], Undelivered::Unreachable));
        is_silent(RULE.id, &Transfer::default().run());
    }

    /// An error is not a packet of the connection, so nothing else changes.
    #[test]
    fn errors_are_no_packets() {
        let told = |segments: &[Segment]| {
            let mut analyzer = crate::Analyzer::new();
            for segment in segments {
                analyzer.observe(segment);
            }
            let mut all = analyzer.finish();
            assert_eq!(all.len(), 1);
            all[0].halves[0].findings.retain(|f| f.rule != RULE.id);
            format!("{all:?}")
        };
        let transfer = Transfer::default();
        let error = Undelivered::TooBig { mtu: 1400 };
        assert_eq!(told(&transfer.run()), told(&with_error(&transfer, [CLIENT, SERVER], error)));
    }
}
