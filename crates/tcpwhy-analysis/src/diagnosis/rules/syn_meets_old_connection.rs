//! The SYN reached an end that still knew a connection of the same addresses and ports, in TIME-WAIT or half
//! open. That end acknowledged the old connection (a challenge ACK, RFC 5961 §4.2), and the client's RST
//! ended it. The SYN had to be retransmitted: a second later (RFC 6298 §2.1), on Linux at once
//! (`tcp_rcv_synsent_state_process`). In TIME-WAIT, Linux accepts a SYN at once only if its sequence number
//! or its timestamp is newer (`tcp_timewait_state_process`).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(in crate::diagnosis) static RULE: Rule = Rule {
    id: "syn-meets-old-connection",
    limits: &[],
    severity: Severity::Warning,
    detect: Detect::Connection(detect),
};

/// The answer acknowledges an older connection.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    if !facts.has_met_old_connection {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(facts.syn_seconds);
    finding.evidence.push(exact(EvidenceKey::RetryUs, (facts.syn_seconds * 1e6).round() as u64));
    finding.evidence.push(exact(EvidenceKey::RetryCount, u64::from(facts.syns.saturating_sub(1))));
    finding.fixes = vec![tcpwhy_advice::let_kernel_choose_port()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn a_challenge_and_a_second_syn() {
        let text = "0.000 > S 0:0(0) <mss 1460>
            0.001 < . 900:900(0) ack 500
            0.001 > R 500:500(0)
            1.001 > S 0:0(0) <mss 1460>
            1.002 < S. 0:0(0) ack 1 <mss 1460>
            1.002 > . 1:1(0) ack 1
            1.003 > P. 1:101(100) ack 1
            1.004 < . 1:1(0) ack 101";
        let finding = fires(RULE.id, &script(text).segments);
        assert!((number(&finding, "retry_us") - 1_001_000.0).abs() < 1.0, "{finding:?}");
        assert!((number(&finding, "retry_count") - 1.0).abs() < 0.1, "{finding:?}");
        // The old connection was the reason for the retransmitted SYN and for the RST.
        let retries = fires("syn-retries", &script(text).segments);
        assert_eq!(retries.fixes[0].id, "let-kernel-choose-port");
        is_silent("connection-refused", &script(text).segments);
    }

    #[test]
    fn a_syn_that_is_repeated_refused_or_answered_at_once() {
        is_silent(RULE.id, &Transfer { syn_repeats: 1, ..Transfer::default() }.run());
        is_silent(RULE.id, &Transfer::default().run());
        let refused = "0.000 > S 0:0(0) <mss 1460>
            0.001 < R. 0:0(0) ack 1";
        is_silent(RULE.id, &script(refused).segments);
        fires("connection-refused", &script(refused).segments);
        let without_syn_ack: Vec<_> = Transfer::default().run().into_iter().filter(|s| s.number != 2).collect();
        is_silent(RULE.id, &without_syn_ack);
    }
}
