//! A protocol above TCP let the sender have no more on the way: HTTP/2, gRPC, SSH, SFTP, any that counts
//! what it allows.
//!
//! At most what it allows can be under way in a round trip, so the rate is that / RTT, as for a window of
//! TCP. The sender's buffer is not full and nobody set it: the sender has written all that it may.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "application-peer-window",
    limits: &[Limit::Application],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// Less of the time is no finding, unless the verdict names it.
const LEAST_SHARE: f64 = 0.1;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::PeerWindow))?;
    let plateau = facts.flight(Limit::Application).unwrap_or(0);
    finding.evidence.push(inferred(EvidenceKey::PlateauBytes, plateau));
    if let Some(window) = facts.window(Limit::Application) {
        finding.evidence.push(exact(EvidenceKey::WindowBytes, window));
    }
    finding.evidence.extend(facts.rtt_evidence_with_base(Limit::Application));
    if let Some(rtt) = facts.rtt_seconds() {
        finding.evidence.push(inferred(EvidenceKey::PlateauRateBitsPerS, plateau as f64 * 8.0 / rtt));
    }
    finding.fixes = vec![tcpwhy_advice::raise_peer_window(facts.wanted_window(plateau))];
    finding.prediction = if_removed(facts, Detail::PeerWindow.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer, Writer, mbit, ms};

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    fn granted() -> Transfer {
        let writer = Writer::Granted { window: 65_535, step: 32_768 };
        Transfer { writer, bytes: 4_000_000, rtt: ms(40), rate: Some(mbit(100)), ..Transfer::default() }
    }

    /// Twice the path holds 250 kB, four times the window 262 kB.
    #[test]
    fn a_window_above_tcp() {
        for capture in [Capture::Sender, Capture::Receiver, Capture::Middle] {
            let finding = fires(RULE.id, &granted().captured_at(capture).run());
            assert_eq!(
                (finding.severity, fixes(&finding)),
                (Severity::Critical, vec!["raise-peer-window"]),
                "{capture:?} {finding:?}"
            );
            assert!((45_000.0..66_000.0).contains(&number(&finding, "plateau_bytes")), "{capture:?} {finding:?}");
            assert!(finding.prediction.is_some_and(|p| p.seconds.value < 1.0), "{capture:?}");
        }
    }

    #[test]
    fn a_send_buffer_is_none() {
        is_silent(RULE.id, &Transfer { send_buffer: Some(64_000), ..Transfer::default() }.run());
        is_silent(RULE.id, &Transfer::default().run());
    }
}
