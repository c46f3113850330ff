//! A part of a transfer arrived, then nothing more from its sender for seconds, until the end: neither data
//! nor a FIN.
//!
//! The sender's host may be down, its program may hang, or the path may drop its packets, for example large
//! ones. The receiver's capture does not show which, but it shows that the transfer is incomplete. A sender
//! marks the last segment of its data (PSH, RFC 9293 §3.9.1.2), so a full segment without the mark has a
//! successor. An unanswered message that may be a part of a request may have one, too.

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::seen::Stopped;

pub(super) static RULE: Rule =
    Rule { id: "transfer-stopped", limits: &[], severity: Severity::Critical, detect: Detect::Connection(detect) };

/// The last segment has a successor.
const CONFIDENCE: f64 = 0.85;
/// The receiver's program may have left a complete request unanswered.
const CONFIDENCE_UNANSWERED: f64 = 0.6;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let transfer = facts.stopped?;
    // A long silence, or a full accept queue, has its own rule.
    let is_explained = facts.forgotten.is_some() || facts.unaccepted.is_some() || facts.unanswered.is_some();
    (!is_explained).then(|| stopped(&transfer, facts.party(transfer.sender)))
}

/// The finding about `transfer`, whose sender is `party`.
pub(crate) fn stopped(transfer: &Stopped, party: &str) -> Finding {
    let (confidence, severity) = if transfer.is_cut_short {
        (CONFIDENCE, Severity::Critical)
    } else {
        (CONFIDENCE_UNANSWERED, Severity::Warning)
    };
    let mut finding = note(&RULE, confidence);
    finding.severity = severity;
    let silence = transfer.until - transfer.since;
    finding.seconds = Some(silence as f64 / 1e9);
    let end = if transfer.is_given_up { "receiver_closed" } else { "capture" };
    finding.evidence.push(exact(EvidenceKey::DeliveredBytes, transfer.bytes));
    finding.evidence.push(inferred(EvidenceKey::SilentEnd, Value::Word(party.to_owned())));
    finding.evidence.push(exact(EvidenceKey::SilenceUs, silence / 1000));
    finding.evidence.push(exact(EvidenceKey::EndedBy, Value::Word(end.to_owned())));
    finding.fixes = vec![tcpwhy_advice::look_for_peer()];
    if !transfer.is_cut_short {
        // No full segment is known to have arrived.
        finding.fixes.push(tcpwhy_advice::fix_mtu());
    }
    finding
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Segment;
    use tcpwhy_testkit::script;

    use super::super::testing::{connections, findings, fires, fixes, is_silent, number};
    use super::*;
    use crate::problems::Failure;

    /// A capture at the server: `text` after the handshake.
    fn at_server(text: &str) -> Vec<Segment> {
        let begun = "
             0.000 > S 0:0(0) win 65535 <mss 1000>
             0.000 < S. 0:0(0) ack 1 win 65535 <mss 1000>
             0.040 > . 1:1(0) ack 1";
        script(&format!("{begun}\n{text}")).segments
    }

    /// A capture at the client.
    fn at_client(text: &str) -> Vec<Segment> {
        let begun = "
             0.000 > S 0:0(0) win 65535 <mss 1000>
             0.040 < S. 0:0(0) ack 1 win 65535 <mss 1000>
             0.040 > . 1:1(0) ack 1";
        script(&format!("{begun}\n{text}")).segments
    }

    const HEAD: &str = "0.041 > P. 1:118(117) ack 1\n 0.041 < . 1:1(0) ack 118\n";

    fn word(finding: &Finding, key: EvidenceKey) -> String {
        match &finding.evidence.iter().find(|evidence| evidence.key == key).unwrap().value {
            Value::Word(word) => word.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_head_of_a_request_and_then_nothing() {
        let all = at_server(&format!("{HEAD} 25.041 < F. 1:1(0) ack 118\n 25.081 > . 118:118(0) ack 2"));
        let finding = fires(RULE.id, &all);
        assert_eq!((finding.severity, finding.seconds), (Severity::Warning, Some(25.0)));
        assert!((number(&finding, "delivered_bytes") - 117.0).abs() < 0.1, "{finding:?}");
        assert_eq!(word(&finding, EvidenceKey::SilentEnd), "client");
        assert_eq!(word(&finding, EvidenceKey::EndedBy), "receiver_closed");
        assert_eq!(fixes(&finding), ["look-for-peer", "fix-mtu"]);
        assert_eq!(Failure::of_connection(&connections(&all)[0]), Some(Failure::TimedOut));
    }

    #[test]
    fn what_ends_the_silence() {
        for (text, end) in [
            ("25.041 < R. 1:1(0) ack 118", "receiver_closed"),
            ("10.041 < . 0:0(0) ack 118\n 25.041 < . 0:0(0) ack 118", "capture"),
        ] {
            let finding = fires(RULE.id, &at_server(&format!("{HEAD}{text}")));
            assert_eq!(word(&finding, EvidenceKey::EndedBy), end);
        }
    }

    /// `UNANSWERED_OPEN`: a pause of five seconds.
    #[test]
    fn a_short_silence() {
        fires(RULE.id, &at_server(&format!("{HEAD} 5.041 < F. 1:1(0) ack 118")));
        is_silent(RULE.id, &at_server(&format!("{HEAD} 5.040 < F. 1:1(0) ack 118")));
    }

    /// A complete request waits for the server, unless the server closes as if it had waited for more data.
    #[test]
    fn a_request_that_may_be_whole() {
        let request = HEAD.replace("118", "401").replace("117", "400");
        let closed = format!("{request} 25.041 < F. 1:1(0) ack 401");
        fires(RULE.id, &at_server(&closed));
        assert_eq!(findings("request-unanswered", &at_server(&closed)), []);
        for end in ["25.041 < R. 1:1(0) ack 401", "25.041 < . 0:0(0) ack 401"] {
            let all = at_server(&format!("{request}{end}"));
            is_silent(RULE.id, &all);
            fires("request-unanswered", &all);
        }
    }

    /// The sender shows that it sent no more data, or that it had finished.
    #[test]
    fn a_sender_that_is_known() {
        is_silent(RULE.id, &at_client(&format!("{HEAD} 25.041 < F. 1:1(0) ack 118")));
        is_silent(RULE.id, &at_server(&format!("{HEAD} 0.050 > F. 118:118(0) ack 1\n 25.041 < F. 1:1(0) ack 119")));
        is_silent(RULE.id, &at_server(&format!("{HEAD} 0.050 > R 118:118(0)\n 25.041 < F. 1:1(0) ack 118")));
        let keep_alive = "15.041 > . 117:117(0) ack 1\n 15.041 < . 1:1(0) ack 118\n";
        is_silent(RULE.id, &at_server(&format!("{HEAD}{keep_alive} 25.041 < F. 1:1(0) ack 118")));
        let answered = "0.050 < P. 1:401(400) ack 118\n 0.090 > . 118:118(0) ack 401\n";
        is_silent(RULE.id, &at_server(&format!("{HEAD}{answered} 25.041 < F. 401:401(0) ack 118")));
    }

    #[test]
    fn a_window_that_is_closed_or_data_that_is_not_acknowledged() {
        let closed = HEAD.replace("ack 118", "ack 118 win 0");
        is_silent(RULE.id, &at_server(&format!("{closed} 25.041 < F. 1:1(0) ack 118 win 0")));
        let alone = HEAD.lines().next().unwrap_or_default();
        is_silent(RULE.id, &at_server(&format!("{alone}\n 25.041 < F. 1:1(0) ack 1")));
    }

    /// A full segment without PSH has a successor, whichever end sends it.
    #[test]
    fn an_answer_that_stops() {
        let part = |flags: &str, len: u32| {
            let end = 1001 + len;
            at_client(&format!(
                "0.041 > P. 1:401(400) ack 1
                 0.090 < . 1:1001(1000) ack 401
                 0.090 < {flags} 1001:{end}({len}) ack 401
                 0.091 > . 401:401(0) ack {end}
                 25.090 > F. 401:401(0) ack {end}"
            ))
        };
        let finding = fires(RULE.id, &part(".", 1000));
        assert_eq!((finding.severity, finding.seconds), (Severity::Critical, Some(25.0)));
        assert_eq!(word(&finding, EvidenceKey::SilentEnd), "server");
        assert_eq!(fixes(&finding), ["look-for-peer"]);
        is_silent(RULE.id, &part("P.", 1000));
        is_silent(RULE.id, &part(".", 999));
    }

    /// A segment that fills a hole last is not the end of the data.
    #[test]
    fn an_answer_whose_last_hole_is_filled() {
        let repaired = |flags: &str| {
            at_client(&format!(
                "0.041 > P. 1:401(400) ack 1
                 0.090 < . 1:1001(1000) ack 401
                 0.091 < {flags} 2001:3001(1000) ack 401
                 0.091 > . 401:401(0) ack 1001
                 0.140 < . 1001:2001(1000) ack 401
                 0.140 > . 401:401(0) ack 3001
                 25.140 > F. 401:401(0) ack 3001"
            ))
        };
        is_silent(RULE.id, &repaired("P."));
        fires(RULE.id, &repaired("."));
    }
}
