//! The server retransmitted its SYN-ACK although the client had acknowledged it, because its accept queue was
//! full.
//!
//! Linux drops the last step of a handshake if the queue of connections that wait for `accept()` is full
//! (`tcp_v4_syn_recv_sock`, counted as `ListenOverflows`). It keeps the half-open connection and retransmits
//! the SYN-ACK after 1, 2, 4 … seconds (`TCP_TIMEOUT_INIT`). The client regards the connection as open, and
//! its data stays unanswered. One lost ACK looks similar only until the client's next packet. A server with
//! `TCP_DEFER_ACCEPT` retransmits the SYN-ACK once to a client that has sent no data.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(in crate::diagnosis) static RULE: Rule =
    Rule { id: "accept-queue-overflow", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// A path that loses only these segments is rare.
const CONFIDENCE: f64 = 0.85;

/// Minimum number of retransmitted SYN-ACKs, or of client packets before the first one. A path is unlikely to
/// lose all of these and none of the server's packets.
const LEAST_REPEATS: u32 = 2;
const LEAST_IN_VAIN: u32 = 3;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let unaccepted = facts.unaccepted?;
    if unaccepted.repeats < LEAST_REPEATS && unaccepted.in_vain < LEAST_IN_VAIN {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(unaccepted.nanos as f64 / 1e9);
    finding.evidence.push(exact(EvidenceKey::SynAckRepeatCount, u64::from(unaccepted.repeats)));
    finding.evidence.push(exact(EvidenceKey::UnansweredCount, u64::from(unaccepted.in_vain)));
    finding.evidence.push(exact(EvidenceKey::AcceptWaitUs, unaccepted.nanos / 1000));
    finding.fixes = vec![tcpwhy_advice::raise_backlog(), tcpwhy_advice::accept_sooner()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[track_caller]
    fn check(text: &str, holds: bool) {
        let open = "
             0.000 > S 0:0(0) <mss 1460>
             0.020 < S. 0:0(0) ack 1 <mss 1460>";
        let all = script(&format!("{open}\n{text}")).segments;
        if holds { drop(fires(RULE.id, &all)) } else { is_silent(RULE.id, &all) }
    }

    #[test]
    fn early_data_without_answer() {
        let text = "
             0.000 > S 0:0(0) <mss 1460>
             0.020 < S. 0:0(0) ack 1 <mss 1460>
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1:101(100) ack 1
             0.241 > P. 1:101(100) ack 1
             0.681 > P. 1:101(100) ack 1
             1.020 < S. 0:0(0) ack 1 <mss 1460>
             1.020 > . 101:101(0) ack 1
             1.561 > P. 1:101(100) ack 1
             1.581 < . 1:1(0) ack 101";
        let finding = fires(RULE.id, &script(text).segments);
        assert!((number(&finding, "syn_ack_repeat_count") - 1.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "unanswered_count") - 4.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "accept_wait_us") - 1e6).abs() < 1e3, "{finding:?}");
    }

    /// The queue had room again before the next SYN-ACK was due, after three ignored segments of the client.
    #[test]
    fn room_again_within_a_second() {
        let opened = "
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1:101(100) ack 1
             0.241 > P. 1:101(100) ack 1
             0.681 > P. 1:101(100) ack 1";
        let taken = "
             0.702 < . 1:1(0) ack 101
             0.750 < P. 1:201(200) ack 101";
        check(&format!("{opened}{taken}"), true);
        let open = "
             0.000 > S 0:0(0) <mss 1460>
             0.020 < S. 0:0(0) ack 1 <mss 1460>";
        let timeouts = fires("retransmission-timeouts", &script(&format!("{open}{opened}{taken}")).segments);
        let fixes: Vec<_> = timeouts.fixes.iter().map(|fix| fix.id).collect();
        assert_eq!(fixes, ["raise-backlog", "accept-sooner"], "not the path's");
        // One retransmission may come from one loss.
        check(&format!("{}{taken}", opened.lines().take(4).collect::<Vec<_>>().join("\n")), false);
        // A larger segment may not fit the path.
        let large = opened.replace("1:101(100)", "1:1461(1460)");
        check(&format!("{large}\n 0.702 < . 1:1(0) ack 1461"), false);
        // The server had sent data before.
        check(
            &format!(
                "0.020 > . 1:1(0) ack 1\n 0.030 < P. 1:51(50) ack 1{}\n 0.702 < . 51:51(0) ack 101",
                opened.replace("ack 1\n", "ack 51\n")
            ),
            false,
        );
    }

    #[test]
    fn a_client_that_waits_for_the_server_to_speak() {
        let twice = "
             0.020 > . 1:1(0) ack 1
             1.020 < S. 0:0(0) ack 1 <mss 1460>
             1.020 > . 1:1(0) ack 1
             3.020 < S. 0:0(0) ack 1 <mss 1460>
             3.020 > . 1:1(0) ack 1";
        check(twice, true);
        // One ACK may be lost, or be dropped by a server with `TCP_DEFER_ACCEPT`.
        check(&twice.lines().take(4).collect::<Vec<_>>().join("\n"), false);
    }

    #[test]
    fn an_ack_and_a_request_lost_together() {
        check(
            "
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1:101(100) ack 1
             1.020 < S. 0:0(0) ack 1 <mss 1460>
             1.020 > . 101:101(0) ack 1
             1.040 < . 1:1(0) ack 101",
            false,
        );
    }

    /// The same handshake repeatedly, as in a replayed capture.
    #[test]
    fn a_handshake_that_is_replayed() {
        let round = |second: u32| {
            format!(
                "{second}.000 > S 0:0(0) <mss 1460>
             {second}.020 < S. 0:0(0) ack 1 <mss 1460>
             {second}.021 > . 1:1(0) ack 1\n"
            )
        };
        let text: String = (0..4).map(|n| round(10 * n)).collect();
        is_silent(RULE.id, &script(&text).segments);
    }

    #[test]
    fn no_ack_was_captured_or_the_server_had_accepted() {
        check(
            "
             1.020 < S. 0:0(0) ack 1 <mss 1460>
             3.020 < S. 0:0(0) ack 1 <mss 1460>
             3.020 > . 1:1(0) ack 1",
            false,
        );
        check(
            "
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1:101(100) ack 1
             0.041 < . 1:1(0) ack 101
             0.050 > P. 101:201(100) ack 1
             0.270 > P. 101:201(100) ack 1
             0.710 > P. 101:201(100) ack 1
             1.020 < S. 0:0(0) ack 1 <mss 1460>",
            false,
        );
        is_silent(RULE.id, &Transfer { syn_repeats: 2, ..Transfer::default() }.run());
    }
}
