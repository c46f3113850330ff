//! The other end's kernel acknowledged the last request, and its program never answered.
//!
//! An ACK shows that the data is in the receiver's socket (RFC 9293 §3.8.6), and no more. The program may
//! hang or wait for a lock, for a query or for the upstream of a proxy. Earlier answers on the connection
//! distinguish requests from closing messages, window updates and one-way transfers
//! (`connection/exchange.rs`).

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::seen::{UnansweredEnd, UnansweredRequest};

pub(super) static RULE: Rule =
    Rule { id: "request-unanswered", limits: &[], severity: Severity::Critical, detect: Detect::Connection(detect) };

/// Earlier requests on the connection were answered, and the connection ended during the wait.
const CONFIDENCE: f64 = 0.8;
/// No earlier request was answered, so the protocol may not require an answer.
const CONFIDENCE_FIRST: f64 = 0.7;
/// Neither end had closed, so the answer may have come later.
const CONFIDENCE_OPEN: f64 = 0.6;
/// Minimum number of earlier answers which shows that each message has one.
const LEAST_ANSWERED: u32 = 3;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let request = facts.unanswered?;
    // A long silence, or a full accept queue, has its own rule.
    (facts.forgotten.is_none() && facts.unaccepted.is_none()).then(|| unanswered(&request))
}

/// The finding about `request`.
pub(crate) fn unanswered(request: &UnansweredRequest) -> Finding {
    let is_open = request.end == UnansweredEnd::Open;
    let confidence = match request.answered {
        _ if is_open => CONFIDENCE_OPEN,
        0 => CONFIDENCE_FIRST,
        _ => CONFIDENCE,
    };
    let mut finding = note(&RULE, confidence);
    if is_open || request.answered < LEAST_ANSWERED {
        finding.severity = Severity::Warning;
    }
    let wait = request.until - request.since;
    finding.seconds = Some(wait as f64 / 1e9);
    let end = match request.end {
        UnansweredEnd::GivenUp => "client_gave_up",
        UnansweredEnd::Closed => "server_closed",
        UnansweredEnd::Reset => "server_reset",
        UnansweredEnd::Open => "capture",
    };
    finding.evidence.push(exact(EvidenceKey::RequestBytes, request.bytes));
    finding.evidence.push(exact(EvidenceKey::AnswerWaitUs, wait / 1000));
    finding.evidence.push(exact(EvidenceKey::EndedBy, Value::Word(end.to_owned())));
    finding.evidence.push(inferred(EvidenceKey::AnsweredCount, u64::from(request.answered)));
    if request.answered > 0 {
        finding.evidence.push(inferred(EvidenceKey::LongestAnswerUs, request.longest / 1000));
    }
    if request.met_reset {
        finding.evidence.push(exact(EvidenceKey::IsAnsweredByReset, true));
    }
    finding.fixes = vec![tcpwhy_advice::find_hanging_request()];
    finding
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Detail, Segment};
    use tcpwhy_testkit::script;

    use super::super::testing::{connections, fires, is_silent, number};
    use super::*;

    const ANSWERED: &str = "
         0.000 > S 0:0(0) win 65535 <mss 1460>
         0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
         0.020 > . 1:1(0) ack 1
         0.021 > P. 1:401(400) ack 1
         0.045 < P. 1:1001(1000) ack 401 win 65535
         0.045 > . 401:401(0) ack 1001
         0.050 > P. 401:801(400) ack 1001
    ";
    const ACKNOWLEDGED: &str = "0.070 < . 1001:1001(0) ack 801 win 65535";

    fn packets(text: &str) -> Vec<Segment> {
        script(&format!("{ANSWERED}\n{text}")).segments
    }

    fn after(text: &str) -> Finding {
        fires(RULE.id, &packets(&format!("{ACKNOWLEDGED}\n{text}")))
    }

    fn is_silent_after(text: &str) {
        is_silent(RULE.id, &packets(&format!("{ACKNOWLEDGED}\n{text}")));
    }

    fn ended_by(finding: &Finding) -> &Value {
        &finding.evidence.iter().find(|e| e.key == EvidenceKey::EndedBy).unwrap().value
    }

    /// Both directions last until the end; one waits for the peer, the other for its own program.
    #[test]
    fn the_client_gives_up_after_thirty_seconds() {
        let text = format!("{ACKNOWLEDGED}\n 30.050 > F. 801:801(0) ack 1001\n 30.070 < R 1001:1001(0)");
        let finding = fires(RULE.id, &packets(&text));
        assert_eq!((finding.severity, finding.seconds), (Severity::Warning, Some(30.0)));
        assert!((number(&finding, "request_bytes") - 400.0).abs() < 0.1, "{finding:?}");
        assert_eq!(ended_by(&finding), &Value::Word("client_gave_up".to_owned()));
        let connection = &connections(&packets(&text))[0];
        for (half, detail) in connection.halves.iter().zip([Detail::PeerTurn, Detail::Think]) {
            assert!((half.span.seconds() - 30.05).abs() < 0.001, "{:?}", half.span);
            let nanos = half.limits.nanos_of_cause(detail.into());
            assert!((29_900_000_000..30_100_000_000).contains(&nanos), "{detail:?}: {nanos}");
        }
    }

    #[test]
    fn what_ends_the_wait() {
        for (text, end) in [
            ("5.000 > R. 801:801(0) ack 1001", "client_gave_up"),
            ("5.000 < F. 1001:1001(0) ack 801\n5.001 > F. 801:801(0) ack 1002", "server_closed"),
            ("0.090 < R. 1001:1001(0) ack 801", "server_reset"),
            ("6.000 > . 800:800(0) ack 1001\n6.020 < . 1001:1001(0) ack 801 win 65535", "capture"),
        ] {
            assert_eq!(ended_by(&after(text)), &Value::Word(end.to_owned()), "{text}");
        }
    }

    #[test]
    fn answered_in_time_or_never_acknowledged() {
        is_silent_after(
            "9.000 < P. 1001:2001(1000) ack 801\n9.001 > . 801:801(0) ack 2001\n50.0 > F. 801:801(0) ack 2001",
        );
        is_silent(RULE.id, &packets("30.050 > F. 801:801(0) ack 1001"));
    }

    /// A normal end right after the last message, and a capture that stops.
    #[test]
    fn an_end_that_waits_for_nothing() {
        is_silent_after(
            "0.071 > F. 801:801(0) ack 1001\n0.091 < F. 1001:1001(0) ack 802\n0.091 > . 802:802(0) ack 1002",
        );
        is_silent_after("0.072 < . 1001:1001(0) ack 801 win 65535");
        is_silent_after("4.000 > . 800:800(0) ack 1001\n4.020 < . 1001:1001(0) ack 801 win 65535");
    }

    /// At the server, which closes: the remaining request may never have arrived.
    #[test]
    fn a_server_that_closes_may_have_waited_for_more() {
        let text = "
             0.000 > S 0:0(0) win 65535 <mss 1460>
             0.000 < S. 0:0(0) ack 1 win 65535 <mss 1460>
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1:401(400) ack 1
             0.021 < . 1:1(0) ack 401 win 65535";
        is_silent(
            RULE.id,
            &script(&format!("{text}\n 30.0 < F. 1:1(0) ack 401\n 30.02 > . 401:401(0) ack 2")).segments,
        );
        fires(RULE.id, &script(&format!("{text}\n 30.0 > F. 401:401(0) ack 1")).segments);
    }

    /// A browser's last message is a window update, and it closes a minute later.
    #[test]
    fn a_small_last_word() {
        let text = ANSWERED.replace("401:801(400)", "401:436(35)");
        let all = format!("{text} 0.070 < . 1001:1001(0) ack 436 win 65535\n 60.0 > F. 436:436(0) ack 1001");
        is_silent(RULE.id, &script(&all).segments);
    }

    /// A server's answer is not a request; its client has all data and leaves the connection idle.
    #[test]
    fn an_answer_is_no_request() {
        let text = ANSWERED.lines().take(7).collect::<Vec<_>>().join("\n");
        is_silent(RULE.id, &script(&format!("{text}\n 60.0 < F. 1001:1001(0) ack 401")).segments);
    }

    /// Messages without answers: a log, a meter.
    #[test]
    fn one_way_messages() {
        let text = "
             0.000 > S 0:0(0) win 65535 <mss 1460>
             0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1:401(400) ack 1
             0.045 < . 1:1(0) ack 401 win 65535
             2.021 > P. 401:801(400) ack 1
             2.045 < . 1:1(0) ack 801 win 65535
             9.000 > F. 801:801(0) ack 1";
        is_silent(RULE.id, &script(text).segments);
        let once = text.lines().filter(|line| !line.contains(" 2.0")).collect::<Vec<_>>().join("\n");
        let finding = fires(RULE.id, &script(&once.replace("801:801", "401:401")).segments);
        assert_eq!(finding.severity, Severity::Warning);
        assert!((finding.confidence - CONFIDENCE_FIRST).abs() < 1e-9);
    }
}
