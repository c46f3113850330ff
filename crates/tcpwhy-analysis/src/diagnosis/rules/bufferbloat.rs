//! The round trip under load is a multiple of the smallest one, because of a persistent queue at the
//! bottleneck.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "bufferbloat", limits: &[], severity: Severity::Warning, detect: Detect::Half(detect) };

/// A path that became longer during the transfer looks the same, but is rare.
const CONFIDENCE: f64 = 0.85;

/// Minimum queueing delay, nanoseconds. Users notice 100 ms, and a call suffers from half of that.
const LEAST_DELAY: u64 = 50_000_000;
const LEAST_RATIO: u64 = 3;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let (rtt, base) = (facts.half.rtt?, facts.half.rtt_min?.max(1) as u64);
    let delay = rtt.median.saturating_sub(base);
    let is_busy = facts.share(facts.seconds_of(Limit::Path) - facts.seconds_of_detail(Detail::AckQueue)) >= 0.2;
    if !is_busy || delay < LEAST_DELAY || rtt.median < base * LEAST_RATIO {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(inferred(EvidenceKey::RttMinUs, base / 1000));
    finding.evidence.extend(facts.typical_rtt_evidence());
    finding.evidence.push(inferred(EvidenceKey::RttP95Us, rtt.p95 / 1000));
    finding.evidence.push(inferred(EvidenceKey::QueueDelayUs, delay / 1000));
    finding.fixes = vec![tcpwhy_advice::fix_queue_aqm()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer, mbit};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn queueing(queue: u64) -> Transfer {
        Transfer { bytes: 10_000_000, rate: Some(mbit(10)), queue, ..Transfer::default() }
    }

    #[test]
    fn half_a_second_of_queue() {
        for capture in [Capture::Sender, Capture::Receiver] {
            let finding = fires(RULE.id, &queueing(625_000).captured_at(capture).run());
            assert!(number(&finding, "queue_delay_us") > 200_000.0, "{finding:?}");
            assert!((19_000.0..22_000.0).contains(&number(&finding, "rtt_min_us")), "{finding:?}");
        }
    }

    #[test]
    fn a_queue_of_one_round_trip() {
        is_silent(RULE.id, &queueing(25_000).run());
    }
}
