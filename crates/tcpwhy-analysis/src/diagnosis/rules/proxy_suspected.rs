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
    let (handshake, data) = facts.to_receiver?;
    let is_long = facts.counts.bytes >= LEAST_SEGMENTS * facts.mss;
    if facts.syn_repeats > 0 || !is_long || data < handshake * 3 + MARGIN {
        return None;
    }
    let mut finding = note(&RULE, 0.6);
    finding.evidence.push(exact("handshake_rtt_us", handshake / 1000));
    finding.evidence.push(exact("data_rtt_us", data / 1000));
    finding.fixes = vec![advice::capture_at_sender()];
    Some(finding)
}
