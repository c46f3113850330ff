//! The data in flight stops at a plateau under the offered window: the sender's socket buffer was full.
//!
//! At most one send buffer can be under way in a round trip, so the rate is plateau / RTT. The plateau is what the wire
//! shows; SO_SNDBUF itself may be half or twice as much, because Linux counts overheads and tests the buffer only when it
//! starts a new segment (`tcp_sendmsg_locked`, Linux 6.18).

use tcpwhy_model::{Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "send-buffer-plateau",
    limits: &[Limit::SendBuffer],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let seconds = facts.seconds_of(Limit::SendBuffer);
    if facts.share(seconds) < 0.05 {
        return None;
    }
    let plateau = facts.moved.send_buffer_flight.quantile(0.5)?;
    let mut evidence = vec![inferred("plateau_bytes", plateau)];
    if let Some(window) = facts.window {
        evidence.push(exact("window_bytes", window.median));
    }
    evidence.extend(facts.rtt_evidence());
    if let Some(rtt) = facts.rtt_seconds() {
        evidence.push(inferred("plateau_rate_bits_per_s", plateau as f64 * 8.0 / rtt));
    }
    let mut fixes = vec![advice::remove_so_sndbuf()];
    if let (Some(rate), Some(rtt)) = (facts.train_rate, facts.rtt_seconds()) {
        let bdp = (rate * rtt) as u64;
        evidence.push(inferred("bdp_bytes", bdp));
        fixes.push(advice::raise_so_sndbuf((bdp.max(plateau * 2)).next_multiple_of(65_536)));
    }
    Some(Finding {
        rule: RULE.id,
        severity: facts.severity_of(Limit::SendBuffer, seconds),
        confidence: facts.confidence_of(Limit::SendBuffer),
        seconds: Some(seconds),
        evidence,
        fixes,
        prediction: if_removed(facts, tcpwhy_model::Cause::plain(Limit::SendBuffer)),
    })
}
