//! The server retransmitted its SYN-ACK, and the client's ACK never came.
//!
//! If the client retransmits its SYN as well, it did not receive the SYN-ACK. The cause is an asymmetric
//! route, or a filter that drops packets of connections whose start it did not see. If the client does not,
//! no program is known to wait: one that waits retransmits its SYN, or acknowledges and sends data. A scan, a
//! ping by SYN or a flood with spoofed addresses does neither. That is a note and not a failure. A SYN-ACK
//! that is retransmitted although its ACK came is [`super::accept_queue_overflow`].

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Ending;

pub(super) static RULE: Rule =
    Rule { id: "handshake-incomplete", limits: &[], severity: Severity::Critical, detect: Detect::Connection(detect) };

/// Both ends retransmit, so the SYN-ACK does not arrive.
const CONFIDENCE: f64 = 0.9;
/// All packets of the client after its SYN may be lost.
const CONFIDENCE_ONCE: f64 = 0.6;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    if facts.ending != Ending::Incomplete {
        return None;
    }
    let is_client_waiting = facts.syns > 1;
    let mut finding = note(&RULE, if is_client_waiting { CONFIDENCE } else { CONFIDENCE_ONCE });
    finding.severity = if is_client_waiting { Severity::Critical } else { Severity::Info };
    finding.seconds = Some(facts.syn_ack_seconds);
    finding.evidence.push(exact(EvidenceKey::SynAckCount, u64::from(facts.syn_acks)));
    finding.evidence.push(exact(EvidenceKey::SynCount, u64::from(facts.syns)));
    finding.evidence.extend(facts.syn_hop_limits());
    finding.fixes = vec![tcpwhy_advice::find_syn_ack()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{connections, fires, is_silent, number};
    use super::*;
    use crate::problems::Failure;

    const SYN: &str = "0.000 > S 0:0(0) <mss 1460>\n";
    const SYN_ACKS: &str = "
         0.001 < S. 0:0(0) ack 1 <mss 1460>
         1.001 < S. 0:0(0) ack 1 <mss 1460>
         3.001 < S. 0:0(0) ack 1 <mss 1460>\n";

    #[test]
    fn the_way_back_is_cut() {
        let text = format!("{SYN}{SYN_ACKS}4.000 > S 0:0(0) <mss 1460>\n4.001 < S. 0:0(0) ack 1 <mss 1460>");
        let finding = fires(RULE.id, &script(&text).segments);
        assert_eq!((finding.severity, finding.seconds), (Severity::Critical, Some(4.001)));
        assert!((number(&finding, "syn_ack_count") - 4.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "syn_count") - 2.0).abs() < 0.1, "{finding:?}");
    }

    /// The client sends one SYN and stays silent.
    #[test]
    fn nobody_completes_it() {
        let finding = fires(RULE.id, &script(&format!("{SYN}{SYN_ACKS}")).segments);
        assert_eq!((finding.severity, finding.seconds), (Severity::Info, Some(3.001)));
        assert!((finding.confidence - CONFIDENCE_ONCE).abs() < 1e-9);
        let failed = |text: &str| Failure::of_connection(&connections(&script(text).segments)[0]);
        assert_eq!(failed(&format!("{SYN}{SYN_ACKS}")), None);
        assert_eq!(failed(&format!("{SYN}{SYN_ACKS}4.0 > S 0:0(0)")), Some(Failure::Incomplete));
    }

    #[test]
    fn the_ack_came_or_the_client_wants_none() {
        is_silent(RULE.id, &script(&format!("{SYN}{SYN_ACKS}3.100 > . 1:1(0) ack 1")).segments);
        is_silent(RULE.id, &script(&format!("{SYN}0.001 < S. 0:0(0) ack 1\n0.002 > R 1:1(0)")).segments);
        is_silent(RULE.id, &Transfer::default().run());
    }
}
