//! The server closed while a request was still arriving. Its host answered the remaining data with RST, which
//! may have cost the client the answer (RFC 9112 §9.6).
//!
//! A server refuses requests like this if they are too large, need a login, or go to a program that exits. If
//! a request began after the close, the server had closed an idle connection: [`super::idle_close_race`].

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Ending;
use crate::seen::ResetFacts;
use crate::thresholds::SMALL_MESSAGE;

pub(super) static RULE: Rule =
    Rule { id: "closed-during-request", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// The capture shows the server's FIN, data of the client that had not seen it, and the RST.
const CONFIDENCE: f64 = 0.85;

/// The RST of a server that had closed during a request.
pub(super) fn found<'a>(facts: &'a ConnectionFacts<'_>) -> Option<&'a ResetFacts> {
    let Ending::Reset(side) = facts.ending else { return None };
    let reset = facts.reset.as_ref()?;
    let is_of_server = facts.asker == Some(side.peer());
    (is_of_server && reset.had_closed && reset.met_close.is_none() && reset.cut_off > SMALL_MESSAGE.get())
        .then_some(reset)
}

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let reset = found(facts)?;
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::ResetAfterUs, reset.after / 1000));
    finding.evidence.push(exact(EvidenceKey::DeliveredBytes, reset.delivered));
    finding.evidence.push(exact(EvidenceKey::UnacknowledgedBytes, reset.cut_off));
    finding.fixes = vec![tcpwhy_advice::read_before_close()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::script;

    use super::super::testing::{findings, fires, is_silent, number};
    use super::*;

    /// An upload of which 2,000 bytes were acknowledged, followed by `lines`.
    fn upload(lines: &str) -> Vec<tcpwhy_model::Segment> {
        let begun = "
         0.00 > S 0:0(0) <mss 1460>
         0.02 < S. 0:0(0) ack 1 <mss 1460>
         0.02 > . 1:1(0) ack 1
         0.03 > . 1:1001(1000) ack 1
         0.03 > . 1001:2001(1000) ack 1
         0.05 < . 1:1(0) ack 2001
         0.051 > . 2001:3461(1460) ack 1
         0.052 > . 3461:4921(1460) ack 1
        ";
        script(&format!("{begun}{lines}")).segments
    }

    #[test]
    fn a_server_that_answers_before_it_has_all() {
        let all = upload(
            "0.060 < P. 1:90(89) ack 2001
             0.060 < F. 90:90(0) ack 2001
             0.061 > . 4921:6381(1460) ack 1
             0.081 < R 91:91(0)",
        );
        let finding = fires(RULE.id, &all);
        assert!((number(&finding, "unacknowledged_bytes") - 4380.0).abs() < 0.1, "{finding:?}");
        assert_eq!(finding.severity, Severity::Warning);
        assert_eq!(findings("reset-mid-transfer", &all), [], "that is said already");
    }

    /// At the server, data in flight arrives after its FIN.
    #[test]
    fn data_that_had_not_seen_the_close() {
        let begun = "
         0.00 > S 0:0(0) <mss 1460>
         0.0001 < S. 0:0(0) ack 1 <mss 1460>
         0.02 > . 1:1(0) ack 1
         0.03 > . 1:1001(1000) ack 1
         0.0301 < . 1:1(0) ack 1001
         0.0302 < P. 1:90(89) ack 1001
         0.0302 < F. 90:90(0) ack 1001
        ";
        let after = |ack| script(&format!("{begun} 0.040 > . 1001:2461(1460) ack {ack}\n0.0401 < R 91:91(0)")).segments;
        fires(RULE.id, &after(1));
        // The client had seen the FIN and sent data all the same.
        is_silent(RULE.id, &after(91));
    }

    /// A client that closes and resets wants no more data. Small data at its close is not a request.
    #[test]
    fn closes_that_refuse_nothing() {
        is_silent(RULE.id, &upload("0.053 > F. 4921:4921(0) ack 1\n0.06 > R 4922:4922(0)"));
        is_silent(RULE.id, &upload("0.06 < R 1:1(0)"));
        let acknowledged = "0.07 < . 1:1(0) ack 4921\n0.071 > P. 4921:4952(31) ack 1\n";
        is_silent(RULE.id, &upload(&format!("{acknowledged}0.072 < F. 1:1(0) ack 4921\n0.08 < R 2:2(0)")));
    }
}
