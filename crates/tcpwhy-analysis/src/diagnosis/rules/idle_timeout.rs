//! After a long silence, the connection was unknown to the other end or to a device on the path. Later
//! packets were answered with RST by a host without its state, or not at all.
//!
//! NATs, firewalls and load balancers forget idle connections. RFC 5382 §5 requires NATs to wait for two
//! hours and four minutes. Usual are a minute for application load balancers, 240 and 350 s for network ones,
//! and an hour for firewalls. A peer that restarted looks the same. A host that knew the connection would
//! have acknowledged, and one that had closed it would have sent a FIN before. The RST of a host without the
//! connection has no ACK flag (RFC 9293 §3.10.7.1). A longer silence before, after which the connection still
//! worked, is evidence against this cause. If such a RST answers, a silence of seconds suffices.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "idle-timeout", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// A RST answered the first packet after the silence. The other host may have restarted.
const CONFIDENCE: f64 = 0.75;
/// Nothing answered the packet. The path may be down.
const CONFIDENCE_SILENT: f64 = 0.6;
/// Additional confidence if the connection survived a shorter silence before.
const CONFIDENCE_SURVIVED: f64 = 0.1;

/// Default idle timeouts of devices, seconds. In order: application load balancers, network load balancers
/// and NATs of two clouds, connection tracking of a third cloud, firewalls, and RFC 5382.
const USUAL: [i64; 6] = [60, 240, 350, 600, 3600, 7440];

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    const SECOND: i64 = 1_000_000_000;
    let forgotten = facts.forgotten?;
    // Without an answer, the host may as well be down. A shorter silence that the connection survived narrows
    // the timeout.
    let confidence = if forgotten.is_reset { CONFIDENCE } else { CONFIDENCE_SILENT };
    let confidence = confidence + if forgotten.survived > 0 { CONFIDENCE_SURVIVED } else { 0.0 };
    let mut finding = note(&RULE, confidence);
    finding.evidence.push(exact(EvidenceKey::RestUs, forgotten.rest / 1000));
    if forgotten.survived > 0 {
        finding.evidence.push(exact(EvidenceKey::SurvivedUs, forgotten.survived / 1000));
    }
    let usual = USUAL.into_iter().rfind(|&s| (forgotten.survived..=forgotten.rest).contains(&(s * SECOND)));
    if let Some(seconds) = usual {
        finding.evidence.push(inferred(EvidenceKey::UsualTimeoutUs, seconds * 1_000_000));
    }
    finding.evidence.push(exact(EvidenceKey::IsAnsweredByReset, forgotten.is_reset));
    finding.evidence.push(exact(EvidenceKey::UnansweredCount, u64::from(forgotten.packets)));
    finding.evidence.push(exact(EvidenceKey::FoundByKeepAlives, forgotten.is_probe));
    finding.seconds = Some(forgotten.nanos as f64 / 1e9);
    let harmless = if forgotten.survived > 0 { forgotten.survived } else { forgotten.rest / 2 };
    let sooner = harmless.min(forgotten.rest / 2) / SECOND;
    finding.fixes = vec![tcpwhy_advice::keep_alive_every(sooner), tcpwhy_advice::retire_idle_connections(sooner)];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::script;

    use super::super::testing::{findings, fires, is_silent, number};
    use super::*;

    const BEGUN: &str = "
         0.000 > S 0:0(0) win 65535 <mss 1460>
         0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
         0.020 > . 1:1(0) ack 1
         0.021 > P. 1:101(100) ack 1
         0.041 < P. 1:501(500) ack 101 win 65535
         0.041 > . 101:101(0) ack 501
         100.000 > P. 101:201(100) ack 501
         100.020 < P. 501:1001(500) ack 201 win 65535
         100.021 > . 201:201(0) ack 1001
    ";

    /// `FORGETTING_REST_RESET`: with a RST from a host without the connection, a silence of seconds suffices.
    /// Without an answer it does not.
    #[test]
    fn a_device_that_forgets_after_seconds() {
        let rested = |end: &str| {
            let text = format!(
                "0.000 > S 0:0(0) win 65535 <mss 1460>
                 0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
                 0.020 > . 1:1(0) ack 1
                 0.021 > P. 1:101(100) ack 1
                 0.041 < P. 1:501(500) ack 101 win 65535
                 0.041 > . 101:101(0) ack 501
                 {end}"
            );
            script(&text).segments
        };
        let finding = fires(RULE.id, &rested("8.041 > P. 101:201(100) ack 501\n8.045 < R 501:501(0)"));
        assert!((number(&finding, "rest_us") - 8e6).abs() < 1e3, "{finding:?}");
        is_silent(RULE.id, &rested("3.040 > P. 101:201(100) ack 501\n3.044 < R 501:501(0)"));
        let silent = "8.041 > P. 101:201(100) ack 501
             8.261 > P. 101:201(100) ack 501
             8.701 > P. 101:201(100) ack 501
             9.581 > P. 101:201(100) ack 501
             11.341 > P. 101:201(100) ack 501";
        is_silent(RULE.id, &rested(silent));
    }

    #[track_caller]
    fn after(text: &str) -> Finding {
        fires(RULE.id, &script(&format!("{BEGUN}{text}")).segments)
    }

    #[track_caller]
    fn is_silent_after(text: &str) {
        is_silent(RULE.id, &script(&format!("{BEGUN}{text}")).segments);
    }

    #[test]
    fn a_reset_from_somebody_without_the_connection() {
        let finding = after(
            "500.000 > P. 201:301(100) ack 1001
             500.010 < R 1001:1001(0) win 0",
        );
        assert!((number(&finding, "rest_us") - 399_979_000.0).abs() < 1e4, "{finding:?}");
        assert!((number(&finding, "survived_us") - 99_959_000.0).abs() < 1e4, "{finding:?}");
        assert!((number(&finding, "usual_timeout_us") - 350e6).abs() < 1.0, "{finding:?}");
        let text = format!(
            "{BEGUN}
             500.000 > P. 201:301(100) ack 1001
             500.010 < R 1001:1001(0) win 0"
        );
        assert_eq!(findings("reset-mid-transfer", &script(&text).segments), [], "that is told already");
    }

    #[test]
    fn silence() {
        let text = "500.000 > P. 201:301(100) ack 1001
             500.220 > P. 201:301(100) ack 1001
             500.660 > P. 201:301(100) ack 1001
             501.540 > P. 201:301(100) ack 1001";
        let finding = after(text);
        assert!((number(&finding, "unanswered_count") - 4.0).abs() < 0.1, "{finding:?}");
        assert_eq!(findings("peer-silent", &script(&format!("{BEGUN}{text}")).segments), [], "one reason is enough");
        is_silent_after(
            "500.000 > P. 201:301(100) ack 1001
             500.220 > P. 201:301(100) ack 1001",
        );
    }

    #[test]
    fn keep_alives_without_answer() {
        let probes = "500.000 > . 200:200(0) ack 1001
             575.000 > . 200:200(0) ack 1001
             650.000 > . 200:200(0) ack 1001";
        after(probes);
        is_silent_after(&format!("{probes}\n 650.020 < . 1001:1001(0) ack 201 win 65535"));
    }

    /// Probes of a zero window have another purpose.
    #[test]
    fn a_closed_window() {
        is_silent_after(
            "100.030 > P. 201:301(100) ack 1001
             100.050 < . 1001:1001(0) ack 301 win 0
             165.000 > . 300:300(0) ack 1001
             230.000 > . 300:300(0) ack 1001
             295.000 > . 300:300(0) ack 1001",
        );
    }

    /// The same after a short silence.
    #[test]
    fn a_short_rest() {
        is_silent_after(
            "130.000 > P. 201:301(100) ack 1001
             130.010 < R 1001:1001(0) win 0",
        );
    }

    /// The connection had survived a longer silence.
    #[test]
    fn a_rest_shorter_than_one_before() {
        is_silent_after(
            "500.000 > P. 201:301(100) ack 1001
             500.020 < P. 1001:1501(500) ack 301 win 65535
             500.021 > . 301:301(0) ack 1501
             700.000 > P. 301:401(100) ack 1501
             700.010 < R 1501:1501(0) win 0",
        );
    }

    /// A host that acknowledges the data knows the connection, so its application gave up.
    #[test]
    fn a_reset_of_the_peer_itself() {
        is_silent_after(
            "500.000 > P. 201:301(100) ack 1001
             500.010 < R. 1001:1001(0) ack 301 win 0",
        );
        is_silent_after(
            "500.000 > P. 201:301(100) ack 1001
             500.010 < . 1001:1001(0) ack 301 win 65535
             500.011 < R 1001:1001(0) win 0",
        );
    }

    /// The peer had closed, the capture lacked packets, or this end was only closing.
    #[test]
    fn ends_that_were_known() {
        is_silent_after(
            "165.000 < F. 1001:1001(0) ack 201 win 65535
             165.001 > . 201:201(0) ack 1002
             500.000 > P. 201:301(100) ack 1002
             500.010 < R 1002:1002(0) win 0",
        );
        is_silent_after(
            "500.000 > P. 5201:5301(100) ack 9001
             500.010 < R 9001:9001(0) win 0",
        );
        is_silent_after(
            "500.000 > F. 201:201(0) ack 1001
             500.010 < R 1001:1001(0) win 0",
        );
    }
}
