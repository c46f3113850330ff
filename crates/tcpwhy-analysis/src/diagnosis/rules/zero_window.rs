//! The receiver closed its window: its buffer was full and its application did not read (RFC 9293 §3.8.6).
//!
//! The sender probes, on Linux first after a retransmission timeout and then at doubling intervals up to two minutes
//! (`tcp_send_probe0`), for as long as the probes are answered.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "zero-window",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.02, |c| c.detail == Some(Detail::ZeroWindow))?;
    finding.evidence.push(exact("stall_count", facts.zero_window_stalls.max(1)));
    finding.evidence.push(inferred("longest_us", facts.zero_window_longest / 1000));
    finding.evidence.push(exact("zero_window_count", facts.counts.zero_windows));
    if facts.probes > 0 {
        finding.evidence.push(exact("probe_count", facts.probes));
    }
    if let Some(rate) = facts.rate_under(Limit::ReceiveWindow) {
        finding.evidence.push(inferred("reader_rate_bits_per_s", rate * 8.0));
    }
    finding.fixes = vec![advice::read_faster(), advice::profile_receiver()];
    finding.prediction = if_removed(facts, Detail::ZeroWindow.into());
    Some(finding)
}
