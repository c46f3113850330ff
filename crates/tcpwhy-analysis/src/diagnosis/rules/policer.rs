//! Losses start whenever a certain rate is exceeded, without a rise of the delay before: a policer.
//!
//! The traffic after losses identifies a policer: a token bucket that dropped is empty, so nothing passes
//! faster than its rate. At other times trains pass at wire speed (`facts/half/policing/`). Rate and burst
//! follow from the line through the losses (Flach et al., "An Internet-Wide Analysis of Traffic Policing",
//! SIGCOMM 2016, §3.1).

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};
use crate::facts::half::policing::Sign;

pub(super) static RULE: Rule = Rule {
    id: "policer",
    limits: &[Limit::Path, Limit::LossRecovery, Limit::CongestionWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.05;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::Policer))?;
    let policer = facts.half.policer();
    // A policer counts packets, with their headers.
    let bits = |payload: f64| payload * policer.map_or(1.0, |p| p.packet) * 8.0;
    let rate = bits(policer.map_or_else(|| facts.goodput(), |p| p.rate));
    let evidence = &mut finding.evidence;
    evidence.push(inferred(EvidenceKey::RateBitsPerS, rate));
    if let Some((low, high)) = policer.and_then(|p| p.range) {
        evidence.push(inferred(EvidenceKey::RateLowBitsPerS, bits(low)));
        evidence.push(inferred(EvidenceKey::RateHighBitsPerS, bits(high)));
    }
    if let Some(burst) = policer.and_then(|p| p.burst) {
        evidence.push(inferred(EvidenceKey::BurstBytes, (bits(burst.bytes) / 8.0).round() as u64));
        evidence.push(inferred(EvidenceKey::ChunkCount, burst.chunks));
        evidence.push(inferred(EvidenceKey::AgreeingChunkCount, burst.agreeing));
    }
    if let Some(train) = facts.train_rate() {
        evidence.push(inferred(EvidenceKey::PeakRateBitsPerS, bits(train)));
    }
    if let Some(policer) = policer {
        evidence.push(inferred(EvidenceKey::LossCount, policer.losses));
        let [losses, passes] = match policer.sign {
            Sign::NothingFaster => [EvidenceKey::FittingPercent, EvidenceKey::FittingPassesPercent],
            Sign::EmptyBucket => [EvidenceKey::EmptyBucketPercent, EvidenceKey::EmptyBucketPassesPercent],
        };
        evidence.push(inferred(losses, policer.fitting * 100.0));
        evidence.push(inferred(passes, policer.fitting_passes * 100.0));
    }
    evidence.push(exact(EvidenceKey::RetransmittedPercent, facts.retransmitted_percent()));
    evidence.extend(facts.rtt_min_evidence());
    evidence.extend(facts.rtt_evidence(Limit::Path));
    finding.fixes = vec![tcpwhy_advice::shape_below_policer(rate), tcpwhy_advice::use_bbr()];
    finding.prediction = if_removed(facts, Detail::Policer.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer, Writer, mbit, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn policed() -> Transfer {
        Transfer { bytes: 12_000_000, policer: Some((mbit(10), 200_000)), ..Transfer::default() }
    }

    #[test]
    fn losses_that_leave_an_empty_bucket() {
        for capture in [Capture::Sender, Capture::Middle, Capture::Receiver] {
            let finding = fires(RULE.id, &policed().captured_at(capture).run());
            // With headers, as the policer counts.
            assert!((9.5e6..10.5e6).contains(&number(&finding, "rate_bits_per_s")), "{finding:?}");
            assert!((150e3..250e3).contains(&number(&finding, "burst_bytes")), "{finding:?}");
            assert!(number(&finding, "fitting_percent") >= 80.0, "{finding:?}");
        }
    }

    /// The token bucket fills while the application pauses, and each chunk shows its depth.
    #[test]
    fn chunks_with_rests_between() {
        let chunks = Transfer {
            bytes: 20_000_000,
            writer: Writer::Bursts { bytes: 4_000_000, pause: ms(1000) },
            policer: Some((mbit(10), 400_000)),
            ..Transfer::default()
        };
        let finding = fires(RULE.id, &chunks.run());
        assert!((9.5e6..10.5e6).contains(&number(&finding, "rate_bits_per_s")), "{finding:?}");
        assert!((340e3..460e3).contains(&number(&finding, "burst_bytes")), "{finding:?}");
        assert!(number(&finding, "agreeing_chunk_count") >= 4.0, "{finding:?}");
    }

    /// The transfer is not faster than rate and burst allow, and the headline has the seconds of the
    /// timeline.
    #[test]
    fn what_it_says_adds_up() {
        let segments = policed().run();
        let finding = fires(RULE.id, &segments);
        let Some(prediction) = &finding.prediction else { panic!("{finding:?}") };
        let line = (12e6 * 1514.0 / 1448.0 - 200e3) * 8.0 / 10e6;
        assert!(prediction.seconds.low >= line * 0.97, "{prediction:?} {line}");
        let mut analyzer = crate::Analyzer::new();
        for segment in &segments {
            analyzer.observe(segment);
        }
        let connections = analyzer.finish();
        let half = &connections[0].halves[0];
        let policed = half.limits.nanos_of_cause(Detail::Policer.into()) as f64 / 1e9;
        assert_eq!(half.verdict.cause, Some(Detail::Policer.into()));
        assert!((half.verdict.seconds - policed).abs() < 1e-6, "{} {policed}", half.verdict.seconds);
    }

    #[test]
    fn a_short_queue() {
        for queue in [15_000, 100_000, 1_000_000] {
            is_silent(RULE.id, &Transfer { policer: None, rate: Some(mbit(10)), queue, ..policed() }.run());
        }
    }

    /// Losses by chance, and losses of every n-th packet.
    #[test]
    fn losses_without_a_rate() {
        for every in [50, 97, 150] {
            let lossy = Transfer { policer: None, lost_every: Some(every), ..policed() };
            is_silent(RULE.id, &lossy.run());
            let mut dice = every;
            let mut is_lost = || {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (dice >> 33).is_multiple_of(every)
            };
            let lost = (0..20_000).filter(|_| is_lost()).collect();
            is_silent(RULE.id, &Transfer { lost_every: None, lost, ..lossy }.run());
        }
    }
}
