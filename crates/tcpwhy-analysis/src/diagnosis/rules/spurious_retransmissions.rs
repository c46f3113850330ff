//! The receiver reported data that it received twice (D-SACK, RFC 2883): nothing had been lost, it was late or out of order.
//!
//! A tail loss probe whose original arrived after all is reported the same way, so a few of them mean nothing.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred, note};
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "spurious-retransmissions",
    limits: &[Limit::LossRecovery],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// Fewer may be tail loss probes.
const LEAST: u64 = 5;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let count = facts.half.counts.dsacks;
    let again = facts.half.counts.retransmitted_segments;
    let explained = facts.explain(&RULE, 0.05, |c| c.detail == Some(Detail::Spurious));
    let is_much = count >= LEAST && count * 4 >= again;
    let mut finding = explained.or_else(|| is_much.then(|| note(&RULE, 0.85)))?;
    finding.evidence.push(inferred("spurious_count", count.max(1)));
    finding.evidence.push(exact("retransmitted_count", again));
    finding.evidence.push(inferred("reordered_count", facts.half.counts.reordered_segments));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.fixes = vec![advice::stop_reordering(), advice::enable_loss_probes()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::script;

    use super::super::testing::{explains, fires, is_silent, number};
    use super::*;

    /// Segments that were late, sent again, and reported twice; `block` is what the receiver says of each.
    fn late(block: impl Fn(u32) -> String) -> String {
        let mut lines = vec![
            "0.000 > S 0:0(0) <mss 1000,sackOK>".to_owned(),
            "0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>".into(),
            "0.020 > . 1:1(0) ack 1".into(),
        ];
        for i in 0..12 {
            let (start, end) = (i * 1000 + 1, (i + 1) * 1000 + 1);
            lines.push(format!("+0.010 > P. {start}:{end}(1000) ack 1 win 512"));
            lines.push(format!("+0.100 > P. {start}:{end}(1000) ack 1 win 512"));
            lines.push(format!("+0.010 < . 1:1(0) ack {end} win 65535"));
            lines.push(format!("+0.010 < . 1:1(0) ack {end} win 65535 {}", block(i)));
        }
        lines.join("\n")
    }

    #[test]
    fn reported_twice() {
        let text = late(|i| format!("<sack {}:{}>", i * 1000 + 1, (i + 1) * 1000 + 1));
        let finding = fires(RULE.id, &script(&text).segments);
        assert!((number(&finding, "spurious_count") - 12.0).abs() < 0.1, "{finding:?}");
    }

    #[test]
    fn repairs_that_were_needed() {
        is_silent(RULE.id, &tcpwhy_testkit::Transfer { lost_every: Some(50), ..Default::default() }.run());
        explains(detect, Detail::Spurious);
    }
}
