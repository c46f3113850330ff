//! One of the SYNs had no window scale, so no window of the connection exceeds 65,535 bytes (RFC 7323 §2).
//!
//! Reported only if more than a window was sent over a path with a noticeable round trip.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use super::syn_cookies_without_scaling::mss_of_cookie;
use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "missing-window-scale", limits: &[], severity: Severity::Info, detect: Detect::Connection(detect) };

/// The SYNs show it.
const CONFIDENCE: f64 = 0.95;

const LEAST_BYTES: u64 = 4 * 65_535;
/// Minimum round trip, nanoseconds. Over 5 ms, 64 KiB per round trip are about 100 Mbit/s.
const LEAST_RTT: u64 = 5_000_000;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let client = facts.initiator?;
    let syn = facts.syn_facts[client.index()]?;
    let answer = facts.syn_facts[client.peer().index()]?;
    let is_agreed = syn.window_scale.is_some() && answer.window_scale.is_some();
    let matters =
        |h: &crate::outcome::HalfConnection| h.bytes >= LEAST_BYTES && h.rtt.is_some_and(|r| r.0.median >= LEAST_RTT);
    if is_agreed || mss_of_cookie(facts).is_some() || !facts.halves.iter().any(matters) {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::ClientOfferedScaling, syn.window_scale.is_some()));
    finding.evidence.push(exact(EvidenceKey::ServerOfferedScaling, answer.window_scale.is_some()));
    finding.fixes = vec![tcpwhy_advice::enable_window_scaling()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{fires, is_silent};
    use super::*;

    #[test]
    fn neither_side_offers_it() {
        let finding = fires(RULE.id, &Transfer { window_scale: None, ..Transfer::default() }.run());
        assert_eq!(finding.fixes[0].id, "enable-window-scaling");
    }

    #[test]
    fn where_it_does_not_matter() {
        is_silent(RULE.id, &Transfer::default().run());
        is_silent(RULE.id, &Transfer { window_scale: None, bytes: 50_000, ..Transfer::default() }.run());
        is_silent(RULE.id, &Transfer { window_scale: None, rtt: 1_000_000, ..Transfer::default() }.run());
    }
}
