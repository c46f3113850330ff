//! Data is acknowledged faster than the right edge of the window moves: the application reads more slowly than data comes.
//!
//! The kernel acknowledges what it stored; it moves the right edge only by what was read (`__tcp_select_window`, Linux
//! 6.18). The edge therefore moves at the reader's pace.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "slow-reader",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.05, |c| c.detail == Some(Detail::SlowReader))?;
    let rate = facts.rate_under(Limit::ReceiveWindow).unwrap_or_else(|| facts.goodput());
    finding.evidence.push(inferred("reader_rate_bits_per_s", rate * 8.0));
    if let Some(window) = facts.half.window {
        finding.evidence.push(exact("window_min_bytes", window.min));
    }
    finding.evidence.push(exact("window_max_bytes", facts.half.window_max()));
    if facts.half.zero_window_stalls > 0 {
        finding.evidence.push(exact("stall_count", facts.half.zero_window_stalls));
        finding.evidence.push(inferred("longest_us", facts.half.zero_window_longest / 1000));
    }
    finding.fixes = vec![advice::read_faster(), advice::enlarge_reads()];
    finding.prediction = if_removed(facts, Detail::SlowReader.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use tcpwhy_model::Segment;
    use tcpwhy_testkit::{Reader, ReceiveBuffer, Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn slow(rate: u64) -> Transfer {
        Transfer {
            receive_buffer: ReceiveBuffer::Fixed(256_000),
            window_scale: Some(3),
            reader: Reader::Rate(rate),
            ..Transfer::default()
        }
    }

    #[test]
    fn the_edge_moves_at_the_readers_pace() {
        let finding = fires(RULE.id, &slow(1_000_000).run());
        assert!((6e6..10e6).contains(&number(&finding, "reader_rate_bits_per_s")), "{finding:?}");
    }

    /// Each round trip fills the window, whose right edge then moves by `percent` of what was acknowledged.
    fn falling_behind(percent: u32, rounds: u32) -> Vec<Segment> {
        let mut text = "0.000 > S 0:0(0) win 65535 <mss 1000>
            0.020 < S. 0:0(0) ack 1 win 30000 <mss 1000>
            0.020 > . 1:1(0) ack 1"
            .to_owned();
        let (mut next, mut window) = (1, 30_000);
        for round in 0..rounds {
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

    /// While the window is not yet half of what it was, only the pace of its edge tells.
    #[test]
    fn an_edge_that_moves_by_less_than_is_acknowledged() {
        fires(RULE.id, &falling_behind(75, 3));
        is_silent(RULE.id, &falling_behind(85, 4));
        is_silent(RULE.id, &falling_behind(100, 6));
    }

    #[test]
    fn a_reader_that_keeps_up() {
        is_silent(RULE.id, &slow(200_000_000).run());
    }
}
