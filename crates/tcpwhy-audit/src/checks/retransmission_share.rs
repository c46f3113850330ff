//! Much of what this host sent it had to send again.
//!
//! Source: RFC 4022 `tcpRetransSegs` over `tcpOutSegs`. Linux counts retransmissions in both
//! (`__tcp_transmit_skb`, `__tcp_retransmit_skb`); an average since boot hides bad hours, so an interval is preferred.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::facts::{derived, finding, reported};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check = Check { id: "retransmission-share", severity: Severity::Critical, detect };

/// One percent of loss holds Reno over 20 ms to some 7 Mbit/s (Mathis et al. 1997: 1.22 · MSS / (RTT · √p)).
const MUCH: f64 = 0.01;
const VERY_MUCH: f64 = 0.03;
/// Fewer segments make no average.
const LEAST_SEGMENTS: u64 = 10_000;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let (mut again, mut out) = (facts.tcp("RetransSegs"), facts.tcp("OutSegs"));
    let mut is_recent = false;
    if let Some((recent, _)) = &facts.host.recent
        && let (Some(recent_again), Some(recent_out)) = (recent.tcp("RetransSegs"), recent.tcp("OutSegs"))
        && recent_out >= LEAST_SEGMENTS / 10
    {
        (again, out, is_recent) = (recent_again, recent_out, true);
    }
    if !is_recent && out < LEAST_SEGMENTS || out == 0 {
        return vec![];
    }
    let share = (again as f64 / out as f64).min(1.0);
    if share < MUCH {
        return vec![];
    }
    let severity = if share >= VERY_MUCH { Severity::Critical } else { Severity::Warning };
    let mut finding = finding(&CHECK, severity, 0.85);
    finding.evidence = vec![
        derived(EvidenceKey::RetransmittedShare, share),
        reported(EvidenceKey::RetransmittedCount, again),
        reported(EvidenceKey::SentCount, out),
        reported(EvidenceKey::IsRecent, is_recent),
    ];
    let timeouts = facts.ext("TCPTimeouts");
    if timeouts > 0 {
        finding.evidence.push(reported(EvidenceKey::TimeoutCount, timeouts));
    }
    finding.fixes = vec![tcpwhy_advice::fix_loss(), tcpwhy_advice::enable_loss_probes()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    fn host(again: u64, out: u64) -> Host {
        Host::with_defaults("6.12").tcp_counter("RetransSegs", again).tcp_counter("OutSegs", out)
    }

    #[test]
    fn shares() {
        assert_eq!(host(40_000, 1_000_000).fires(CHECK.id).severity, Severity::Critical);
        assert_eq!(host(15_000, 1_000_000).fires(CHECK.id).severity, Severity::Warning);
        host(5_000, 1_000_000).is_silent(CHECK.id);
        host(50, 100).is_silent(CHECK.id);
    }
}
