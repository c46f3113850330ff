//! The capture started mid-connection: window scale, MSS and SACK are unknown, and inferred results are less
//! certain.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "mid-stream-join", limits: &[], severity: Severity::Info, detect: Detect::Connection(detect) };

/// The capture has no SYN.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let is_two_sided = facts.packets.iter().all(|&p| p > 0);
    if facts.initiator.is_some() || facts.halves.is_empty() || !is_two_sided {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.fixes = vec![tcpwhy_advice::capture_from_syn()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, alter, at, ms};

    use super::super::testing::{fires, is_silent};
    use super::*;

    #[test]
    fn without_a_syn() {
        fires(RULE.id, &alter::joined_at(&Transfer::default().run(), at(ms(100))));
    }

    #[test]
    fn with_a_syn() {
        is_silent(RULE.id, &Transfer::default().run());
    }
}
