//! Everything was sent and acknowledged, and the same side sent next, so the connection waited for its
//! application.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "application-idle",
    limits: &[Limit::Application],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.15;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::Idle))?;
    // The longest pause in the finding is not longer than the one in the timeline.
    let stretch = facts.stretches(Detail::Idle).last().copied().unwrap_or(0);
    let longest = facts.half.pause_longest.nanos().map_or(stretch, |pause| pause.min(stretch));
    finding.evidence.push(inferred(EvidenceKey::LongestUs, longest / 1000));
    finding.evidence.push(inferred(EvidenceKey::PauseCount, u64::from(facts.half.pauses)));
    finding.fixes = vec![tcpwhy_advice::write_more_ahead(), tcpwhy_advice::profile_application()];
    // Pauses of a connection that has nothing to send cost no time.
    if finding.severity > Severity::Info {
        finding.prediction = if_removed(facts, Detail::Idle.into());
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, Writer, ms, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn bursts(pause: i64) -> Transfer {
        Transfer { writer: Writer::Bursts { bytes: 100_000, pause }, ..Transfer::default() }
    }

    #[test]
    fn pauses_of_its_own() {
        let finding = fires(RULE.id, &bursts(ms(400)).run());
        assert_eq!(finding.severity, Severity::Warning);
        assert!((39.0..=41.0).contains(&number(&finding, "pause_count")), "{finding:?}");
        assert!((400_000.0..480_000.0).contains(&number(&finding, "longest_us")), "{finding:?}");
    }

    /// Sends between the pauses are so short that the timeline has one interval.
    #[test]
    fn pauses_of_a_short_path() {
        let path = Transfer { rtt: ms(1) / 50, ..Transfer::default() };
        let finding = fires(RULE.id, &Transfer { writer: Writer::Bursts { bytes: 1_000, pause: ms(3) }, ..path }.run());
        assert!(number(&finding, "pause_count") >= 1_000.0, "{finding:?}");
        // The model writes after the delayed ACK.
        assert!((42_000.0..46_000.0).contains(&number(&finding, "longest_us")), "{finding:?}");
    }

    /// A long pause of a connection that is kept for later is not a fault, whatever its share of the time.
    #[test]
    fn a_rest_beside_longer_waits() {
        let text = "0.000 > S 0:0(0) win 65535 <mss 1460>
            0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
            0.020 > . 1:1(0) ack 1
            0.021 > P. 1:101(100) ack 1
            0.041 < P. 1:1001(1000) ack 101 win 65535
            0.042 > . 101:101(0) ack 1001
            5.041 < P. 1001:5001(4000) ack 101 win 65535
            5.042 > . 101:101(0) ack 5001
            15.000 > P. 101:201(100) ack 5001
            15.020 < P. 5001:6001(1000) ack 201 win 65535
            15.021 > . 201:201(0) ack 6001";
        let finding = fires(RULE.id, &script(text).segments);
        assert_eq!(finding.severity, Severity::Info, "{finding:?}");
        assert!(finding.prediction.is_none(), "{finding:?}");
    }

    #[test]
    fn no_pause() {
        is_silent(RULE.id, &Transfer { send_buffer: Some(64_000), ..Transfer::default() }.run());
    }
}
