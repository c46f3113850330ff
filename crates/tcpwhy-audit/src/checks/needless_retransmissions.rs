//! Many retransmitted segments had already arrived: duplicate SACKs of the receivers show it, or timeouts
//! were undone.
//!
//! Source: RFC 2883; `TCPDSACKRecv` and `TCPDSACKOfoRecv` over `RetransSegs`, `TCPSpuriousRTOs` (F-RTO, RFC
//! 5682). Duplicates that the network makes raise them too. A tail loss probe (`TCPLossProbes`,
//! `tcp_send_loss_probe`) repeats the last segment on suspicion. If that had arrived, the probe did no harm
//! (RFC 8985 §7.4). Therefore one duplicate per probe is not counted.

use tcpwhy_model::host::BondMode;
use tcpwhy_model::{EvidenceKey, Finding, Fix, Severity};

use crate::check::finding;
use crate::evidence::{derived, reported};
use crate::shares::{MUCH_RETRANSMITTED, Proportion, retransmitted};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "needless-retransmissions", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

/// Share of the retransmissions: below it, most of them repair a loss.
const MUCH: f64 = 0.3;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(counters) = facts.counters() else { return vec![] };
    // A host that hardly ever retransmits loses no time, whether the retransmissions were needless or not.
    let again = retransmitted(counters);
    if !again.is_above(MUCH_RETRANSMITTED) {
        return vec![];
    }
    let reported_twice = facts.ext("TCPDSACKRecv").saturating_add(facts.ext("TCPDSACKOfoRecv"));
    let needless = Proportion { part: reported_twice.saturating_sub(facts.ext("TCPLossProbes")), of: again.part };
    if !needless.is_above(MUCH) {
        return vec![];
    }
    let mut finding = finding(&CHECK, Severity::Warning, 0.75);
    finding.evidence = vec![
        derived(EvidenceKey::NeedlessShare, needless.share()),
        derived(EvidenceKey::SpuriousCount, needless.part),
        reported(EvidenceKey::RetransmittedCount, again.part),
        reported(EvidenceKey::SentCount, again.of),
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
    finding.fixes = fixes(facts);
    vec![finding]
}

/// The fix of bonding comes first if this host has a bond that may spread or copy the packets of one flow.
/// Otherwise it is omitted.
fn fixes(facts: &HostFacts<'_>) -> Vec<Fix> {
    let may_reorder = |mode: Option<BondMode>| mode.is_none_or(BondMode::splits_flows);
    let bonds = facts.host.bonds.iter().flatten().filter(|bond| may_reorder(bond.mode));
    let mut all: Vec<Fix> = bonds.map(|bond| fixes::bond_by_flow(&bond.name)).take(1).collect();
    all.extend([fixes::spread_by_flow(), tcpwhy_advice::fix_queue_aqm()]);
    all
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::Bond;

    use super::*;
    use crate::testing::{Host, lines};

    /// A million segments, 2 % of them retransmitted, and `needless` of these without need.
    fn host(needless: u64) -> Host {
        let host = Host::with_defaults("6.12").tcp_counter("RetransSegs", 20_000).tcp_counter("OutSegs", 1_000_000);
        host.counter("TCPDSACKRecv", needless)
    }

    #[test]
    fn shares() {
        host(8000).fires(CHECK.id);
        host(4000).is_silent(CHECK.id);
        Host::with_defaults("6.12").tcp_counter("RetransSegs", 5).counter("TCPDSACKRecv", 5).is_silent(CHECK.id);
    }

    /// A healthy host under load retransmitted 1,205 of 647,573 segments. 1,033 of these were reported as
    /// duplicates, 1,101 were tail loss probes.
    #[test]
    fn a_share_of_hardly_any_retransmissions_is_nothing() {
        let healthy = Host::with_defaults("6.18").tcp_counter("RetransSegs", 1205).tcp_counter("OutSegs", 647_573);
        healthy.counter("TCPDSACKRecv", 1033).is_silent(CHECK.id);
    }

    #[test]
    fn tail_loss_probes_are_sent_on_suspicion() {
        host(8000).counter("TCPLossProbes", 7900).is_silent(CHECK.id);
        host(9000).counter("TCPLossProbes", 1000).fires(CHECK.id);
    }

    #[test]
    fn bonding_is_named_where_there_is_a_bond() {
        let text = |bonds: Option<Vec<Bond>>| {
            let mut host = host(8000);
            host.observation.bonds = bonds;
            let finding = host.fires(CHECK.id);
            (finding.fixes.iter().map(|fix| fix.id).collect::<Vec<_>>(), lines(&finding))
        };
        let bond = |mode| Some(vec![Bond { name: "bond7".into(), mode }]);
        for none in [None, Some(vec![]), bond(Some(BondMode::Lacp)), bond(Some(BondMode::ActiveBackup))] {
            let (ids, lines) = text(none);
            assert!(!ids.contains(&"host-bond-by-flow") && !lines.contains("bond"), "{ids:?} {lines}");
        }
        for some in [bond(Some(BondMode::RoundRobin)), bond(Some(BondMode::Broadcast)), bond(None)] {
            let (ids, lines) = text(some);
            assert!(ids[0] == "host-bond-by-flow" && lines.contains("bond7"), "{ids:?} {lines}");
        }
    }
}
