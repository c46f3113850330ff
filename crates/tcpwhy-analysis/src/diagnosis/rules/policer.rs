//! Losses set in whenever a certain rate is exceeded, without the delay rising before: a policer.
//!
//! Detected by the test of Flach et al., "An Internet-Wide Analysis of Traffic Policing" (SIGCOMM 2016): tokens of one rate,
//! counted from the first loss to the last, are used up at losses and not at what passes. A link with a very short queue
//! loses in the same way but never lets trains pass faster than its rate, so those are asked for as well.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred, note};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "policer",
    limits: &[Limit::Path, Limit::LossRecovery, Limit::CongestionWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let explained = facts.explain(&RULE, 0.05, |c| c.detail == Some(Detail::Policer));
    let is_lossy = facts
        .verdict
        .cause
        .is_some_and(|c| matches!(c.limit, Limit::Path | Limit::LossRecovery) || c.detail == Some(Detail::PostLoss));
    let rate = facts.half.policer_rate.filter(|_| is_lossy || explained.is_some());
    let mut finding = match (explained, rate) {
        (Some(finding), _) => finding,
        (None, Some(_)) => {
            let mut finding = note(&RULE, 0.7);
            finding.seconds = Some(facts.verdict.seconds);
            finding
        }
        (None, None) => return None,
    };
    finding.evidence.push(inferred("rate_bits_per_s", rate.unwrap_or_else(|| facts.goodput()) * 8.0));
    if let Some(train) = facts.half.train_rate {
        finding.evidence.push(inferred("peak_rate_bits_per_s", train * 8.0));
    }
    finding.evidence.push(exact("retransmitted_percent", facts.retransmitted_percent()));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.rtt_evidence());
    let rate = rate.unwrap_or_else(|| facts.goodput()) * 8.0;
    finding.fixes = vec![advice::shape_below_policer(rate), advice::use_bbr()];
    finding.prediction = if_removed(facts, Detail::Policer.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer, mbit};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn policed() -> Transfer {
        Transfer { bytes: 12_000_000, policer: Some((mbit(10), 200_000)), ..Transfer::default() }
    }

    #[test]
    fn losses_that_fit_a_token_bucket() {
        for capture in [Capture::Sender, Capture::Receiver] {
            let finding = fires(RULE.id, &policed().captured_at(capture).run());
            assert!((8e6..11e6).contains(&number(&finding, "rate_bits_per_s")), "{finding:?}");
        }
    }

    #[test]
    fn a_short_queue_and_losses_at_random() {
        is_silent(RULE.id, &Transfer { policer: None, rate: Some(mbit(10)), queue: 15_000, ..policed() }.run());
        is_silent(RULE.id, &Transfer { policer: None, lost_every: Some(97), ..policed() }.run());
    }
}
