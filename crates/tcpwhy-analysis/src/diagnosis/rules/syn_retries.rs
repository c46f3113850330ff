//! The SYN or its answer was lost or ignored. The client retransmits after 1 s, 2 s, 4 s … (RFC 6298 §2.1,
//! `TCP_TIMEOUT_INIT`). Since Linux 6.5 the first four retransmissions come at intervals of a second
//! (`tcp_syn_linear_timeouts`).

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(in crate::diagnosis) static RULE: Rule =
    Rule { id: "syn-retries", limits: &[Limit::Handshake], severity: Severity::Critical, detect: Detect::Half(detect) };

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.02;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::SynRto))?;
    let setup = facts.seconds_of(Limit::Handshake);
    finding.evidence.push(exact(EvidenceKey::SetupUs, (setup * 1e6) as u64));
    finding.evidence.push(exact(EvidenceKey::RetryCount, u64::from(facts.syn_repeats.max(1))));
    finding.fixes = if facts.has_wrong_checksums {
        // No packet was lost on the path.
        vec![tcpwhy_advice::fix_checksums()]
    } else if facts.ignored_syns > 0 {
        // The SYNs arrived, so a queue of the server was full, or its firewall dropped them.
        vec![tcpwhy_advice::raise_backlog(), tcpwhy_advice::check_firewall()]
    } else {
        vec![tcpwhy_advice::fix_loss(), tcpwhy_advice::raise_backlog(), tcpwhy_advice::check_firewall()]
    };
    finding.prediction = if_removed(facts, Detail::SynRto.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn two_repeats() {
        let finding = fires(RULE.id, &Transfer { bytes: 100_000, syn_repeats: 2, ..Transfer::default() }.run());
        assert!((number(&finding, "retry_count") - 2.0).abs() < 0.1, "{finding:?}");
        assert!((2.0e6..2.1e6).contains(&number(&finding, "setup_us")), "{finding:?}");
        assert_eq!(finding.severity, Severity::Critical);
    }

    /// At the server, SYNs that arrived without an answer were not lost on the path.
    #[test]
    fn a_server_that_ignores_syns_has_a_full_queue() {
        for (capture, first) in [(Capture::Receiver, "raise-backlog"), (Capture::Sender, "fix-loss")] {
            let t = Transfer { bytes: 100_000, syn_repeats: 2, capture, ..Transfer::default() };
            assert_eq!(fires(RULE.id, &t.run()).fixes[0].id, first, "{capture:?}");
        }
    }

    #[test]
    fn none() {
        is_silent(RULE.id, &Transfer::default().run());
    }
}
