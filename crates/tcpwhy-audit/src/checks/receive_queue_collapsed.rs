//! The kernel merged skbs of receive queues to save memory. With a large `tcp_rmem[2]`, one pass over a queue
//! of many small segments occupies a CPU for milliseconds: an occasional spike of latency.
//!
//! Source: `tcp_collapse`, called from `tcp_prune_queue`. `tcp_collapse_one` counts each skb that it frees
//! (`TCPRcvCollapsed`), not the segments in it.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::{EvidenceKey, Finding, FixLine, Severity};

use crate::check::finding;
use crate::evidence::reported;
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "receive-queue-collapsed", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

/// Bytes of queue from which one pass takes long.
const LARGE: u64 = 16 << 20;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally(&[(EvidenceKey::CollapsedCount, "TCPRcvCollapsed")]) else { return vec![] };
    let ceiling = facts.triple(Sysctl::TcpRmem);
    let is_large = ceiling.is_some_and(|t| t[2] >= LARGE);
    let most = if is_large { Severity::Warning } else { Severity::Info };
    let mut finding = finding(&CHECK, tally.severity(most, 1.0), 0.85);
    finding.evidence = tally.evidence;
    finding.evidence.extend(ceiling.map(|t| reported(EvidenceKey::SettingBytes, t[2])));
    finding.fixes = vec![tcpwhy_advice::enlarge_reads(), tcpwhy_advice::coalesce_writes()];
    if is_large {
        // The paths of the host decide how long its queues may grow, so no number is given.
        let line = FixLine::remarked("tcpwhy audit --path RATE,RTT  # ", "what-longest-path-needs");
        finding.fixes.push(fixes::host("host-lower-tcp-rmem", vec![line]));
    }
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, lines};

    #[test]
    fn large_queues_are_worse() {
        let small = Host::with_defaults("6.1").counter("TCPRcvCollapsed", 100_000);
        assert_eq!(small.fires(CHECK.id).severity, Severity::Info);
        let large = small.sysctl("net.ipv4.tcp_rmem=4096 131072 1073741824");
        let finding = large.fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Warning);
        assert!(lines(&finding).contains("--path") && !lines(&finding).contains("sysctl -w"), "{}", lines(&finding));
        Host::with_defaults("6.1").is_silent(CHECK.id);
    }
}
