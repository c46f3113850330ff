//! The offered window was full and still growing: receive autotuning followed the sender about one round trip
//! behind.
//!
//! Linux lets the window grow by two segments for every one that arrives (`tcp_grow_window`). It doubles the
//! buffer once a whole window was read in a round trip (`tcp_rcvbuf_grow`, Linux 6.18). So the window is
//! sometimes the limit while a transfer starts. No setting is wrong; a larger initial window shortens this
//! phase.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "receive-window-ramp",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.2;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::Ramp))?;
    if let Some(window) = facts.half.window {
        finding.evidence.push(exact(EvidenceKey::WindowMinBytes, window.min));
    }
    finding.evidence.push(exact(EvidenceKey::WindowMaxBytes, facts.half.window_max()));
    finding.evidence.extend(facts.rtt_evidence(Limit::ReceiveWindow));
    finding.fixes = vec![tcpwhy_advice::reuse_connection(), tcpwhy_advice::raise_initrwnd()];
    finding.prediction = if_removed(facts, Detail::Ramp.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{explains, filled_windows, fires, is_silent, number, with_facts};
    use super::*;

    #[test]
    fn a_window_that_grows_behind_the_sender() {
        let finding = fires(RULE.id, &filled_windows(8000, 140, 6));
        let [least, most] = ["window_min_bytes", "window_max_bytes"].map(|name| number(&finding, name));
        assert!(most > least * 2.0, "{finding:?}");
        is_silent(RULE.id, &filled_windows(8000, 100, 6));
    }

    #[test]
    fn explains_a_window_that_still_grows() {
        assert!(!explains(detect, Detail::Ramp).fixes.is_empty());
        assert!(with_facts(Detail::SmallBuffer.into(), detect).is_none());
    }
}
