//! A send buffer and a receive buffer of the same size: without one, the other limits to the same rate.
//!
//! Programs that set both (`SO_SNDBUF`, `SO_RCVBUF`), often from one option, get the same size at both ends.
//! Which of them limits changes between round trips. A change at one end alone gains nothing.

use tcpwhy_model::{Cause, Detail, EvidenceKey, Finding, Limit, Prediction, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::{if_both_removed, if_removed};
use crate::diagnosis::{Detect, Rule};
use crate::thresholds::{BUFFERS_ALIKE, EACH_END_PART, part};

pub(super) static RULE: Rule = Rule {
    id: "buffers-alike",
    limits: &[Limit::SendBuffer, Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.1;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    if !are_alike(facts) {
        return None;
    }
    let mut finding =
        facts.explain(&RULE, LEAST_SHARE, |cause| cause.limit == Limit::SendBuffer || is_offered(cause))?;
    finding.evidence.push(inferred(EvidenceKey::PlateauBytes, facts.flight(Limit::SendBuffer)?));
    finding.evidence.push(exact(EvidenceKey::WindowBytes, facts.half.window_max()));
    finding.evidence.extend(facts.rtt_evidence_with_base(Limit::ReceiveWindow));
    finding.fixes = vec![tcpwhy_advice::remove_both_buffers()];
    finding.prediction = if_both_removed(facts, Cause::plain(Limit::SendBuffer), Some(Limit::ReceiveWindow));
    Some(finding)
}

/// Whether the cause is a receive buffer that is small, or as large as it may grow.
fn is_offered(cause: Cause) -> bool {
    matches!(cause.detail, Some(Detail::SmallBuffer | Detail::Capped))
}

/// Whether a send buffer and a receive buffer of one size were the limit, each for a part of the time.
fn are_alike(facts: &HalfFacts<'_>) -> bool {
    let limits = &facts.half.limits;
    let (held, offered) = (limits.nanos_of(Limit::SendBuffer), limits.sum(is_offered).0);
    let is_both = offered > 0 && part(held.min(offered), held + offered) >= EACH_END_PART;
    let window = facts.half.window_max();
    let is_alike = |plateau: u64| part(plateau.min(window), plateau.max(window)) >= BUFFERS_ALIKE;
    is_both && facts.flight(Limit::SendBuffer).is_some_and(is_alike)
}

/// Predicted gain of a change to one of the buffers; `None` if the other one is as small.
pub(super) fn without_one(facts: &HalfFacts<'_>, cause: Cause) -> Option<Prediction> {
    if are_alike(facts) { None } else { if_removed(facts, cause) }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Distribution, LimitTimeline};
    use tcpwhy_testkit::{ReceiveBuffer, Transfer};

    use super::super::testing::{fixes, is_silent, summed_up, timeline, with_facts_of};
    use super::*;
    use crate::infer::summary::Summary;

    const SECOND: i64 = 1_000_000_000;

    /// Seconds with a full send buffer, and with a full window.
    fn behind(held: i64, offered: i64) -> LimitTimeline {
        timeline(&[(held * SECOND, Cause::plain(Limit::SendBuffer)), (offered * SECOND, Detail::SmallBuffer.into())])
    }

    fn found(limits: LimitTimeline, window: u32, plateau: u64) -> Option<Finding> {
        let flight = Some(Distribution { min: plateau, median: plateau, p95: plateau, max: plateau });
        let half = Summary { largest_window: window, flight, ..summed_up(limits) };
        with_facts_of(&half, Cause::plain(Limit::SendBuffer), detect)
    }

    /// `EACH_END_PART`, `BUFFERS_ALIKE`: 1/10 of the time of both, and 3/4 of the larger.
    #[test]
    fn both_bound_and_are_of_one_size() {
        for (what, (held, offered), window, plateau, expected) in [
            ("both, of one size", (5, 5), 64_000, 64_000, true),
            ("a tenth", (9, 1), 64_000, 64_000, true),
            ("less", (10, 1), 64_000, 64_000, false),
            ("a tenth of the other", (1, 9), 64_000, 64_000, true),
            ("less of it", (1, 10), 64_000, 64_000, false),
            ("the send buffer alone", (5, 0), 64_000, 64_000, false),
            ("three quarters", (5, 5), 64_000, 48_000, true),
            ("a smaller send buffer", (5, 5), 64_000, 47_999, false),
            ("a window of three quarters", (5, 5), 48_000, 64_000, true),
            ("a smaller window", (5, 5), 47_999, 64_000, false),
        ] {
            assert_eq!(found(behind(held, offered), window, plateau).is_some(), expected, "{what}");
        }
    }

    /// Without both buffers, the data moved under either is sent at the rate of the path.
    #[test]
    fn the_prediction_is_that_of_both() {
        let seconds = |finding: Finding| finding.prediction.unwrap().seconds.value;
        let both = found(behind(5, 5), 64_000, 64_000).unwrap();
        assert_eq!(fixes(&both), ["remove-both-buffers"]);
        assert!(both.seconds.is_some_and(|all| (all - 10.0).abs() < 1e-9), "{both:?}");
        assert!(seconds(both) < 5.0);
        let alone = |held, offered| {
            let half = summed_up(behind(held, offered));
            with_facts_of(&half, Cause::plain(Limit::SendBuffer), |facts| {
                without_one(facts, Cause::plain(Limit::SendBuffer)).is_some()
            })
        };
        // 64 kB are in flight, and the window is 1 MB.
        assert!(alone(5, 5), "another size: it gains something");
    }

    #[test]
    fn one_of_them_alone() {
        let small = Transfer { send_buffer: Some(64_000), ..Transfer::default() };
        is_silent(RULE.id, &small.run());
        let window = ReceiveBuffer::Fixed(64_000);
        is_silent(RULE.id, &Transfer { receive_buffer: window, window_scale: Some(0), ..Transfer::default() }.run());
        // If one buffer is far smaller, the other is never the limit.
        let receive_buffer = ReceiveBuffer::Fixed(200_000);
        is_silent(RULE.id, &Transfer { receive_buffer, window_scale: Some(2), ..small }.run());
    }
}
