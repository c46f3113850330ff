//! Each end writes and neither reads: zero windows in both directions. Each waits for room that only the
//! other end's program can make by reading.
//!
//! A client may write all of its request before it reads the answer, and a server may answer while it still
//! receives. Both block when both receive buffers and both send buffers are full.

use tcpwhy_model::{Cause, Detail, EvidenceKey, Finding, Interval, Limit, Severity};

use crate::diagnosis::each_end::together;
use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::thresholds::UNREAD_LEAST;

pub(super) static RULE: Rule = Rule {
    id: "both-ends-unread",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Connection(detect),
};

/// Two readers that are slow by chance look the same for a moment.
const CONFIDENCE: f64 = 0.9;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let [one, other] = facts.halves else { return None };
    let is_closed = |interval: &Interval| interval.cause == Cause::from(Detail::ZeroWindow);
    let nanos = together(&one.limits, is_closed, &other.limits, is_closed);
    if nanos < UNREAD_LEAST.get() {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(nanos as f64 / 1e9);
    finding.evidence.push(exact(EvidenceKey::ProbeCount, facts.probes.iter().sum::<u64>()));
    finding.fixes = vec![tcpwhy_advice::read_while_writing()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::script;

    use super::super::testing::{connections, fires, fixes, is_silent};
    use super::*;

    const BEGUN: &str = "
         0.000 > S 0:0(0) win 4000 <mss 1000>
         0.010 < S. 0:0(0) ack 1 win 4000 <mss 1000>
         0.010 > . 1:1(0) ack 1 win 4000
         0.011 > . 1:1001(1000) ack 1 win 4000
         0.011 > . 1001:2001(1000) ack 1 win 4000
         0.011 > . 2001:3001(1000) ack 1 win 4000
         0.011 > . 3001:4001(1000) ack 1 win 4000
         0.021 < . 1:1(0) ack 4001 win 0
";
    /// The answer fills the client's buffer, which may be read or not.
    const ANSWER: &str = "
         0.022 < . 1:1001(1000) ack 4001 win 0
         0.022 < . 1001:2001(1000) ack 4001 win 0
         0.022 < . 2001:3001(1000) ack 4001 win 0
         0.022 < . 3001:4001(1000) ack 4001 win 0
";
    const CLOSED: &str = "0.022 > . 4001:4001(0) ack 4001 win 0\n";

    /// Each end probes the other's zero window, up to and including this second.
    fn probes(until: u32) -> String {
        let probe = |second| {
            format!(
                "{second}.200 > . 4000:4000(0) ack 4001 win 0\n {second}.210 < . 4001:4001(0) ack 4001 win 0\n \
                 {second}.300 < . 4000:4000(0) ack 4001 win 0\n {second}.300 > . 4001:4001(0) ack 4001 win 0\n"
            )
        };
        (0..=until).map(probe).collect()
    }

    #[test]
    fn both_write_and_neither_reads() {
        let all = script(&format!("{BEGUN}{ANSWER}{CLOSED}{}", probes(9))).segments;
        let finding = fires(RULE.id, &all);
        assert!(finding.seconds.is_some_and(|seconds| (9.0..9.5).contains(&seconds)), "{finding:?}");
        assert_eq!(fixes(&finding), ["read-while-writing"]);
        assert!(connections(&all)[0].findings.iter().any(|found| found.rule == RULE.id));
    }

    /// One end reads after all: the other's window stays open, or opens within a second.
    #[test]
    fn one_end_reads() {
        is_silent(RULE.id, &script(&format!("{BEGUN}{ANSWER}0.022 > . 4001:4001(0) ack 4001 win 4000")).segments);
        let read = |at: &str| {
            let goes_on = format!(
                "{at} > . 4001:4001(0) ack 4001 win 4000\n {at} < . 4001:5001(1000) ack 4001 win 0\n {at} > . 4001:4001(0) ack 5001 win 4000"
            );
            script(&format!("{BEGUN}{ANSWER}{CLOSED}{}{goes_on}", probes(0))).segments
        };
        is_silent(RULE.id, &read("0.900"));
        fires(RULE.id, &read("1.100"));
    }
}
