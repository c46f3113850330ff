//! The connection was reset while data was in flight, so unacknowledged data may be lost (RFC 9293 §3.5.3).

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use super::closed_during_request;
use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::{Ending, Side};

pub(super) static RULE: Rule =
    Rule { id: "reset-mid-transfer", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// The RST came before all data was acknowledged.
const CONFIDENCE: f64 = 0.9;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let Ending::Reset(side) = facts.ending else { return None };
    let reset = facts.reset?;
    // A connection that was forgotten while idle has its own rule, and so has one that was closed.
    let is_of_rest = reset.met_close.is_some() || facts.forgotten.is_some_and(|f| f.is_reset);
    if reset.unacknowledged == 0 || reset.is_goodbye || is_of_rest || closed_during_request::found(facts).is_some() {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::ResetBy, Value::Word(facts.party(side).to_owned())));
    finding.evidence.push(exact(EvidenceKey::ResetAfterUs, reset.after / 1000));
    finding.evidence.push(exact(EvidenceKey::DeliveredBytes, reset.delivered));
    finding.evidence.push(exact(EvidenceKey::UnacknowledgedBytes, reset.unacknowledged));
    finding.evidence.push(exact(EvidenceKey::IsResetByClient, facts.initiator.unwrap_or(Side::A) == side));
    if reset.had_closed {
        // A program that closes its connection has received enough or wants no more.
        finding.severity = Severity::Info;
        finding.evidence.push(exact(EvidenceKey::HadClosedBefore, true));
    }
    finding.fixes = vec![tcpwhy_advice::find_reset()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    const BEGUN: &str = "
         0.00 > S 0:0(0) <mss 1460>
         0.02 < S. 0:0(0) ack 1 <mss 1460>
         0.02 > . 1:1(0) ack 1
         0.03 > P. 1:1001(1000) ack 1
         0.03 > P. 1001:2001(1000) ack 1
         0.05 < . 1:1(0) ack 1001
    ";

    #[test]
    fn with_data_under_way() {
        let finding = fires(RULE.id, &script(&format!("{BEGUN} 0.06 < R. 1:1(0) ack 1001")).segments);
        assert!((number(&finding, "unacknowledged_bytes") - 1000.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "delivered_bytes") - 1000.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "reset_after_us") - 60e3).abs() < 0.1, "{finding:?}");
        let by = finding.evidence.iter().find(|e| e.key == EvidenceKey::ResetBy).map(|e| e.value.clone());
        assert_eq!(by, Some(Value::Word("server".to_owned())));
    }

    /// The last message of an end that sends RST right after it.
    #[test]
    fn a_goodbye_before_the_reset() {
        let end = |bytes: u32| {
            let at = 1 + bytes;
            let text = format!(
                "{BEGUN} 0.05 < . 1:1(0) ack 2001\n 0.06 < P. 1:{at}({bytes}) ack 2001\n 0.06 < R {at}:{at}(0)"
            );
            script(&text).segments
        };
        is_silent(RULE.id, &end(31));
        fires(RULE.id, &end(1000));
    }

    /// An end that has closed answers the other's closing message with RST. If more was pending, data was
    /// lost.
    #[test]
    fn a_goodbye_that_met_a_closed_socket() {
        let end = |bytes: u32| {
            let text = format!(
                "{BEGUN} 0.05 < . 1:1(0) ack 2001
                 0.06 < F. 1:1(0) ack 2001
                 0.06 > . 2001:2001(0) ack 2
                 0.07 > P. 2001:{}({bytes}) ack 2
                 0.09 < R 2:2(0)",
                2001 + bytes
            );
            script(&text).segments
        };
        is_silent(RULE.id, &end(31));
        assert_eq!(fires(RULE.id, &end(1000)).severity, Severity::Info);
    }

    /// An unbind or a logoff: the last message of an end, answered with RST in place of an ACK. A request
    /// does not count as one, and the first message of a connection is a request at any size.
    #[test]
    fn a_reset_in_place_of_the_last_ack() {
        let answered = format!("{BEGUN} 0.05 < . 1:1(0) ack 2001\n 0.06 < P. 1:401(400) ack 2001");
        let last = |bytes: u32| {
            let at = 2001 + bytes;
            script(&format!("{answered}\n 0.07 > P. 2001:{at}({bytes}) ack 401\n 0.09 < R 401:401(0)")).segments
        };
        is_silent(RULE.id, &last(7));
        fires(RULE.id, &last(400));
        let first = BEGUN.lines().take(4).collect::<Vec<_>>().join("\n") + "\n 0.03 > P. 1:52(51) ack 1";
        let reset = "\n 0.05 < R. 1:1(0) ack 52";
        fires(RULE.id, &script(&format!("{first}{reset}")).segments);
        // Without the handshake, it is unknown whether this is the first message, and there is no round trip.
        // A retransmission would come within a second.
        let alone = "0.03 > P. 1:52(51) ack 1\n";
        is_silent(RULE.id, &script(&format!("{alone}1.03 < R. 1:1(0) ack 52")).segments);
        fires(RULE.id, &script(&format!("{alone}1.04 < R. 1:1(0) ack 52")).segments);
    }

    #[test]
    fn after_everything_arrived() {
        let text = format!(
            "{BEGUN} 0.05 < . 1:1(0) ack 2001
             0.06 < R. 1:1(0) ack 2001"
        );
        is_silent(RULE.id, &script(&text).segments);
        is_silent(RULE.id, &Transfer::default().run());
    }
}
