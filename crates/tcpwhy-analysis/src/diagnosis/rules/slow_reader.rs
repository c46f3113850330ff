//! Data is acknowledged faster than the right edge of the window moves: the application reads more slowly
//! than data arrives.
//!
//! The kernel acknowledges stored data, but moves the right edge only by the data that was read
//! (`__tcp_select_window`, Linux 6.18). So the edge moves at the reader's rate.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "slow-reader",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.05;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::SlowReader))?;
    let rate = facts.rate_under(Limit::ReceiveWindow).unwrap_or_else(|| facts.goodput());
    finding.evidence.push(inferred(EvidenceKey::ReaderRateBitsPerS, rate * 8.0));
    if let Some(window) = facts.half.window {
        finding.evidence.push(exact(EvidenceKey::WindowMinBytes, window.min));
    }
    finding.evidence.push(exact(EvidenceKey::WindowMaxBytes, facts.half.window_max()));
    if facts.half.zero_window_stalls > 0 {
        finding.evidence.push(exact(EvidenceKey::StallCount, facts.half.zero_window_stalls));
        finding.evidence.push(inferred(EvidenceKey::LongestUs, facts.half.zero_window_longest / 1000));
    }
    finding.fixes = vec![tcpwhy_advice::read_faster(), tcpwhy_advice::enlarge_reads()];
    finding.prediction = if_removed(facts, Detail::SlowReader.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Reader, ReceiveBuffer, Transfer};

    use super::super::testing::{filled_windows, fires, is_silent, number};
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

    /// Until the window is half of its earlier size, only the rate of its edge shows a slow reader.
    #[test]
    fn an_edge_that_moves_by_less_than_is_acknowledged() {
        fires(RULE.id, &filled_windows(30_000, 75, 3));
        is_silent(RULE.id, &filled_windows(30_000, 85, 4));
        is_silent(RULE.id, &filled_windows(30_000, 100, 6));
    }

    #[test]
    fn a_reader_that_keeps_up() {
        is_silent(RULE.id, &slow(200_000_000).run());
    }
}
