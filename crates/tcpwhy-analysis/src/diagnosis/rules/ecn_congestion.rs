//! Queues marked packets instead of dropping them, and the sender slowed down: congestion without a loss (RFC
//! 3168).
//!
//! The receiver echoes a mark (ECE) until the sender reports a reduced window (CWR), at most once per round
//! trip (RFC 3168 §6.1). With accurate ECN the flags count marks (RFC 9768 §3.2), so only captured marks are
//! evidence then.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};
use crate::seen::EcnOffer;

pub(super) static RULE: Rule = Rule {
    id: "ecn-congestion",
    limits: &[Limit::CongestionWindow],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// The packets contain the marks.
const CONFIDENCE: f64 = 0.9;
/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.05;

/// One reduction happens after a loss in any transfer.
const LEAST_REDUCTIONS: u32 = 2;
/// Minimum number of marks if reductions are not visible.
const LEAST_MARKS: u32 = 5;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let explained = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::PostMark));
    let is_explained = explained.is_some();
    let congestion = facts.signs.map(|signs| signs.congestion).unwrap_or_default();
    let (reductions, echoes) = match facts.ecn() {
        Some(EcnOffer::Accurate) => (0, 0),
        Some(EcnOffer::Classic) => (congestion.reductions, congestion.echoes),
        // In a capture that started mid-connection, only both flags together are evidence.
        None if congestion.echoes > 0 && congestion.reductions > 0 => (congestion.reductions, congestion.echoes),
        None if is_explained => (0, 0),
        // Without ECN, the bits may have another use, as before RFC 2474.
        Some(EcnOffer::None) | None => return None,
    };
    if !is_explained && reductions < LEAST_REDUCTIONS && congestion.marked < LEAST_MARKS {
        return None;
    }
    let mut finding = explained.unwrap_or_else(|| {
        let mut finding = note(&RULE, CONFIDENCE);
        // If reductions are not visible, they may be the cause of a small window. Otherwise that time has
        // other known causes.
        let slowed = if reductions > 0 { 0.0 } else { facts.seconds_of(Limit::CongestionWindow) };
        finding.severity = facts.severity_of_note(slowed);
        finding
    });
    if reductions > 0 {
        finding.evidence.push(exact(EvidenceKey::ReductionCount, reductions));
    }
    if echoes > 0 {
        finding.evidence.push(exact(EvidenceKey::EchoCount, echoes));
    }
    if congestion.marked > 0 {
        let share = f64::from(congestion.marked) * 100.0 / facts.half.counts.segments.max(1) as f64;
        finding.evidence.push(exact(EvidenceKey::MarkCount, congestion.marked));
        finding.evidence.push(exact(EvidenceKey::MarkPercent, share.min(100.0)));
    }
    finding.evidence.push(exact(EvidenceKey::RetransmittedCount, facts.half.counts.retransmitted_segments));
    if is_explained {
        finding
            .evidence
            .extend(facts.flight(Limit::CongestionWindow).map(|flight| inferred(EvidenceKey::FlightBytes, flight)));
        finding.prediction = if_removed(facts, Detail::PostMark.into());
    }
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.typical_rtt_evidence());
    finding.fixes = vec![tcpwhy_advice::find_marking_queue()];
    // A congestion window that marks keep small does not use the path fully, so more capacity would not help.
    if !is_explained {
        finding.fixes.push(tcpwhy_advice::raise_capacity());
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Ecn, IpHeader, Segment, TcpFlags};
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{explains, fires, is_silent, number};
    use super::*;

    /// A transfer with ECN flags `syns` on its SYNs. Some data is marked, and the mark is echoed until the
    /// sender reports a reduced window.
    fn marked(syns: [TcpFlags; 2]) -> Vec<Segment> {
        let mut all = Transfer::default().run();
        for (segment, flags) in all.iter_mut().zip(syns) {
            segment.flags = segment.flags.union(flags);
        }
        let (mut is_marked, mut is_echoed, mut count) = (false, false, 0);
        for segment in all.iter_mut().skip(3) {
            if segment.payload_len > 0 {
                count += 1;
                let ecn = if count % 400 == 0 { Ecn::CongestionExperienced } else { Ecn::Capable0 };
                segment.ip = IpHeader::new(segment.ip.identification, 64, ecn);
                if is_echoed {
                    segment.flags = segment.flags.union(TcpFlags::CWR);
                    (is_marked, is_echoed) = (false, false);
                }
                is_marked |= ecn == Ecn::CongestionExperienced;
            } else if is_marked {
                segment.flags = segment.flags.union(TcpFlags::ECE);
                is_echoed = true;
            }
        }
        all
    }

    const OFFER: TcpFlags = TcpFlags::ECE.union(TcpFlags::CWR);

    #[test]
    fn marks_and_smaller_windows() {
        let finding = fires(RULE.id, &marked([OFFER, TcpFlags::ECE]));
        assert!((number(&finding, "mark_count") - 6.0).abs() < 0.1, "{finding:?}");
        assert!(number(&finding, "reduction_count") >= 5.0, "{finding:?}");
        fires(RULE.id, &marked([OFFER, TcpFlags::ECE])[3..]);
    }

    #[test]
    fn a_window_that_marks_keep_small() {
        let finding = fires(RULE.id, &Transfer { marked_every: Some(200), ..Transfer::default() }.run());
        assert_eq!(finding.severity, Severity::Warning);
        assert!(number(&finding, "flight_bytes") < 60_000.0, "{finding:?}");
        assert!(finding.seconds.is_some() && finding.prediction.is_some(), "{finding:?}");
        is_silent("congestion-window-post-loss", &Transfer { marked_every: Some(200), ..Transfer::default() }.run());
        explains(detect, Detail::PostMark);
    }

    #[test]
    fn counters_of_accurate_ecn_are_no_reductions() {
        let finding = fires(RULE.id, &marked([OFFER.union(TcpFlags::AE), TcpFlags::CWR]));
        assert!(finding.evidence.iter().all(|e| e.key.id() != "reduction_count"), "{finding:?}");
    }

    #[test]
    fn without_an_agreement_or_without_marks() {
        is_silent(RULE.id, &marked([OFFER, TcpFlags::default()]));
        is_silent(RULE.id, &marked([TcpFlags::default(), TcpFlags::default()]));
        let mut unmarked = Transfer::default().run();
        unmarked[0].flags = unmarked[0].flags.union(OFFER);
        unmarked[1].flags = unmarked[1].flags.union(TcpFlags::ECE);
        is_silent(RULE.id, &unmarked);
    }
}
