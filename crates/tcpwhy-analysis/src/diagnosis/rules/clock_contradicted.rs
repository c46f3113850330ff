//! The capture's clock contradicts the TCP timestamps of the ends. Packets got their times in batches, when a
//! buffer was read, or from a clock that jumps.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "clock-contradicted", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// A path that repeatedly holds packets back and releases them at once looks the same.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    if !facts.clock.are_contradicted() {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::ContradictedCount, u64::from(facts.clock.contradicted)));
    finding.evidence.push(exact(EvidenceKey::StampedBackCount, u64::from(facts.clock.stamped_back)));
    finding.evidence.push(exact(EvidenceKey::ComparedCount, u64::from(facts.clock.timed)));
    if facts.clock.leapt() {
        finding.evidence.push(exact(EvidenceKey::SilenceUs, facts.clock.silence.unsigned_abs() / 1_000));
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Limit};
    use tcpwhy_testkit::{Capture, Transfer, Turns, script};

    use super::super::testing::{connections, fires, is_silent, number};
    use super::*;

    /// Two requests over 70 ms by the clocks of the ends, with capture times in batches of a second.
    fn batches(stretch: u32) -> String {
        let at = |micros: u32| format!("{}.{:06}", micros * stretch / 1_000_000, micros * stretch % 1_000_000);
        format!(
            "{} > S 0:0(0) win 65535 <mss 1460,nop,nop,TS val 1000 ecr 0>
             {} < S. 0:0(0) ack 1 win 65535 <mss 1460,nop,nop,TS val 7035 ecr 1000>
             {} > . 1:1(0) ack 1 win 65535 <nop,nop,TS val 1070 ecr 7035>
             {} > P. 1:401(400) ack 1 win 65535 <nop,nop,TS val 1070 ecr 7035>
             {} < P. 1:601(600) ack 401 win 65535 <nop,nop,TS val 7105 ecr 1070>
             {} > P. 401:801(400) ack 601 win 65535 <nop,nop,TS val 1140 ecr 7105>
             1.500000 < P. 601:1201(600) ack 801 win 65535 <nop,nop,TS val 7175 ecr 1140>
             1.500020 > . 801:801(0) ack 1201 win 65535 <nop,nop,TS val 1210 ecr 7175>",
            at(0),
            at(35),
            at(70),
            at(71),
            at(105),
            at(140)
        )
    }

    /// Two round trips of 70 ms within 0.7 ms, then a wait of 1.5 s that no end had. No cause is named.
    #[test]
    fn packets_stamped_in_batches() {
        let segments = script(&batches(5)).segments;
        let finding = fires(RULE.id, &segments);
        assert_eq!(finding.severity, Severity::Warning);
        assert!((number(&finding, "contradicted_count") - 2.0).abs() < 0.1, "{finding:?}");
        for half in &connections(&segments)[0].halves {
            assert_eq!(half.verdict.cause, Some(Cause::plain(Limit::Unobserved)), "{half:?}");
            assert_eq!(half.verdict.severity, Some(Severity::Info));
        }
    }

    /// A program wrote microseconds without leading zeros: 1.069 s became 1.69 s.
    #[test]
    fn packets_stamped_back() {
        let mut segments = Transfer { bytes: 100_000, ..Transfer::default() }.run();
        is_silent(RULE.id, &segments);
        for segment in segments.iter_mut().skip(10).step_by(10) {
            segment.timestamp = segment.timestamp.plus(500_000_000);
        }
        let finding = fires(RULE.id, &segments);
        assert!(number(&finding, "stamped_back_count") >= 3.0, "{finding:?}");
        assert!(number(&finding, "contradicted_count") < 0.1, "{finding:?}");
    }

    /// The clock is set forward by days while an end waits for an answer.
    #[test]
    fn packets_stamped_after_a_jump() {
        let jumped = |days: i64, ticks: i64| {
            let mut segments = script(&batches(1_000)).segments;
            for segment in segments.iter_mut().skip(5) {
                segment.timestamp = segment.timestamp.plus(days * 86_400_000_000_000);
                if let Some(timestamps) = &mut segment.options.timestamps {
                    timestamps.value = timestamps.value.wrapping_add(ticks as u32);
                }
            }
            segments
        };
        let finding = fires(RULE.id, &jumped(2, 0));
        assert!((number(&finding, "silence_us") - 2.0 * 86_400e6).abs() < 1e6, "{finding:?}");
        let connection = &connections(&jumped(2, 0))[0];
        assert!(connection.has_wrong_clock);
        assert!(connection.halves.iter().all(|half| half.verdict.cause == Some(Cause::plain(Limit::Unobserved))));
        // The ends waited for two days by their own clocks, whose ticks are milliseconds.
        is_silent(RULE.id, &jumped(2, 2 * 86_400_000));
        // Without timestamps, two days are a plausible pause, but two years are not.
        let plain = |days: i64| {
            let mut segments = jumped(days, 0);
            for segment in &mut segments {
                segment.options.timestamps = None;
            }
            segments
        };
        is_silent(RULE.id, &plain(2));
        fires(RULE.id, &plain(700));
    }

    /// The same packets at the pace of the clocks of the ends.
    #[test]
    fn packets_stamped_as_they_passed() {
        is_silent(RULE.id, &script(&batches(1_000)).segments);
        for capture in [Capture::Sender, Capture::Middle, Capture::Receiver] {
            is_silent(RULE.id, &Transfer { capture, lost_every: Some(50), ..Transfer::default() }.run());
        }
        is_silent(RULE.id, &Turns::default().run());
    }
}
