//! Keep-alives (RFC 9293 §3.8.4) on a connection with data: one end keeps it open while it is idle. They are
//! neither data nor a loss, and never a problem.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Side;

pub(super) static RULE: Rule =
    Rule { id: "keep-alives", limits: &[], severity: Severity::Info, detect: Detect::Connection(detect) };

/// The packets show the keep-alives.
const CONFIDENCE: f64 = 0.95;

/// Minimum number. A single one may be an accident of sequence numbers.
const LEAST: u32 = 2;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let [a, b] = facts.keep_alives.map(|k| k.filter(|k| k.count >= LEAST));
    let count: u32 = [a, b].iter().flatten().map(|k| k.count).sum();
    if count == 0 || facts.bytes == [0, 0] {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::ProbeCount, u64::from(count)));
    if let Some(period) = [a, b].iter().flatten().filter_map(|k| k.period).min() {
        finding.evidence.push(exact(EvidenceKey::KeepAlivePeriodUs, period / 1000));
    }
    if let Some(initiator) = facts.initiator.filter(|_| a.is_some() != b.is_some()) {
        finding.evidence.push(exact(EvidenceKey::IsKeptByClient, a.is_some() == (initiator == Side::A)));
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    const BEGUN: &str = "
         0.000 > S 0:0(0) win 65535 <mss 1460>
         0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
         0.020 > . 1:1(0) ack 1
         0.021 > P. 1:101(100) ack 1
         0.041 < P. 1:501(500) ack 101 win 65535
         0.041 > . 101:101(0) ack 501
    ";

    #[test]
    fn a_connection_that_is_kept_for_later() {
        for probe in ["100:100(0)", "100:101(1)"] {
            let text = format!(
                "{BEGUN}
                 15.000 > . {probe} ack 501
                 15.020 < . 501:501(0) ack 101 win 65535
                 30.000 > . {probe} ack 501
                 30.020 < . 501:501(0) ack 101 win 65535"
            );
            let all = script(&text).segments;
            let finding = fires(RULE.id, &all);
            assert_eq!(finding.severity, Severity::Info);
            assert!((number(&finding, "probe_count") - 2.0).abs() < 0.1, "{finding:?}");
            assert!((number(&finding, "keep_alive_period_us") - 15e6).abs() < 1.0, "{finding:?}");
            is_silent("keep-alive-only", &all);
            is_silent("peer-silent", &all);
            is_silent("spurious-retransmissions", &all);
        }
    }

    #[test]
    fn probes_of_a_closed_window_and_a_byte_sent_twice() {
        let closed = format!(
            "{BEGUN}
             0.050 > P. 101:201(100) ack 501
             0.070 < . 501:501(0) ack 201 win 0
             1.500 > . 200:200(0) ack 501
             1.520 < . 501:501(0) ack 201 win 0
             4.500 > . 200:200(0) ack 501
             4.520 < . 501:501(0) ack 201 win 0"
        );
        is_silent(RULE.id, &script(&closed).segments);
        let typed = format!(
            "{BEGUN}
             5.000 > P. 101:102(1) ack 501
             5.020 < . 501:501(0) ack 102 win 65535
             5.021 > P. 101:102(1) ack 501
             5.041 < . 501:501(0) ack 102 win 65535"
        );
        is_silent(RULE.id, &script(&typed).segments);
        is_silent(RULE.id, &Transfer::default().run());
    }
}
