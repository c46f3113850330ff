//! An idle connection was closed while a request was in flight. The request arrived at a closed socket and
//! was lost.
//!
//! A server closes idle connections (`keepalive_timeout` of nginx: 75 s, Apache: 5 s, Node.js: 5 s). A
//! client's pool keeps them for its next request. If the request leaves when the timeout expires, it crosses
//! the FIN. A closed socket answers data with RST (RFC 9293 §3.10.7.1). Clients may then repeat an idempotent
//! request (RFC 9112 §9.3.1). The same happens to a client that does not check whether the server has closed.

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "idle-close-race", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// The packets show the FIN, the request and the RST.
const CONFIDENCE: f64 = 0.9;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    const SECOND: i64 = 1_000_000_000;
    let reset = facts.reset?;
    let met = reset.met_close?;
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::ResetBy, Value::Word(facts.party(reset.side).to_owned())));
    finding.evidence.push(exact(EvidenceKey::RestUs, met.idle / 1000));
    finding.evidence.push(exact(EvidenceKey::RequestBytes, met.bytes));
    let idle = met.idle / SECOND;
    finding.fixes = vec![tcpwhy_advice::outlast_pool(idle), tcpwhy_advice::retire_idle_connections(idle / 2)];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Segment;
    use tcpwhy_testkit::script;

    use super::super::testing::{connections, findings, fires, is_silent, number};
    use super::*;
    use crate::problems::Failure;

    /// An answered request of 400 bytes, and six seconds without packets.
    fn after_rest(text: &str) -> Vec<Segment> {
        let begun = "
             0.000 > S 0:0(0) win 65535 <mss 1460>
             0.080 < S. 0:0(0) ack 1 win 65535 <mss 1460>
             0.080 > . 1:1(0) ack 1
             0.081 > P. 1:401(400) ack 1
             0.160 < P. 1:1001(1000) ack 401 win 65535
             0.160 > . 401:401(0) ack 1001";
        script(&format!("{begun}\n{text}")).segments
    }

    const AT_CLIENT: &str = "
         6.130 > P. 401:801(400) ack 1001
         6.160 < F. 1001:1001(0) ack 401
         6.161 > F. 801:801(0) ack 1002
         6.210 < R 1001:1001(0)";
    const AT_SERVER: &str = "
         6.120 < F. 1001:1001(0) ack 401
         6.170 > P. 401:801(400) ack 1001
         6.170 < R 1001:1001(0)";

    #[test]
    fn a_request_crosses_the_end_of_an_idle_connection() {
        for (text, idle) in [(AT_CLIENT, 6_000_000.0), (AT_SERVER, 5_960_000.0)] {
            let all = after_rest(text);
            let finding = fires(RULE.id, &all);
            assert!((number(&finding, "rest_us") - idle).abs() < 1.0, "{finding:?}");
            assert!((number(&finding, "request_bytes") - 400.0).abs() < 0.1, "{finding:?}");
            assert_eq!(finding.evidence[0].value, Value::Word("server".to_owned()));
            assert_eq!(findings("reset-mid-transfer", &all), [], "that is told already");
            assert_eq!(Failure::of_connection(&connections(&all)[0]), Some(Failure::IdleClose));
        }
    }

    /// A TLS server sends a closing alert before it closes.
    #[test]
    fn a_goodbye_goes_with_the_end() {
        let at_client = "
             6.130 > P. 401:801(400) ack 1001
             6.160 < P. 1001:1025(24) ack 401
             6.160 < F. 1025:1025(0) ack 401
             6.210 < R 1026:1026(0)";
        let at_server = "
             6.120 < P. 1001:1025(24) ack 401
             6.120 < F. 1025:1025(0) ack 401
             6.170 > P. 401:801(400) ack 1001
             6.170 < R 1001:1001(0)";
        for (text, idle) in [(at_client, 6_000_000.0), (at_server, 5_960_000.0)] {
            let finding = fires(RULE.id, &after_rest(text));
            assert!((number(&finding, "rest_us") - idle).abs() < 1.0, "{finding:?}");
        }
    }

    /// Data of the client after its answer, such as a window update, is not part of the request.
    #[test]
    fn a_word_of_the_client_after_the_answer() {
        let text = "
             0.162 > P. 401:436(35) ack 1001
             0.242 < . 1001:1001(0) ack 436
             6.242 < F. 1001:1001(0) ack 436
             6.270 > P. 436:836(400) ack 1001
             6.270 < R 1001:1001(0)";
        let finding = fires(RULE.id, &after_rest(text));
        assert!((number(&finding, "request_bytes") - 400.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "rest_us") - 6_080_000.0).abs() < 1.0, "{finding:?}");
    }

    #[test]
    fn no_request_was_lost() {
        // A closing alert of the client.
        is_silent(RULE.id, &after_rest(&AT_SERVER.replace("401:801(400)", "401:432(31)")));
        // The server closed at once, and not because the connection was idle.
        is_silent(RULE.id, &after_rest(&AT_SERVER.replace("6.120", "0.200").replace("6.170", "0.230")));
        // The request was acknowledged.
        is_silent(
            RULE.id,
            &after_rest(
                "6.120 > P. 401:801(400) ack 1001
                 6.130 < F. 1001:1001(0) ack 801
                 6.170 < R 1001:1001(0)",
            ),
        );
        // The client had closed before.
        is_silent(
            RULE.id,
            &after_rest(
                "6.120 > FP. 401:801(400) ack 1001
                 6.160 < F. 1001:1001(0) ack 401
                 6.170 < R 1001:1001(0)",
            ),
        );
        // No RST followed.
        is_silent(RULE.id, &after_rest(AT_SERVER.rsplit_once('\n').map_or("", |(first, _)| first)));
        // The client sent the RST, after all of its data.
        is_silent(RULE.id, &after_rest("6.120 < F. 1001:1001(0) ack 401\n6.130 > R 401:401(0)"));
    }
}
