//! Losses were repaired one segment per round trip, or by the timer, because one end did not offer SACK (RFC
//! 2018).
//!
//! Without SACK, the sender learns of one hole at a time: every partial ACK allows one retransmission (RFC
//! 6582 §3.2, step 3). SACK-based recovery (RFC 6675, RFC 8985) needs about one round trip for all holes,
//! recovery without it one per hole. Linux has neither RACK nor tail loss probes without SACK
//! (`tcp_schedule_loss_probe`, `tcp_identify_packet_loss`), so it waits for the timer more often.

use tcpwhy_model::{Detail, EvidenceKey, Finding, FixPlace, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Role;
use crate::seen::SynFacts;

pub(super) static RULE: Rule = Rule {
    id: "sack-not-offered",
    limits: &[Limit::LossRecovery],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// The SYNs show it; the duration of a repair with SACK is computed.
const CONFIDENCE: f64 = 0.85;

/// Minimum share of the time, and minimum seconds, for which a change of a setting is worthwhile.
const LEAST_SHARE: f64 = 0.05;
const LEAST_SECONDS: f64 = 0.05;
/// Minimum number of timeouts. A single one may have another cause.
const LEAST_TIMEOUTS: u32 = 2;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    // A SYN without any option may have been truncated by the capture.
    let is_refused = |syn: Option<SynFacts>| syn.is_some_and(|s| !s.has_sack && s.mss.is_some());
    // A SYN-ACK offers only options of the SYN (`tcp_synack_options` of Linux). So if both lack SACK, the
    // client did not offer it.
    let is_by_sender = match (is_refused(facts.sender_syn), is_refused(facts.receiver_syn)) {
        (false, false) => return None,
        (true, true) => facts.role == Role::Client,
        (is_by_sender, _) => is_by_sender,
    };
    let repairs = facts.signs.map(|s| s.repairs).unwrap_or_default();
    let by_timer = if facts.half.timeouts >= LEAST_TIMEOUTS { facts.seconds_of_detail(Detail::Rto) } else { 0.0 };
    let seconds = repairs.nanos as f64 / 1e9;
    // Recoveries that ended with a timeout are in both sums.
    let cost = seconds.max(by_timer);
    if facts.share(cost) < LEAST_SHARE || cost < LEAST_SECONDS {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.severity = facts.severity_of_note(cost);
    finding.seconds = Some(cost);
    finding.evidence.push(exact(
        if is_by_sender { EvidenceKey::SenderOfferedSack } else { EvidenceKey::ReceiverOfferedSack },
        false,
    ));
    finding.evidence.push(exact(EvidenceKey::RetransmittedCount, facts.half.counts.retransmitted_segments));
    if repairs.recoveries > 0 {
        finding.evidence.push(inferred(EvidenceKey::SlowRecoveryCount, repairs.recoveries));
        finding.evidence.push(inferred(EvidenceKey::SlowRepairCount, repairs.segments));
        finding.evidence.push(inferred(EvidenceKey::SlowRepairUs, repairs.nanos / 1000));
    }
    if facts.half.timeouts > 0 {
        finding.evidence.push(inferred(EvidenceKey::TimeoutCount, facts.half.timeouts));
    }
    finding.evidence.extend(facts.typical_rtt_evidence());
    finding.fixes =
        vec![tcpwhy_advice::enable_sack(if is_by_sender { FixPlace::SendingHost } else { FixPlace::ReceivingHost })];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    /// Several holes per window, repeatedly. Without SACK, this sender waits for its timer.
    fn lossy() -> Transfer {
        let lost = (0..12).flat_map(|i| [0, 3, 7, 12, 20].map(|at| 100 + i * 160 + at)).collect();
        Transfer { bytes: 3_000_000, lost, has_sack: false, ..Transfer::default() }
    }

    /// Ten segments, four of which are lost. In a repair as in RFC 6582, each partial ACK allows one
    /// retransmission. `at_once`: whether all four are retransmitted together instead.
    fn partial_acknowledgments(options: &str, at_once: bool) -> String {
        let mut text = format!(
            "0.000 > S 0:0(0) <mss 1000{options}>
            0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000{options}>
            0.020 > . 1:1(0) ack 1\n"
        );
        for i in 0..10 {
            let _ = writeln!(text, "+0.0001 > P. {}:{}(1000) ack 1 win 512", 1 + i * 1000, 1001 + i * 1000);
        }
        text += "0.041 < . 1:1(0) ack 1001 win 65535\n";
        for _ in 0..5 {
            text += "+0.0001 < . 1:1(0) ack 1001 win 65535\n";
        }
        for lost in [1, 3, 5, 7] {
            let _ = writeln!(text, "+0.0001 > P. {}:{}(1000) ack 1 win 512", 1 + lost * 1000, 1001 + lost * 1000);
            if !at_once {
                let ack = if lost == 7 { 10_001 } else { 2001 + lost * 1000 };
                let _ = writeln!(text, "+0.020 < . 1:1(0) ack {ack} win 65535");
            }
        }
        if at_once {
            text += "+0.020 < . 1:1(0) ack 10001 win 65535\n";
        }
        text
    }

    #[test]
    fn one_repair_a_round_trip() {
        let finding = fires(RULE.id, &script(&partial_acknowledgments("", false)).segments);
        assert!((number(&finding, "slow_recovery_count") - 1.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "slow_repair_count") - 4.0).abs() < 0.1, "{finding:?}");
        assert!(number(&finding, "slow_repair_us") > 75_000.0, "{finding:?}");
        is_silent(RULE.id, &script(&partial_acknowledgments(",sackOK", false)).segments);
        is_silent(RULE.id, &script(&partial_acknowledgments("", true)).segments);
    }

    /// The end that did not offer SACK, in a SYN or in a SYN-ACK.
    #[test]
    fn who_did_not_offer_it() {
        let refused = |is_download, ends: &[usize]| {
            let mut all = Transfer { is_download, ..lossy() }.run();
            for (i, syn) in all.iter_mut().take(2).enumerate() {
                syn.options.sack_permitted = !ends.contains(&i);
            }
            let finding = fires(RULE.id, &all);
            (finding.evidence[0].key, finding.fixes[0].place)
        };
        let sender = (EvidenceKey::SenderOfferedSack, FixPlace::SendingHost);
        let receiver = (EvidenceKey::ReceiverOfferedSack, FixPlace::ReceivingHost);
        assert_eq!(refused(false, &[0, 1]), sender);
        assert_eq!(refused(true, &[0, 1]), receiver);
        assert_eq!(refused(false, &[1]), receiver);
        assert_eq!(refused(true, &[1]), sender);
    }

    #[test]
    fn timeouts() {
        let finding = fires(RULE.id, &lossy().run());
        assert!(number(&finding, "timeout_count") >= 2.0, "{finding:?}");
        assert!(finding.severity == Severity::Warning && finding.seconds.is_some_and(|s| s > 0.3), "{finding:?}");
    }

    #[test]
    fn all_repairs_in_one_round_trip() {
        is_silent(RULE.id, &Transfer { has_sack: true, ..lossy() }.run());
    }

    #[test]
    fn nothing_lost_or_one_segment_at_a_time() {
        is_silent(RULE.id, &Transfer { lost: Vec::new(), ..lossy() }.run());
        is_silent(RULE.id, &Transfer { lost: vec![200, 900], ..lossy() }.run());
    }

    /// The options of a SYN are unknown if it was not captured, or only its first bytes.
    #[test]
    fn without_the_options() {
        let all = lossy().run();
        is_silent(RULE.id, &all[3..]);
        let mut cut = all.clone();
        for syn in &mut cut[..2] {
            syn.options = tcpwhy_model::TcpOptions::default();
        }
        is_silent(RULE.id, &cut);
    }
}
