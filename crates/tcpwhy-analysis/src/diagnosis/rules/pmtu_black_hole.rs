//! Full-sized segments are repeated in vain while smaller ones get through: the path drops what exceeds its MTU, and the ICMP
//! message that should say so is filtered (RFC 2923 §2.1).
//!
//! Away from the sender only the rest shows: no full-sized segment ever comes, and what is missing comes in small pieces after
//! seconds.

use tcpwhy_model::{Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred, note};
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "pmtu-black-hole",
    limits: &[Limit::LossRecovery],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let vanished = facts.half.vanished?;
    let mut finding = note(&RULE, if vanished.repeats > 0 { 0.85 } else { 0.7 });
    let seconds = facts.seconds_of(Limit::LossRecovery);
    finding.seconds = (seconds > 0.0).then_some(seconds);
    finding.evidence.push(inferred("lost_bytes", vanished.lost));
    if vanished.passed > 0 {
        finding.evidence.push(inferred("passed_bytes", vanished.passed));
    }
    if vanished.repeats > 0 {
        finding.evidence.push(exact("retransmitted_count", u64::from(vanished.repeats)));
    }
    finding.fixes = vec![advice::fix_mtu(), advice::mss_clamp()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn hole() -> Transfer {
        Transfer { bytes: 100_000, largest_passing: Some(1300), ..Transfer::default() }
    }

    #[test]
    fn large_segments_vanish() {
        let finding = fires(RULE.id, &hole().run());
        assert!((number(&finding, "lost_bytes") - 1448.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "passed_bytes") - 536.0).abs() < 0.1, "{finding:?}");
        assert_eq!(finding.severity, Severity::Critical);
    }

    #[test]
    fn large_segments_pass() {
        is_silent(RULE.id, &Transfer { lost: (0..10).collect(), largest_passing: None, ..hole() }.run());
        is_silent(RULE.id, &Transfer { mss: 536, ..hole() }.captured_at(Capture::Receiver).run());
    }
}
