//! Full-size segments are retransmitted without effect while smaller ones arrive. The path drops packets
//! above its MTU, and a filter drops the ICMP message that would report it (RFC 2923 §2.1).
//!
//! If only the handshake passed, a peer that keeps sending without acknowledging is alive and never received
//! a segment. A device that drops all packets with data would look the same.
//!
//! A peer that was silent from the first full-size segment on looks the same, while one that dies does so at
//! any time.
//!
//! Away from the sender, only the consequences show: no full-size segment ever arrives, and the missing data
//! arrives in small pieces after seconds.

use tcpwhy_model::{EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::facts::half::black_hole::Ground;

pub(super) static RULE: Rule = Rule {
    id: "pmtu-black-hole",
    limits: &[Limit::LossRecovery],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// The large segment was retransmitted without effect, and smaller ones passed.
const CONFIDENCE: f64 = 0.85;
/// No data passed before the large segment. A peer that does not read looks the same.
const CONFIDENCE_FROM_START: f64 = 0.6;
/// The peer, active just before, was silent from the large segment on.
const CONFIDENCE_FIRST: f64 = 0.7;
/// Away from the sender, the large segment itself was never captured.
const CONFIDENCE_AWAY: f64 = 0.7;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let Some(vanished) = facts.half.vanished else { return detect_by_hole(facts) };
    let confidence = match vanished.ground {
        Ground::SmallerPassed => CONFIDENCE,
        Ground::PeerSpoke => CONFIDENCE_FROM_START,
        // After a long silence, a device may have forgotten the connection.
        Ground::FirstOfItsSize if facts.is_forgotten => return None,
        Ground::FirstOfItsSize => CONFIDENCE_FIRST,
        Ground::OnlySmallCame => CONFIDENCE_AWAY,
    };
    let mut finding = note(&RULE, confidence);
    let seconds = facts.seconds_of(Limit::LossRecovery);
    finding.seconds = (seconds > 0.0).then_some(seconds);
    finding.evidence.push(inferred(EvidenceKey::LostBytes, vanished.lost));
    if vanished.passed > 0 {
        finding.evidence.push(inferred(EvidenceKey::PassedBytes, vanished.passed));
    }
    if vanished.repeats > 0 {
        finding.evidence.push(exact(EvidenceKey::RetransmittedCount, u64::from(vanished.repeats)));
    }
    finding.fixes = vec![tcpwhy_advice::fix_mtu(), tcpwhy_advice::mss_clamp()];
    Some(finding)
}

/// A finding away from the sender: a hole is never filled, and only smaller segments arrive.
fn detect_by_hole(facts: &HalfFacts<'_>) -> Option<Finding> {
    let hole = facts.hole.filter(|_| facts.is_large_missing())?;
    let mut finding = note(&RULE, CONFIDENCE_AWAY);
    finding.seconds = Some(((hole.until - hole.since) as f64 / 1e9).min(facts.seconds()));
    finding.evidence.push(inferred(EvidenceKey::LostBytes, facts.half.mss));
    finding.evidence.push(inferred(EvidenceKey::PassedBytes, hole.largest));
    finding.fixes = vec![tcpwhy_advice::fix_mtu(), tcpwhy_advice::mss_clamp()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn hole() -> Transfer {
        Transfer { bytes: 100_000, largest_passing: Some(1300), ..Transfer::default() }
    }

    #[test]
    fn large_segments_vanish() {
        let finding = fires(RULE.id, &hole().run());
        assert!((number(&finding, "lost_bytes") - 1448.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "passed_bytes") - 536.0).abs() < 0.1, "{finding:?}");
        assert_eq!(finding.severity, Severity::Critical);
    }

    /// The first segments of a connection, retransmitted without effect, followed by the peer's last packet.
    fn stuck(size: u32, last: &str) -> Vec<tcpwhy_model::Segment> {
        let end = 1 + size;
        let repeat = |at| format!("{at} > . 1:{end}({size}) ack 1");
        let repeats = ["0.230", "0.650", "1.490", "3.170", "6.530"].map(repeat).join("\n");
        let text = format!(
            "0.000 > S 0:0(0) win 65535 <mss 1460>
             0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
             0.020 > . 1:1(0) ack 1
             0.021 > . 1:{end}({size}) ack 1
             0.021 > . {end}:{}({size}) ack 1
             {repeats}
             {last}",
            end + size
        );
        script(&text).segments
    }

    #[test]
    fn nothing_but_the_handshake_passes() {
        for last in ["30.000 < F. 1:1(0) ack 1 win 65535", "30.000 < P. 1:20(19) ack 1 win 65535"] {
            let finding = fires(RULE.id, &stuck(1460, last));
            assert!((number(&finding, "lost_bytes") - 1460.0).abs() < 0.1, "{finding:?}");
            assert!(finding.confidence < 0.7, "{finding:?}");
            is_silent("peer-silent", &stuck(1460, last));
        }
        // A peer that may be down; less than a full segment; a segment that arrived, whichever packet
        // acknowledged it.
        is_silent(RULE.id, &stuck(1460, ""));
        fires("peer-silent", &stuck(1460, ""));
        is_silent(RULE.id, &stuck(900, "30.000 < F. 1:1(0) ack 1 win 65535"));
        is_silent(RULE.id, &stuck(1460, "7.000 < F. 1:1(0) ack 1461 win 65535"));
    }

    /// A small message is acknowledged. The first full-size segments follow after `rest` seconds, and the
    /// peer sends nothing more.
    fn first_large(rest: f64, small: u32) -> Vec<tcpwhy_model::Segment> {
        let begin = 1 + small;
        let next = begin + 1460;
        let sent = |at: f64| format!("{:.6} > . {begin}:{next}(1460) ack 1", 0.041 + rest + at);
        let all = [0.0, 0.23, 0.65, 1.49, 3.17].map(sent).join("\n");
        let text = format!(
            "0.000 > S 0:0(0) win 65535 <mss 1460>
             0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1:{begin}({small}) ack 1
             0.041 < . 1:1(0) ack {begin} win 65535
             {all}"
        );
        script(&text).segments
    }

    /// `VANISHED_HEARD`: within a second of the peer's last packet.
    #[test]
    fn the_peer_is_silent_from_the_first_large_segment_on() {
        let all = first_large(1.0, 149);
        let finding = fires(RULE.id, &all);
        assert!((number(&finding, "lost_bytes") - 1460.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "passed_bytes") - 149.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "retransmitted_count") - 4.0).abs() < 0.1, "{finding:?}");
        is_silent("peer-silent", &all);
        // A peer that may have gone before; a peer that had received an equally large segment.
        for all in [first_large(1.001, 149), first_large(0.0, 1460)] {
            is_silent(RULE.id, &all);
            fires("peer-silent", &all);
        }
    }

    /// Without SACK, duplicate ACKs show that a segment after the large one arrived.
    #[test]
    fn duplicate_acks_answer_the_small_tail() {
        let all = |first: u32, duplicate: bool| {
            let [begin, end] = [1 + first, 1461 + first];
            let repeats = [0.23, 0.65, 1.49, 3.17].map(|at| format!("{:.3} > . {begin}:{end}(1460) ack 1", 3.041 + at));
            let duplicate = format!("3.061 < . 1:1(0) ack {begin} win 65535\n").repeat(duplicate.into());
            let text = format!(
                "0.000 > S 0:0(0) win 65535 <mss 1460>
                 0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
                 0.020 > . 1:1(0) ack 1
                 0.021 > . 1:{begin}({first}) ack 1
                 0.040 < . 1:1(0) ack {begin} win 65535
                 3.041 > . {begin}:{end}(1460) ack 1
                 3.041 > P. {end}:{}(300) ack 1
                 {}
                 {}",
                end + 300,
                duplicate,
                repeats.join("\n")
            );
            script(&text).segments
        };
        fires(RULE.id, &all(100, true));
        is_silent(RULE.id, &all(100, false));
        // A segment of that size had passed, so the one behind it may be as large.
        is_silent(RULE.id, &all(1460, true));
    }

    /// A `ClientHello` with a post-quantum key share (X25519MLKEM768, about 1,800 bytes) needs two segments.
    /// In a tunnel the first one disappears, and the small second one arrives.
    #[test]
    fn a_client_hello_of_two_segments() {
        let handshake = "0.000 > S 0:0(0) win 65535 <mss 1460,sackOK>
             0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK>
             0.020 > . 1:1(0) ack 1";
        let repeats = [0.25, 0.67, 1.51, 3.19].map(|at| format!("{at} > . 1:1461(1460) ack 1")).join("\n");
        let at_client = format!(
            "{handshake}
             0.021 > . 1:1461(1460) ack 1
             0.021 > P. 1461:1801(340) ack 1
             0.041 < . 1:1(0) ack 1 win 65535 <sack 1461:1801>
             {repeats}
             10.020 < F. 1:1(0) ack 1 win 65535 <sack 1461:1801>"
        );
        let finding = fires(RULE.id, &script(&at_client).segments);
        assert!((number(&finding, "lost_bytes") - 1460.0).abs() < 0.1, "{finding:?}");
        let at_server = "0.000 > S 0:0(0) win 65535 <mss 1460,sackOK>
             0.0001 < S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK>
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1461:1801(340) ack 1
             0.0211 < . 1:1(0) ack 1 win 65535 <sack 1461:1801>
             10.020 < F. 1:1(0) ack 1 win 65535 <sack 1461:1801>
             10.040 > . 1801:1801(0) ack 2";
        fires(RULE.id, &script(at_server).segments);
    }

    /// At the client: the answer never arrives, and the server's last ACK has the sequence number after it.
    #[test]
    fn an_answer_that_only_a_sequence_number_shows() {
        let at_client = |seq: u32| {
            let text = format!(
                "0.000 > S 0:0(0) win 65535 <mss 1460>
                 0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
                 0.020 > . 1:1(0) ack 1
                 0.021 > P. 1:518(517) ack 1
                 0.041 < . 1:1(0) ack 518 win 65535
                 0.045 < P. 1:642(641) ack 518 win 65535
                 0.045 > . 518:518(0) ack 642
                 0.050 > P. 518:611(93) ack 642
                 0.070 < . 642:642(0) ack 611 win 65535
                 10.070 > F. 611:611(0) ack 642
                 10.090 < . {seq}:{seq}(0) ack 612 win 65535"
            );
            script(&text).segments
        };
        let finding = fires(RULE.id, &at_client(18_042));
        assert!((number(&finding, "passed_bytes") - 641.0).abs() < 0.1, "{finding:?}");
        is_silent(RULE.id, &at_client(642));
    }

    #[test]
    fn large_segments_pass() {
        is_silent(RULE.id, &Transfer { lost: (0..10).collect(), largest_passing: None, ..hole() }.run());
        is_silent(RULE.id, &Transfer { mss: 536, ..hole() }.captured_at(Capture::Receiver).run());
    }
}
