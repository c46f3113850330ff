//! The bottleneck of the path was busy all the time: its capacity is the limit, and a larger window only
//! lengthens its queue.

use tcpwhy_model::{Cause, Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "path-busy", limits: &[Limit::Path], severity: Severity::Warning, detect: Detect::Half(detect) };

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.2;

/// Whether the forward path is saturated, rather than the path of the ACKs.
fn is_of_data(cause: Cause) -> bool {
    cause.limit == Limit::Path && !matches!(cause.detail, Some(Detail::Policer | Detail::AckQueue))
}

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, is_of_data)?;
    let rate = facts.rate_under(Limit::Path).unwrap_or_else(|| facts.goodput());
    finding.evidence.push(inferred(EvidenceKey::RateBitsPerS, rate * 8.0));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.rtt_evidence(Limit::Path));
    if facts.half.counts.retransmitted_bytes > 0 {
        finding.evidence.push(exact(EvidenceKey::RetransmittedPercent, facts.retransmitted_percent()));
    }
    if facts.half.is_window_held_by_queue() || facts.half.is_window_next {
        finding.evidence.push(exact(EvidenceKey::WindowBytes, facts.half.window_max()));
    }
    finding.fixes = vec![tcpwhy_advice::raise_capacity()];
    finding.prediction = if_removed(facts, Detail::Queue.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer, mbit};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn narrow() -> Transfer {
        Transfer { bytes: 10_000_000, rate: Some(mbit(20)), queue: 100_000, ..Transfer::default() }
    }

    #[test]
    fn a_bottleneck_with_a_queue() {
        for capture in [Capture::Sender, Capture::Receiver] {
            let finding = fires(RULE.id, &narrow().captured_at(capture).run());
            assert!((17e6..22e6).contains(&number(&finding, "rate_bits_per_s")), "{finding:?}");
        }
    }

    #[test]
    fn a_buffer_on_a_fast_path() {
        is_silent(RULE.id, &Transfer { send_buffer: Some(64_000), ..Transfer::default() }.run());
    }
}
