//! SYNs were dropped because the host has no route to their senders.
//!
//! Source: `inet_csk_route_req` and `inet6_csk_route_req` find no route for the SYN-ACK and count
//! `OutNoRoutes` (`Ip`, `Ip6`). `tcp_conn_request` then drops the SYN and counts `ListenDrops`. `OutNoRoutes`
//! also counts packets of this host itself, and `ListenDrops` also counts drops of full queues. So the
//! smaller of both is an upper bound, after drops that other counters explain are subtracted.

use tcpwhy_model::host::Counters;
use tcpwhy_model::{EvidenceKey, Finding, FixLine, Severity};

use crate::check::finding;
use crate::evidence::derived;
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "no-route-back", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

/// Share of the established connections.
const LEAST_SHARE: f64 = 0.001;
/// Both counters may rise for other reasons.
const CONFIDENCE: f64 = 0.75;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally_of(dropped) else { return vec![] };
    let is_rare = (tally.total as f64) < LEAST_SHARE * facts.tcp("PassiveOpens") as f64;
    let most = if is_rare { Severity::Info } else { Severity::Warning };
    let mut finding = finding(&CHECK, tally.severity(most, 1.0), CONFIDENCE);
    finding.evidence = vec![derived(EvidenceKey::NoRouteDropCount, tally.total)];
    finding.evidence.extend(tally.evidence);
    let lines = vec![FixLine::remarked("ip route get ADDRESS  # ", "a-client-unreachable"), "ip route; ip rule".into()];
    finding.fixes = vec![fixes::host("host-add-route", lines)];
    vec![finding]
}

/// SYNs that listeners dropped because there was no route: an upper bound.
pub(super) fn dropped(counters: &Counters) -> u64 {
    let of = |name| counters.ext(name).unwrap_or(0);
    let unexplained = of("ListenDrops").saturating_sub(of("ListenOverflows")).saturating_sub(of("TCPReqQFullDrop"));
    unexplained.min(counters.out_no_routes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn syns_from_where_no_route_leads() {
        for cookies in ["0", "1"] {
            let host = Host::with_defaults("6.12").sysctl(&format!("net.ipv4.tcp_syncookies={cookies}"));
            let host = host.counter("ListenDrops", 500).no_routes(500);
            assert_eq!(host.fires(CHECK.id).severity, Severity::Warning);
            host.is_silent("syn-queue-full");
        }
    }

    #[test]
    fn what_has_other_reasons() {
        let host = || Host::with_defaults("6.12");
        host().no_routes(500).is_silent(CHECK.id);
        host().counter("ListenDrops", 500).is_silent(CHECK.id);
        host().counter("ListenDrops", 500).counter("ListenOverflows", 500).no_routes(500).is_silent(CHECK.id);
        host().counter("ListenDrops", 500).counter("TCPReqQFullDrop", 500).no_routes(500).is_silent(CHECK.id);
        // A few among very many connections are a note.
        let busy = host().counter("ListenDrops", 500).no_routes(500).tcp_counter("PassiveOpens", 1_000_000);
        assert_eq!(busy.fires(CHECK.id).severity, Severity::Info);
    }

    /// A queue that is full now drops SYNs, whatever packets had no route.
    #[test]
    fn a_full_queue_beside_it() {
        let host = Host::with_defaults("6.12").sysctl("net.ipv4.tcp_syncookies=0");
        host.counter("ListenDrops", 3000).no_routes(40).fires("syn-queue-full");
    }
}
