//! The MSS agreed in the SYNs is far below that of any usual link. Every packet costs the same work, and
//! windows counted in segments are small.
//!
//! IPv6 guarantees 1,280 bytes per packet (RFC 8200 §5), so tunnels over it leave about 1,200. 536 is the
//! fallback of IPv4 (RFC 9293 §3.7.1).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "tiny-mss", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// The SYNs show it.
const CONFIDENCE: f64 = 0.95;

pub(super) const LEAST_USUAL: u16 = 1000;
/// Minimum number of segments for which the MSS matters.
pub(super) const LEAST_SEGMENTS: u64 = 50;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let mss = facts.syn_facts.iter().flatten().filter_map(|s| s.mss).filter(|&m| m > 0).min()?;
    let bytes = facts.bytes.iter().copied().max()?;
    if mss >= LEAST_USUAL || bytes < u64::from(mss) * LEAST_SEGMENTS {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::MssBytes, u64::from(mss)));
    finding.fixes = vec![tcpwhy_advice::raise_mss()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn five_hundred_bytes() {
        let finding = fires(RULE.id, &Transfer { mss: 500, ..Transfer::default() }.run());
        assert!((number(&finding, "mss_bytes") - 512.0).abs() < 0.1, "{finding:?}");
    }

    #[test]
    fn the_least_of_ipv6() {
        is_silent(RULE.id, &Transfer { mss: 1220, ..Transfer::default() }.run());
        is_silent(RULE.id, &Transfer { mss: 500, bytes: 5000, ..Transfer::default() }.run());
    }
}
