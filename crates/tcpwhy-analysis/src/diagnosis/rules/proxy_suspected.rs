//! The handshake was answered much sooner than data ever is: a device in between seems to answer handshakes itself.
//!
//! Both delays are measured from the capture point to the receiver and back. A delayed ACK cannot explain the difference where
//! a hundred segments and more were sent, for every second one is acknowledged at once.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, note};
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule =
    Rule { id: "proxy-suspected", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

const LEAST_SEGMENTS: u64 = 100;
/// Nanoseconds that data must take longer than three times the handshake.
const MARGIN: i64 = 5_000_000;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let (handshake, data) = facts.half.to_receiver?;
    let is_long = facts.half.counts.bytes >= LEAST_SEGMENTS * facts.half.mss;
    // On a slow link a full segment takes much longer than a SYN.
    let serialisation = (facts.half.mss as f64 * 4e9 / facts.goodput().max(1.0)) as i64;
    if facts.syn_repeats > 0 || !is_long || data < handshake * 3 + MARGIN + serialisation {
        return None;
    }
    let mut finding = note(&RULE, 0.6);
    finding.evidence.push(exact("handshake_rtt_us", handshake / 1000));
    finding.evidence.push(exact("data_rtt_us", data / 1000));
    finding.fixes = vec![advice::capture_at_sender()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, at, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn a_handshake_that_is_answered_too_soon() {
        let mut all = Transfer { rtt: ms(60), ..Transfer::default() }.run();
        all[1].timestamp = at(ms(1));
        all[2].timestamp = at(ms(1) + 10_000);
        let finding = fires(RULE.id, &all);
        assert!((number(&finding, "handshake_rtt_us") - 1000.0).abs() < 1.0, "{finding:?}");
        assert!(number(&finding, "data_rtt_us") > 55_000.0, "{finding:?}");
    }

    #[test]
    fn one_path_one_round_trip() {
        is_silent(RULE.id, &Transfer { rtt: ms(60), ..Transfer::default() }.run());
        is_silent(RULE.id, &Transfer { rtt: ms(60), rate: Some(20_000), bytes: 300_000, ..Transfer::default() }.run());
    }
}
