//! The offered window was full and still growing: receive autotuning followed the sender about one round trip behind.
//!
//! Linux lets the window grow by two segments for every one that arrives (`tcp_grow_window`) and doubles the buffer once a
//! whole window was read in a round trip (`tcp_rcvbuf_grow`, Linux 6.18), so a window limits now and then while a transfer
//! gets under way. Nothing is set wrong; a larger initial window shortens it.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "receive-window-ramp",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.2, |c| c.detail == Some(Detail::Ramp))?;
    if let Some(window) = facts.half.window {
        finding.evidence.push(exact("window_min_bytes", window.min));
    }
    finding.evidence.push(exact("window_max_bytes", facts.half.window_max()));
    finding.evidence.extend(facts.rtt_evidence(Limit::ReceiveWindow));
    finding.fixes = vec![advice::reuse_connection(), advice::raise_initrwnd()];
    finding.prediction = if_removed(facts, Detail::Ramp.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use tcpwhy_model::Segment;
    use tcpwhy_testkit::script;

    use super::super::testing::{explains, fires, is_silent, number, with_facts};
    use super::*;

    /// Each round trip fills the window, which is `percent` of the one before.
    fn filled(percent: u32) -> Vec<Segment> {
        let mut text = "0.000 > S 0:0(0) win 65535 <mss 1000,wscale 7>
            0.020 < S. 0:0(0) ack 1 win 8000 <mss 1000,wscale 0>
            0.020 > . 1:1(0) ack 1"
            .to_owned();
        let (mut next, mut window) = (1, 8_000);
        for round in 0..6 {
            let mut sent = 0;
            while sent < window {
                let (from, len) = (next + sent, (window - sent).min(1000));
                let _ = write!(text, "\n0.{:03} > . {from}:{}({len}) ack 1", 21 + 20 * round, from + len);
                sent += len;
            }
            next += window;
            window = window * percent / 100;
            let _ = write!(text, "\n0.{:03} < . 1:1(0) ack {next} win {window}", 41 + 20 * round);
        }
        script(&text).segments
    }

    #[test]
    fn a_window_that_grows_behind_the_sender() {
        let finding = fires(RULE.id, &filled(140));
        let [least, most] = ["window_min_bytes", "window_max_bytes"].map(|name| number(&finding, name));
        assert!(most > least * 2.0, "{finding:?}");
        is_silent(RULE.id, &filled(100));
    }

    #[test]
    fn explains_a_window_that_still_grows() {
        assert!(!explains(detect, Detail::Ramp).fixes.is_empty());
        assert!(with_facts(Detail::SmallBuffer.into(), detect).is_none());
    }
}
