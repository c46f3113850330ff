//! The receiver advertised a zero window: its buffer was full and its application did not read (RFC 9293
//! §3.8.6).
//!
//! The sender probes as long as the probes are answered. Linux sends the first probe after a retransmission
//! timeout, the next ones at doubling intervals up to two minutes (`tcp_send_probe0`).

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "zero-window",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.02;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::ZeroWindow))?;
    finding.evidence.push(exact(EvidenceKey::StallCount, facts.half.zero_window_stalls.max(1)));
    finding.evidence.push(inferred(EvidenceKey::LongestUs, facts.half.zero_window_longest / 1000));
    finding.evidence.push(exact(EvidenceKey::ZeroWindowCount, facts.half.counts.zero_windows));
    if facts.probes > 0 {
        finding.evidence.push(exact(EvidenceKey::ProbeCount, facts.probes));
    }
    if let Some(rate) = facts.rate_under(Limit::ReceiveWindow) {
        finding.evidence.push(inferred(EvidenceKey::ReaderRateBitsPerS, rate * 8.0));
    }
    finding.fixes = vec![tcpwhy_advice::read_faster(), tcpwhy_advice::profile_receiver()];
    finding.prediction = if_removed(facts, Detail::ZeroWindow.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Reader, ReceiveBuffer, Transfer, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn pausing(nanos: i64) -> Transfer {
        Transfer {
            receive_buffer: ReceiveBuffer::Fixed(64 * 1448),
            window_scale: Some(3),
            reader: Reader::Pauses { every: 1_000_000, nanos },
            ..Transfer::default()
        }
    }

    #[test]
    fn a_reader_that_stops_for_seconds() {
        for capture in [Capture::Sender, Capture::Receiver] {
            let finding = fires(RULE.id, &pausing(ms(3000)).captured_at(capture).run());
            assert_eq!(finding.severity, Severity::Critical);
            assert!((2.0..=5.0).contains(&number(&finding, "stall_count")), "{finding:?}");
            assert!((2.5e6..3.1e6).contains(&number(&finding, "longest_us")), "{finding:?}");
        }
    }

    #[test]
    fn a_reader_that_never_stops() {
        is_silent(RULE.id, &Transfer { reader: Reader::Fast, ..pausing(0) }.run());
    }
}
