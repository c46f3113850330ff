//! The data in flight stops at a plateau under the offered window: the sender's socket buffer was full.
//!
//! At most one send buffer can be under way in a round trip, so the rate is plateau / RTT. The plateau is what the wire
//! shows; SO_SNDBUF itself may be half or twice as much, because Linux counts overheads and tests the buffer only when it
//! starts a new segment (`tcp_sendmsg_locked`, Linux 6.18). With Nagle's algorithm on and writes that are no multiple of the
//! MSS it may even be many times as much, since the last segment can always be filled up.

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

/// Linux's default ceiling of send-buffer autotuning (`tcp_wmem[2]`): a plateau near it may be autotuning's own.
const DEFAULT_CEILING: u64 = 4_194_304;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.05, |c| c.limit == Limit::SendBuffer)?;
    let plateau = facts.moved.send_buffer_flight.quantile(0.5).or(facts.flight.map(|f| f.p95))?;
    finding.evidence.push(inferred("plateau_bytes", plateau));
    if let Some(window) = facts.window {
        finding.evidence.push(exact("window_bytes", window.median));
    }
    finding.evidence.extend(facts.rtt_evidence());
    if let Some(rtt) = facts.rtt_seconds() {
        finding.evidence.push(inferred("plateau_rate_bits_per_s", plateau as f64 * 8.0 / rtt));
        if let Some(rate) = facts.train_rate {
            finding.evidence.push(inferred("bdp_bytes", (rate * rtt) as u64));
        }
    }
    let wanted = facts.wanted_window(plateau);
    finding.fixes = vec![advice::remove_so_sndbuf(), advice::raise_so_sndbuf(wanted)];
    if plateau >= DEFAULT_CEILING / 2 {
        finding.fixes.insert(0, advice::raise_tcp_wmem(wanted));
    }
    finding.prediction = if_removed(facts, tcpwhy_model::Cause::plain(Limit::SendBuffer));
    Some(finding)
}
