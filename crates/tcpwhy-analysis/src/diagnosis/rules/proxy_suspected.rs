//! A device on the path seems to answer handshakes itself: the SYN was answered much sooner than data ever
//! is, or from elsewhere.
//!
//! Both delays are measured from the capture point to the receiver and back. Delayed ACKs cannot explain the
//! difference after a hundred segments or more, because every second one is acknowledged at once. A SYN whose
//! hop limit differs from all later packets shows two hosts or two routes (RFC 791 §3.2: every router
//! decrements it).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "proxy-suspected", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

/// A path whose delay rose after the handshake looks the same.
const CONFIDENCE: f64 = 0.6;
/// By its hop limits, the end that answers is nearer than the one in whose place it answers.
const CONFIDENCE_ELSEWHERE: f64 = 0.75;

const LEAST_SEGMENTS: u64 = 100;
/// Time by which data must exceed three times the handshake, nanoseconds.
const MARGIN: i64 = 5_000_000;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    if facts.half.counts.bytes < LEAST_SEGMENTS * facts.half.mss {
        return None;
    }
    // On a slow link a full segment takes much longer than a SYN.
    let serialisation = (facts.half.mss as f64 * 4e9 / facts.goodput().max(1.0)) as i64;
    let is_sooner = |&(handshake, data): &(i64, i64)| data >= handshake * 3 + MARGIN + serialisation;
    let sooner = facts.half.to_receiver.filter(|_| facts.syn_repeats == 0).filter(is_sooner);
    // Hop limits of the receiver, and those of the sender if the peer sends no data. Otherwise the peer's own
    // direction covers the sender.
    let [sender, receiver] = facts.hop_limits;
    let sender = sender.answered_for().filter(|_| facts.peer_bytes == 0);
    let elsewhere = receiver.answered_for().or(sender);
    if sooner.is_none() && elsewhere.is_none() {
        return None;
    }
    let mut finding = note(&RULE, if elsewhere.is_some() { CONFIDENCE_ELSEWHERE } else { CONFIDENCE });
    if let Some((handshake, data)) = sooner {
        finding.evidence.push(exact(EvidenceKey::HandshakeRttUs, handshake / 1000));
        finding.evidence.push(exact(EvidenceKey::DataRttUs, data / 1000));
    }
    if let Some((syn, usual)) = elsewhere {
        finding.evidence.push(exact(EvidenceKey::SynHopLimit, u64::from(syn)));
        finding.evidence.push(exact(EvidenceKey::HopLimit, u64::from(usual)));
    }
    finding.fixes = vec![tcpwhy_advice::capture_at_sender()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, at, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn a_handshake_that_is_answered_too_soon() {
        let mut all = Transfer { rtt: ms(60), ..Transfer::default() }.run();
        all[1].timestamp = at(ms(1));
        all[2].timestamp = at(ms(1) + 10_000);
        let finding = fires(RULE.id, &all);
        assert!((number(&finding, "handshake_rtt_us") - 1000.0).abs() < 1.0, "{finding:?}");
        assert!(number(&finding, "data_rtt_us") > 55_000.0, "{finding:?}");
    }

    /// Packets of the server with the hop limit `syn` in its SYN-ACK and `others` in later packets.
    fn with_hop_limits(syn: u8, others: [u8; 2]) -> Vec<tcpwhy_model::Segment> {
        let mut all = Transfer { rtt: ms(60), ..Transfer::default() }.run();
        let server = all[1].source;
        for (i, segment) in all.iter_mut().enumerate() {
            let from_server = if i == 1 { syn } else { others[i % 2] };
            segment.ip.hop_limit = if segment.source == server { from_server } else { 64 };
        }
        all
    }

    #[test]
    fn a_handshake_that_is_answered_from_elsewhere() {
        let finding = fires(RULE.id, &with_hop_limits(61, [52, 52]));
        assert!((number(&finding, "syn_hop_limit") - 61.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "hop_limit") - 52.0).abs() < 0.1, "{finding:?}");
    }

    /// Packets over several routes do not show which device answers, and neither do packets with an unknown
    /// hop limit.
    #[test]
    fn hop_limits_that_vary() {
        is_silent(RULE.id, &with_hop_limits(61, [52, 53]));
        is_silent(RULE.id, &with_hop_limits(52, [52, 52]));
        is_silent(RULE.id, &with_hop_limits(0, [52, 52]));
    }

    #[test]
    fn one_path_one_round_trip() {
        is_silent(RULE.id, &Transfer { rtt: ms(60), ..Transfer::default() }.run());
        is_silent(RULE.id, &Transfer { rtt: ms(60), rate: Some(20_000), bytes: 300_000, ..Transfer::default() }.run());
    }
}
