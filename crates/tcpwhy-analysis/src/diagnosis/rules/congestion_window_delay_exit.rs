//! Slow start ended without a loss, and the window then grew slowly.
//!
//! Linux has two causes for that. `HyStart` (RFC 9406, `hystart_update` in `tcp_cubic`) ends slow start if
//! the delay rises, or if ACKs come evenly for half a round trip. And a new connection starts with the
//! threshold of an earlier one to the same peer (`tcp_init_metrics`; since Linux 5.6 only if
//! `tcp_no_ssthresh_metrics_save` is 0).

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};
use crate::infer::early_exit::EarlyExit;

pub(super) static RULE: Rule = Rule {
    id: "congestion-window-delay-exit",
    limits: &[Limit::CongestionWindow],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.1;

/// `HyStart` does not end slow start below this number of segments (`hystart_low_window` of `tcp_cubic`,
/// Linux 6.18).
const HYSTART_SEGMENTS: u64 = 16;
/// `HyStart` requires a rise by 1/8 of the smallest round trip, but 4 to 16 ms (`HYSTART_DELAY_THRESH`).
const DELAY_SHARE: i64 = 8;
const DELAY_RANGE: [i64; 2] = [4_000_000, 16_000_000];

/// Cause of the end of slow start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// A remembered threshold, because `HyStart` needs more segments.
    AtThreshold,
    /// `HyStart`, because the delay had risen by its threshold.
    OnDelay,
    /// Either of the two.
    Unclear,
}

/// Cause of the early exit. `mss` in bytes; `rtt_min`, the connection's smallest round trip, in nanoseconds.
fn ended(exit: EarlyExit, mss: u64, rtt_min: Option<i64>) -> Ended {
    if u64::from(exit.flight) < HYSTART_SEGMENTS * mss {
        return Ended::AtThreshold;
    }
    let [least, most] = DELAY_RANGE;
    let rise = rtt_min.filter(|_| exit.rtt > 0).map(|base| i64::from(exit.rtt) * 1000 - base);
    let has_risen = rise.zip(rtt_min).is_some_and(|(rise, base)| rise >= (base / DELAY_SHARE).clamp(least, most));
    if has_risen { Ended::OnDelay } else { Ended::Unclear }
}

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::DelayExit))?;
    let exit = facts.half.moved.seen_under(Limit::CongestionWindow).and_then(|seen| seen.early_exit);
    let flight = exit.map(|exit| exit.flight.into()).or_else(|| facts.flight(Limit::CongestionWindow))?;
    finding.evidence.push(inferred(EvidenceKey::FlightBytes, flight));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.rtt_evidence(Limit::CongestionWindow));
    finding.fixes = match exit.map_or(Ended::Unclear, |exit| ended(exit, facts.half.mss, facts.half.rtt_min)) {
        Ended::AtThreshold => vec![tcpwhy_advice::forget_metrics(), tcpwhy_advice::use_bbr()],
        Ended::OnDelay => vec![tcpwhy_advice::use_bbr(), tcpwhy_advice::disable_hystart()],
        Ended::Unclear => {
            vec![tcpwhy_advice::disable_hystart(), tcpwhy_advice::forget_metrics().as_rival(), tcpwhy_advice::use_bbr()]
        }
    };
    finding.prediction = if_removed(facts, Detail::DelayExit.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{explains, fires, is_silent, number, with_facts};
    use super::*;

    #[test]
    fn slow_start_that_ends_without_a_loss() {
        let early = Transfer { slow_start_until: Some(40_000), ..Transfer::default() };
        let finding = fires(RULE.id, &early.run());
        assert!((30_000.0..400_000.0).contains(&number(&finding, "flight_bytes")), "{finding:?}");
        is_silent(RULE.id, &Transfer { lost_every: Some(200), ..early }.run());
        is_silent(RULE.id, &Transfer::default().run());
    }

    const MSS: u64 = 1448;

    #[test]
    fn few_segments_are_a_remembered_threshold() {
        let with = |segments: u32, rtt| ended(EarlyExit { flight: segments * MSS as u32, rtt }, MSS, Some(40_000_000));
        assert_eq!(with(15, 60_000), Ended::AtThreshold);
        assert_eq!(with(16, 60_000), Ended::OnDelay);
        assert_eq!(with(16, 40_000), Ended::Unclear);
    }

    #[test]
    fn a_risen_delay_is_hystart() {
        let with = |rtt, base| ended(EarlyExit { flight: 100_000, rtt }, MSS, base);
        for (base, least) in [(10_000_000, 14_000), (40_000_000, 45_000), (200_000_000, 216_000)] {
            assert_eq!(with(least - 1, Some(base)), Ended::Unclear);
            assert_eq!(with(least, Some(base)), Ended::OnDelay);
        }
        assert_eq!([with(0, Some(1_000_000)), with(9_000, None)], [Ended::Unclear; 2]);
    }

    #[test]
    fn explains_an_early_exit() {
        assert!(!explains(detect, Detail::DelayExit).fixes.is_empty());
        assert!(with_facts(Detail::PostLoss.into(), detect).is_none());
    }
}
