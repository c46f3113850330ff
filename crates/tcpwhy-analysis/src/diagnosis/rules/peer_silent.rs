//! The peer fell silent. Data was retransmitted at doubling intervals until the end, and the capture has no
//! more packets of the peer.
//!
//! The host may be down, the path may be cut, or a device may drop packets. Neither the sender nor its
//! packets distinguish these causes. The sender retransmits up to `net.ipv4.tcp_retries2` (15 times, about 15
//! minutes; RFC 9293 §3.8.3, R2) or until the application gives up (`TCP_USER_TIMEOUT`). If the ACKs were
//! merely missing in the capture, the intervals would not double (RFC 6298 §5.5). After a long silence,
//! [`super::idle_timeout`] applies instead.
//!
//! A capture at the receiver shows that the retransmissions arrive there, so the cause is that host and not
//! the path. Other connections may show that the peer came back ([`crate::Together`]).

use tcpwhy_model::{EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule, severity};
use crate::outcome::Vantage;

pub(super) static RULE: Rule = Rule {
    id: "peer-silent",
    limits: &[Limit::LossRecovery],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A path that is down looks the same if no other connection uses it.
const CONFIDENCE: f64 = 0.85;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let silence = facts.silence?;
    if facts.is_forgotten || facts.half.is_window_closed || facts.half.vanished.is_some() {
        return None;
    }
    let seconds = (silence.nanos as f64 / 1e9).min(facts.seconds());
    let mut finding = note(&RULE, CONFIDENCE);
    finding.severity = severity::of_time(facts.half, seconds, Some(seconds));
    finding.seconds = Some(seconds);
    finding.evidence.push(exact(EvidenceKey::SilenceUs, silence.nanos / 1000));
    finding.evidence.push(exact(EvidenceKey::RepeatCount, silence.repeats));
    finding.evidence.push(exact(EvidenceKey::LastIntervalUs, silence.interval / 1000));
    if facts.half.vantage == Vantage::Receiver {
        finding.fixes = vec![tcpwhy_advice::check_silent_host()];
        return Some(finding);
    }
    finding.fixes = vec![tcpwhy_advice::look_for_peer(), tcpwhy_advice::limit_retries()];
    if facts.half.counts.largest_payload >= facts.half.mss {
        finding.fixes.push(tcpwhy_advice::fix_mtu());
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer, script};

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    const BEGUN: &str = "
         0.000 > S 0:0(0) win 65535 <mss 1460>
         0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
         0.020 > . 1:1(0) ack 1
         0.021 > P. 1:1001(1000) ack 1
         0.041 < . 1:1(0) ack 1001 win 65535
         0.050 > P. 1001:2001(1000) ack 1
    ";

    #[test]
    fn a_timer_that_nothing_stops() {
        let text = format!(
            "{BEGUN}
             0.270 > P. 1001:2001(1000) ack 1
             0.710 > P. 1001:2001(1000) ack 1
             1.590 > P. 1001:2001(1000) ack 1
             3.350 > P. 1001:2001(1000) ack 1"
        );
        let finding = fires(RULE.id, &script(&text).segments);
        assert!((number(&finding, "repeat_count") - 4.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "silence_us") - 3.3e6).abs() < 1e4, "{finding:?}");
        // Two segments are too little data for a critical problem.
        assert_eq!(finding.severity, Severity::Warning);
    }

    /// The same at either end. At the silent one, its own firewall or VPN is checked.
    #[test]
    fn the_silent_end_may_be_the_captured_host() {
        let at = |capture| {
            let opened = if capture == Capture::Sender {
                ["0.000 > S", "0.020 < S.", "0.020 >", "0.041 <"]
            } else {
                ["0.000 > S", "0.000 < S.", "0.020 >", "0.021 <"]
            };
            let [syn, syn_ack, ack, answer] = opened;
            let text = format!(
                "{syn} 0:0(0) win 65535 <mss 1460>
                 {syn_ack} 0:0(0) ack 1 win 65535 <mss 1460>
                 {ack} . 1:1(0) ack 1
                 0.021 > P. 1:101(100) ack 1
                 {answer} . 1:1(0) ack 101 win 65535
                 0.050 > P. 101:201(100) ack 1
                 0.270 > P. 101:201(100) ack 1
                 0.710 > P. 101:201(100) ack 1
                 1.590 > P. 101:201(100) ack 1"
            );
            fixes(&fires(RULE.id, &script(&text).segments))[0]
        };
        assert_eq!([Capture::Sender, Capture::Receiver].map(at), ["look-for-peer", "check-silent-host"]);
    }

    #[test]
    fn a_peer_that_comes_back_or_a_capture_that_ends() {
        let repeats = "
             0.270 > P. 1001:2001(1000) ack 1
             0.710 > P. 1001:2001(1000) ack 1";
        is_silent(RULE.id, &script(&format!("{BEGUN}{repeats}")).segments);
        let answered = "
             1.590 > P. 1001:2001(1000) ack 1
             3.350 > P. 1001:2001(1000) ack 1
             3.371 < . 1:1(0) ack 2001 win 65535";
        is_silent(RULE.id, &script(&format!("{BEGUN}{repeats}{answered}")).segments);
        is_silent(RULE.id, &Transfer::default().run());
    }

    /// A peer that has closed or reset the connection is expected to be silent.
    #[test]
    fn a_peer_that_had_closed_or_reset() {
        let repeats = "
             0.270 > P. 1001:2001(1000) ack 1
             0.710 > P. 1001:2001(1000) ack 1
             1.590 > P. 1001:2001(1000) ack 1";
        for last in ["F.", "R"] {
            is_silent(
                RULE.id,
                &script(&format!("{BEGUN}\n 0.060 < {last} 1:1(0) ack 1001 win 65535{repeats}")).segments,
            );
        }
    }

    /// The capture has no packet of the peer at all. With few retransmissions, it may contain one direction
    /// only and have lost packets. Many show that the sender received nothing either.
    #[test]
    fn a_peer_that_the_capture_does_not_have() {
        let text = format!(
            "{BEGUN}
             0.270 > P. 1001:2001(1000) ack 1
             0.710 > P. 1001:2001(1000) ack 1
             1.590 > P. 1001:2001(1000) ack 1"
        );
        let all = script(&text).segments;
        fires(RULE.id, &all);
        let client = all[0].source;
        let one_sided: Vec<_> = all.into_iter().filter(|s| s.source == client).collect();
        is_silent(RULE.id, &one_sided);
        let more = "
             3.350 > P. 1001:2001(1000) ack 1
             6.870 > P. 1001:2001(1000) ack 1";
        let all = script(&format!("{text}{more}")).segments;
        let one_sided: Vec<_> = all.into_iter().filter(|s| s.source == client).collect();
        fires(RULE.id, &one_sided);
    }

    /// Retransmissions at a constant interval come from the application.
    #[test]
    fn repeats_without_a_doubling_timer() {
        let text = format!(
            "{BEGUN}
             1.050 > P. 1001:2001(1000) ack 1
             2.050 > P. 1001:2001(1000) ack 1
             3.050 > P. 1001:2001(1000) ack 1
             4.050 > P. 1001:2001(1000) ack 1"
        );
        is_silent(RULE.id, &script(&text).segments);
    }
}
