//! Without window scaling no window exceeds 65,535 bytes (RFC 7323 §2), and that window was full.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "receive-window-no-scaling",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.1;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::NoWindowScale))?;
    finding.evidence.push(exact(EvidenceKey::WindowBytes, facts.half.window_max()));
    finding.evidence.extend(facts.half_window_evidence());
    finding.evidence.extend(facts.rtt_evidence_with_base(Limit::ReceiveWindow));
    let offers = |syn: Option<crate::seen::SynFacts>| syn.map(|s| s.window_scale.is_some());
    if let Some(offered) = offers(facts.sender_syn) {
        finding.evidence.push(exact(EvidenceKey::SenderOfferedScaling, offered));
    }
    if let Some(offered) = offers(facts.receiver_syn) {
        finding.evidence.push(exact(EvidenceKey::ReceiverOfferedScaling, offered));
    }
    if let Some(rtt) = facts.rtt_seconds() {
        finding.evidence.push(inferred(EvidenceKey::WindowRateBitsPerS, facts.half.window_max() as f64 * 8.0 / rtt));
    }
    finding.fixes = vec![tcpwhy_advice::enable_window_scaling()];
    finding.prediction = if_removed(facts, Detail::NoWindowScale.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{ReceiveBuffer, Transfer};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn unscaled(rtt: i64) -> Transfer {
        Transfer { rtt, receive_buffer: ReceiveBuffer::Fixed(6_000_000), window_scale: None, ..Transfer::default() }
    }

    #[test]
    fn sixty_four_kibibytes_a_round_trip() {
        let finding = fires(RULE.id, &unscaled(50_000_000).run());
        assert!((number(&finding, "window_bytes") - 65_535.0).abs() < 1.0);
        assert!(finding.prediction.is_some());
    }

    /// The snap length cut both SYNs before their options, so it is unknown whether they offered scaling.
    #[test]
    fn syns_whose_options_were_not_captured() {
        let mut all = unscaled(50_000_000).run();
        for segment in all.iter_mut().filter(|segment| segment.flags.contains(tcpwhy_model::TcpFlags::SYN)) {
            segment.ip = segment.ip.with_cut_options(true);
        }
        is_silent(RULE.id, &all);
    }

    #[test]
    fn a_transfer_that_never_fills_them() {
        is_silent(RULE.id, &Transfer { bytes: 40_000, ..unscaled(50_000_000) }.run());
        is_silent(RULE.id, &Transfer { send_buffer: Some(20_000), ..unscaled(50_000_000) }.run());
    }
}
