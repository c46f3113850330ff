//! Data was beyond the last advertised window and had to be retransmitted. Either the receiver had shrunk its
//! window (RFC 9293 §3.8.6 strongly discourages that), or the sender sent more than the window allowed.
//!
//! A receiver drops data beyond its window (RFC 9293 §3.10.7.4). The retransmission distinguishes a shrunk
//! window from an ACK that only the capture missed. Rounding by the window scale (RFC 7323 §2.4) does not
//! count.

use tcpwhy_model::{EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "data-beyond-window", limits: &[], severity: Severity::Warning, detect: Detect::Half(detect) };

/// Retransmissions after a loss look the same.
const CONFIDENCE: f64 = 0.8;

/// Minimum number of retransmissions. One segment may be a probe, or may have been lost.
const LEAST_REPEATS: u32 = 2;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let beyond = facts.signs?.beyond;
    let is_dropped = beyond.repeated >= LEAST_REPEATS && u64::from(beyond.repeated) * 2 >= u64::from(beyond.segments);
    if !is_dropped || facts.half.counts.unseen_bytes > 0 {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    let seconds = facts.seconds_of(Limit::LossRecovery);
    finding.severity = facts.severity_of_note(seconds);
    finding.seconds = (seconds > 0.0).then_some(seconds);
    finding.evidence.push(inferred(EvidenceKey::BeyondCount, beyond.segments));
    finding.evidence.push(exact(EvidenceKey::BeyondRepeatedCount, beyond.repeated));
    finding.evidence.push(exact(EvidenceKey::ShrinkCount, beyond.shrinks));
    if beyond.shrinks > 0 {
        finding.evidence.push(exact(EvidenceKey::WithdrawnBytes, beyond.withdrawn));
    }
    if facts.half.timeouts > 0 {
        finding.evidence.push(inferred(EvidenceKey::TimeoutCount, facts.half.timeouts));
    }
    finding.evidence.push(exact(EvidenceKey::WindowMaxBytes, facts.half.window_max()));
    finding.fixes = vec![tcpwhy_advice::keep_window_open()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    const OPEN: &str = "
        0.000 > S 0:0(0) win 65535 <mss 1000,wscale 0,sackOK>
        0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,wscale 0,sackOK>
        0.020 > . 1:1(0) ack 1 win 65535
        0.021 > P. 1:1001(1000) ack 1 win 65535
        0.041 < . 1:1(0) ack 1001 win 10000
        0.042 > . 1001:2001(1000) ack 1 win 65535
        0.042 > . 2001:3001(1000) ack 1 win 65535
        0.042 > . 3001:4001(1000) ack 1 win 65535
        0.042 > . 4001:5001(1000) ack 1 win 65535";

    #[test]
    fn a_window_that_is_taken_back() {
        let text = format!(
            "{OPEN}
        0.062 < . 1:1(0) ack 2001 win 1000
        0.300 > . 3001:4001(1000) ack 1 win 65535
        0.320 < . 1:1(0) ack 3001 win 1000
        0.500 > . 3001:4001(1000) ack 1 win 65535
        0.520 < . 1:1(0) ack 4001 win 4000
        0.521 > . 4001:5001(1000) ack 1 win 65535
        0.541 < . 1:1(0) ack 5001 win 4000"
        );
        let finding = fires(RULE.id, &script(&text).segments);
        assert!((number(&finding, "shrink_count") - 1.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "withdrawn_bytes") - 8000.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "beyond_repeated_count") - 3.0).abs() < 1.1, "{finding:?}");
    }

    /// The receiver kept the data in spite of its advertised window, or an ACK was not captured.
    #[test]
    fn data_that_need_not_be_sent_again() {
        let text = format!(
            "{OPEN}
        0.062 < . 1:1(0) ack 2001 win 1000
        0.082 < . 1:1(0) ack 5001 win 4000"
        );
        is_silent(RULE.id, &script(&text).segments);
        let acks_missing: Vec<_> = Transfer { lost_every: Some(50), ..Transfer::default() }
            .run()
            .into_iter()
            .filter(|s| s.number % 3 > 0)
            .collect();
        is_silent(RULE.id, &acks_missing);
    }

    #[test]
    fn a_window_that_fills_and_losses() {
        let reader = tcpwhy_testkit::Reader::Rate(200_000);
        is_silent(RULE.id, &Transfer { bytes: 500_000, reader, lost_every: Some(20), ..Transfer::default() }.run());
    }
}
