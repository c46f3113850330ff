//! The kernel ran out of receive buffer: it merged skbs of queues, or dropped data that had arrived.
//!
//! Source: `tcp_prune_queue` (`PruneCalled`), `tcp_prune_ofo_queue` (`OfoPruned`), dropped in-order data
//! (`RcvPruned`, `TCPRcvQDrop`). An application that does not read leaves these at 0. Small segments that use
//! memory faster than window raise them, and so does memory over `tcp_mem[2]` (measured).

use tcpwhy_model::{EvidenceKey, Finding, FixLine, Severity};

use crate::check::finding;
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "receive-queue-pruned", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally(&[
        (EvidenceKey::PruneCount, "PruneCalled"),
        (EvidenceKey::ReceivedDroppedCount, "TCPRcvQDrop"),
        (EvidenceKey::ReceivedPrunedCount, "RcvPruned"),
        (EvidenceKey::OutOfOrderPrunedCount, "OfoPruned"),
    ]) else {
        return vec![];
    };
    let mut finding = finding(&CHECK, tally.severity(Severity::Warning, 1.0), 0.9);
    finding.evidence = tally.evidence;
    finding.fixes = vec![
        tcpwhy_advice::read_faster(),
        fixes::host(
            "host-find-pruned",
            vec![
                FixLine::remarked(
                    "ss -tm | grep -oE 'skmem:.*' | sort | uniq -c | sort -rn | head  # ",
                    "rmem-near-rb-or-drops-d",
                ),
                FixLine::remarked(
                    "bpftrace -e 'kprobe:tcp_prune_queue { @[comm, kstack(5)] = count(); }'  # ",
                    "whose-sockets",
                ),
            ],
        ),
    ];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, number};

    #[test]
    fn often_or_once() {
        let often = Host::with_defaults("6.12").counter("PruneCalled", 500).counter("TCPRcvQDrop", 3);
        let finding = often.fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Warning);
        assert!((number(&finding, "per_hour") - 500.0 / 24.0).abs() < 0.1);
        let once = Host::with_defaults("6.12").counter("PruneCalled", 2);
        assert_eq!(once.fires(CHECK.id).severity, Severity::Info);
        Host::with_defaults("6.12").counter("PruneCalled", 0).is_silent(CHECK.id);
    }

    #[test]
    fn an_interval_tells_past_from_present() {
        let past = Host::with_defaults("6.12").counter("PruneCalled", 500_000).recent("PruneCalled", 0);
        assert_eq!(past.fires(CHECK.id).severity, Severity::Info);
        let present = Host::with_defaults("6.12").counter("PruneCalled", 3).recent("PruneCalled", 3);
        assert_eq!(present.fires(CHECK.id).severity, Severity::Warning);
    }
}
