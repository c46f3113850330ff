//! The window holds so few segments that the receiver waits for a second one and delays the ACK that would
//! free it.
//!
//! A receiver acknowledges at least every second full segment, and may delay other ACKs (RFC 1122 §4.2.3.2),
//! on Linux by 40 to 200 ms. On a path with a short round trip, that delay determines the rate.

use tcpwhy_model::{EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::buffer_source::receive_buffer_fixes;
use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Vantage;

pub(super) static RULE: Rule = Rule {
    id: "delayed-ack",
    limits: &[Limit::AckDelay, Limit::ReceiveWindow, Limit::SendBuffer],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// A queue on the reverse path delays ACKs as well.
const CONFIDENCE: f64 = 0.75;

/// Durations of delayed ACKs, nanoseconds: from Linux's minimum, with some tolerance, to the RFC's maximum.
const DELAYS: std::ops::RangeInclusive<i64> = 15_000_000..=500_000_000;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let (rtt, base) = (facts.half.rtt?.median as i64, facts.half.rtt_min?);
    let delay = rtt - base;
    let is_windowed = facts.verdict.cause.is_some_and(|c| matches!(c.limit, Limit::ReceiveWindow | Limit::SendBuffer));
    let is_small = facts.half.flight.is_some_and(|f| f.p95 <= 3 * facts.half.mss);
    if facts.half.vantage != Vantage::Sender
        || !is_windowed
        || !is_small
        || !DELAYS.contains(&delay)
        || delay * 2 < base
    {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(inferred(EvidenceKey::DelayUs, delay / 1000));
    finding.evidence.extend(facts.rtt_min_evidence());
    if let Some(flight) = facts.half.flight {
        finding.evidence.push(inferred(EvidenceKey::FlightMaxBytes, flight.max));
    }
    let wanted = facts.wanted_window(facts.half.window_max().max(4 * facts.half.mss));
    finding.fixes = receive_buffer_fixes(facts, wanted, false);
    finding.fixes.push(tcpwhy_advice::quickack());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{ReceiveBuffer, Transfer, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn tiny(segments: u64) -> Transfer {
        Transfer {
            bytes: 150_000,
            rtt: ms(1),
            receive_buffer: ReceiveBuffer::Fixed(segments * 1448 + 100),
            window_scale: Some(0),
            ..Transfer::default()
        }
    }

    #[test]
    fn one_segment_a_window() {
        let finding = fires(RULE.id, &tiny(1).run());
        assert!((35_000.0..45_000.0).contains(&number(&finding, "delay_us")), "{finding:?}");
    }

    #[test]
    fn four_segments_a_window() {
        is_silent(RULE.id, &tiny(4).run());
    }
}
