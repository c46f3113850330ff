//! The largest segment is smaller than Ethernet's, although not both ends announced that. The cause is a
//! tunnel, a router that rewrites the MSS option (MSS clamping), or a learnt path MTU (RFC 1191, RFC 8201).
//!
//! Each end announces in its SYN what it can receive: 1,460 bytes over Ethernet and IPv4, 1,440 over IPv6
//! (RFC 9293 §3.7.1). If the two differ, one end announced less than usual. If they agree but no segment is
//! as large, the SYN that the sender received differs from the captured one. A sender that waits for a window
//! or the path fills its segments (RFC 9293 §3.8.6.2.1). A window of less than two full segments is filled
//! with smaller ones.

use tcpwhy_model::{Cause, Detail, EvidenceKey, Finding, Limit, Severity};

use super::tiny_mss;
use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Vantage;

pub(super) static RULE: Rule =
    Rule { id: "mss-clamped", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

/// The two SYNs have different sizes.
const CONFIDENCE: f64 = 0.9;
/// No segment is as large as the SYNs allow. A sender that knows the path MTU looks the same.
const CONFIDENCE_CARRIED: f64 = 0.7;

/// MSS of Ethernet over IPv6: 1,500 bytes less headers of 40 and 20.
const ETHERNET: u64 = 1440;
/// Bytes of the timestamps option in each segment, padded (RFC 7323 appendix A).
const TIMESTAMPS: u64 = 12;
/// Minimum difference, bytes. Options in some segments may explain less (SACK needs at least 12 bytes).
const LEAST_DIFFERENCE: u64 = 16;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let syns = [facts.sender_syn?, facts.receiver_syn?];
    let [sender, receiver] = syns.map(|syn| syn.mss.map_or(0, u64::from));
    let (least, most) = (sender.min(receiver), sender.max(receiver));
    let options = if syns.iter().all(|syn| syn.has_timestamps) { TIMESTAMPS } else { 0 };
    let carried = facts.half.counts.largest_payload + options;
    // An MSS below that of any usual link has its own rule.
    if least < u64::from(tiny_mss::LEAST_USUAL) || facts.half.counts.bytes < tiny_mss::LEAST_SEGMENTS * facts.half.mss {
        return None;
    }
    // Segments captured at their sender follow the MSS that it received, so they show no difference.
    let is_elsewhere = matches!(facts.half.vantage, Vantage::Receiver | Vantage::Middle);
    let is_filled = facts.verdict.cause.is_some_and(fills_segments) && facts.has_room_for_two(least - options);
    let differ = least < most && least < ETHERNET;
    let is_less = is_elsewhere && is_filled && carried + LEAST_DIFFERENCE <= least && carried < ETHERNET;
    if !differ && !is_less {
        return None;
    }
    let mut finding = note(&RULE, if differ { CONFIDENCE } else { CONFIDENCE_CARRIED });
    if differ {
        finding.evidence.push(exact(EvidenceKey::SmallerMssBytes, least));
        finding.evidence.push(exact(EvidenceKey::LargerMssBytes, most));
    }
    if is_less {
        finding.evidence.push(inferred(EvidenceKey::CarriedMssBytes, carried));
        finding.evidence.push(exact(EvidenceKey::AllowedMssBytes, least));
    }
    finding.fixes = vec![tcpwhy_advice::raise_mss()];
    Some(finding)
}

/// Whether the sender always has more data under this cause. A congestion window that only the rhythm of ACKs
/// shows is excluded, because it may be a writer's pace.
fn fills_segments(cause: Cause) -> bool {
    let always = [Limit::Path, Limit::LossRecovery, Limit::SlowStart, Limit::ReceiveWindow];
    always.contains(&cause.limit) || cause == Detail::PostLoss.into()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::num::NonZeroU16;

    use tcpwhy_model::Segment;
    use tcpwhy_testkit::{Capture, Transfer, Writer, mbit, script};

    use super::super::testing::{findings, fires, is_silent, number, summed_up, timeline, with_facts_of};
    use super::*;
    use crate::infer::summary::Summary;

    /// Segments of 1,388 bytes and timestamps, over a slow path.
    fn narrow() -> Transfer {
        Transfer { mss: 1388, rate: Some(mbit(10)), bytes: 1_000_000, ..Transfer::default() }
    }

    /// A sender fills a window of `segments` of 576 bytes per round trip of 20 ms, captured at the receiver.
    fn filled(segments: u32) -> Vec<Segment> {
        let window = segments * 576;
        let mut text = format!(
            "0.000 < S 0:0(0) win 65535 <mss 1460>
            0.000 > S. 0:0(0) ack 1 win {window} <mss 1460>
            0.020 < . 1:1(0) ack 1 win 65535\n"
        );
        for round in 0..60 {
            let (time, first) = (40 + 20 * round, 1 + round * window);
            for from in (first..first + window).step_by(576) {
                let _ =
                    writeln!(text, "{}.{:03} < . {from}:{}(576) ack 1 win 65535", time / 1000, time % 1000, from + 576);
            }
            let _ = writeln!(text, "{}.{:03} > . 1:1(0) ack {} win {window}", time / 1000, time % 1000, first + window);
        }
        script(&text).segments
    }

    /// In a window below two segments, Linux sends half of it at a time, so a small path MTU is not the
    /// cause.
    #[test]
    fn a_window_below_two_segments_makes_them_small() {
        for (segments, is_clamped) in [(2, false), (5, false), (6, true), (20, true)] {
            let all = filled(segments);
            assert_eq!(!findings(RULE.id, &all).is_empty(), is_clamped, "{segments} segments");
            let buffer = findings("receive-window-small-buffer", &all);
            let half = buffer[0].evidence.iter().find(|evidence| evidence.key == EvidenceKey::HalfWindowBytes);
            assert_eq!(half.is_some(), segments == 2, "{segments} segments: {buffer:?}");
        }
        let room = |window: u32, size: u64| {
            let half = Summary { largest_window: window, ..summed_up(timeline(&[])) };
            with_facts_of(&half, Cause::plain(Limit::ReceiveWindow), |facts| facts.has_room_for_two(size))
        };
        assert_eq!([2_919, 2_920, 0].map(|window| room(window, 1460)), [false, true, true]);
    }

    /// The transfer with these MSS options in the client's SYN and the server's SYN-ACK.
    fn with_syns(transfer: &Transfer, mss: [u16; 2]) -> Vec<Segment> {
        let mut all = transfer.run();
        for (segment, mss) in all.iter_mut().zip(mss) {
            segment.options.mss = NonZeroU16::new(mss);
        }
        all
    }

    #[test]
    fn ends_that_say_different_sizes() {
        for mss in [[1460, 1400], [1400, 1460]] {
            let finding = fires(RULE.id, &with_syns(&narrow(), mss));
            assert!((number(&finding, "smaller_mss_bytes") - 1400.0).abs() < 0.1, "{finding:?}");
            assert!((number(&finding, "larger_mss_bytes") - 1460.0).abs() < 0.1, "{finding:?}");
        }
        // Both ends announce the same; Ethernet's MSS of both protocols; jumbo frames at one end; little
        // data.
        is_silent(RULE.id, &with_syns(&narrow(), [1400, 1400]));
        let usual = Transfer { mss: 1428, ..narrow() };
        is_silent(RULE.id, &with_syns(&usual, [1440, 1460]));
        is_silent(RULE.id, &with_syns(&usual, [1440, 8960]));
        is_silent(RULE.id, &with_syns(&Transfer { bytes: 30_000, ..narrow() }, [1460, 1400]));
        is_silent(RULE.id, &with_syns(&Transfer { mss: 488, ..narrow() }, [1460, 500]));
    }

    #[test]
    fn segments_smaller_than_both_ends_say() {
        let away = narrow().captured_at(Capture::Receiver);
        let finding = fires(RULE.id, &with_syns(&away, [1460, 1460]));
        assert!((number(&finding, "carried_mss_bytes") - 1400.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "allowed_mss_bytes") - 1460.0).abs() < 0.1, "{finding:?}");
        // Other options need as many bytes; the sender knows the path MTU; an application writes small
        // pieces.
        is_silent(RULE.id, &with_syns(&Transfer { mss: 1436, ..away.clone() }, [1460, 1460]));
        is_silent(RULE.id, &with_syns(&narrow(), [1460, 1460]));
        let writer = Writer::Paced { bytes: 1388, every: 3_000_000 };
        is_silent(RULE.id, &with_syns(&Transfer { writer, bytes: 500_000, ..away }, [1460, 1460]));
    }
}
