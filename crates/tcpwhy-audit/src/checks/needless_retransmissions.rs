//! Much of what was retransmitted had arrived: the receivers said so by duplicate SACK, or timeouts were undone.
//!
//! Source: RFC 2883; `TCPDSACKRecv` and `TCPDSACKOfoRecv` over `RetransSegs`, `TCPSpuriousRTOs` (F-RTO, RFC 5682).
//! Duplicates that the network makes raise them too.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::facts::{derived, finding, reported};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check = Check { id: "needless-retransmissions", severity: Severity::Warning, detect };

const MUCH: f64 = 0.3;
const LEAST: u64 = 1000;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let again = facts.tcp("RetransSegs");
    let needless = facts.ext("TCPDSACKRecv").saturating_add(facts.ext("TCPDSACKOfoRecv"));
    let share = needless as f64 / again.max(1) as f64;
    if again < LEAST || share < MUCH {
        return vec![];
    }
    let mut finding = finding(&CHECK, Severity::Warning, 0.75);
    finding.evidence = vec![
        derived(EvidenceKey::NeedlessShare, share.min(1.0)),
        reported(EvidenceKey::SpuriousCount, needless),
        reported(EvidenceKey::RetransmittedCount, again),
    ];
    for (evidence, counter) in [
        (EvidenceKey::SpuriousTimeoutCount, "TCPSpuriousRTOs"),
        (EvidenceKey::ReorderedCount, "TCPSACKReorder"),
        (EvidenceKey::HostQueueCount, "TCPSpuriousRtxHostQueues"),
    ] {
        if facts.ext(counter) > 0 {
            finding.evidence.push(reported(evidence, facts.ext(counter)));
        }
    }
    finding.fixes = vec![tcpwhy_advice::stop_reordering(), tcpwhy_advice::fix_queue_aqm()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn shares() {
        let host =
            |needless| Host::with_defaults("6.12").tcp_counter("RetransSegs", 10_000).counter("TCPDSACKRecv", needless);
        host(4000).fires(CHECK.id);
        host(2000).is_silent(CHECK.id);
        Host::with_defaults("6.12").tcp_counter("RetransSegs", 5).counter("TCPDSACKRecv", 5).is_silent(CHECK.id);
    }
}
