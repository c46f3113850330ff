//! This host retransmitted a large share of its segments.
//!
//! Source: RFC 4022 `tcpRetransSegs` over `tcpOutSegs`. Linux counts retransmissions in both
//! (`__tcp_transmit_skb`, `__tcp_retransmit_skb`). An average since boot hides bad hours, so an interval is
//! preferred.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{derived, reported};
use crate::shares::{MUCH_RETRANSMITTED, Proportion, retransmitted};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "retransmission-share", severity: Severity::Critical, needs: crate::needs::COUNTERS, detect };

const VERY_MUCH: f64 = 0.03;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let recent = facts.host.recent.as_ref().map(|(counters, _)| retransmitted(counters));
    let (counted, is_recent) = match recent {
        Some(recent) if recent.is_above(MUCH_RETRANSMITTED) => (recent, true),
        // The share was high since boot, but is low now.
        Some(recent) if recent.is_below(MUCH_RETRANSMITTED) => return vec![],
        _ => (facts.counters().map_or(Proportion { part: 0, of: 0 }, retransmitted), false),
    };
    if !counted.is_above(MUCH_RETRANSMITTED) {
        return vec![];
    }
    let severity = if counted.is_above(VERY_MUCH) { Severity::Critical } else { Severity::Warning };
    let mut finding = finding(&CHECK, severity, 0.85);
    finding.evidence = vec![
        derived(EvidenceKey::RetransmittedShare, counted.share()),
        reported(EvidenceKey::RetransmittedCount, counted.part),
        reported(EvidenceKey::SentCount, counted.of),
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
    use tcpwhy_model::host::CounterGroup;

    use super::*;
    use crate::testing::{Host, number};

    fn host(again: u64, out: u64) -> Host {
        Host::with_defaults("6.12").tcp_counter("RetransSegs", again).tcp_counter("OutSegs", out)
    }

    #[test]
    fn shares() {
        assert_eq!(host(40_000, 1_000_000).fires(CHECK.id).severity, Severity::Critical);
        assert_eq!(host(15_000, 1_000_000).fires(CHECK.id).severity, Severity::Warning);
        host(5_000, 1_000_000).is_silent(CHECK.id);
        assert_eq!(host(100, 5_000).fires(CHECK.id).severity, Severity::Warning);
    }

    #[test]
    fn few_segments_have_no_share() {
        host(50, 99).is_silent(CHECK.id);
        host(2, 100).is_silent(CHECK.id);
        host(4, 100).fires(CHECK.id);
        Host::with_defaults("6.12").tcp_counter("RetransSegs", 1000).is_silent(CHECK.id);
    }

    /// 600 SYNs to a host that does not answer, and 20 losses.
    #[test]
    fn handshakes_are_no_losses() {
        host(620, 10_000).counter("TCPSynRetrans", 600).is_silent(CHECK.id);
        let finding = host(1200, 10_000).counter("TCPSynRetrans", 600).fires(CHECK.id);
        assert!((number(&finding, "retransmitted_share") - 0.06).abs() < 1e-9);
    }

    #[test]
    fn the_interval_decides_where_it_can() {
        let with_recent = |again, out| {
            let mut host = host(40_000, 1_000_000).recent("TCPTimeouts", 0);
            let (counters, _) = host.observation.recent.as_mut().unwrap();
            counters.set(CounterGroup::Tcp, "RetransSegs", again);
            counters.set(CounterGroup::Tcp, "OutSegs", out);
            host
        };
        let is_recent = |host: &Host| {
            host.fires(CHECK.id).evidence.iter().any(|e| e.key == EvidenceKey::IsRecent && e.value == true.into())
        };
        with_recent(0, 400).is_silent(CHECK.id);
        assert!(!is_recent(&with_recent(0, 150)), "150 segments without a loss prove nothing");
        assert!(is_recent(&with_recent(20, 400)));
    }
}
