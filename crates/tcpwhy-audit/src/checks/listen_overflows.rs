//! Connections were dropped because a listener's accept queue was full: the application accepted too late.
//!
//! Source: `tcp_v4_syn_recv_sock`, `tcp_conn_request` (`ListenOverflows`; `ListenDrops` counts other reasons
//! too). The client retries after 1 s or more.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use super::accept_not_called;
use crate::check::finding;
use crate::evidence::{process, reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "listen-overflows", severity: Severity::Critical, needs: crate::needs::COUNTERS, detect };

/// Share of the established connections: a smaller one comes from single bursts.
const LEAST_SHARE: f64 = 0.001;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let overflows = facts.ext("ListenOverflows");
    let names = [(EvidenceKey::OverflowCount, "ListenOverflows"), (EvidenceKey::ListenDropCount, "ListenDrops")];
    let Some(tally) = facts.tally(&names).filter(|_| overflows > 0) else { return vec![] };
    let made = facts.tcp("PassiveOpens");
    let is_rare = (overflows as f64) < LEAST_SHARE * made as f64;
    let most = if is_rare { Severity::Info } else { Severity::Critical };
    let mut finding = finding(&CHECK, tally.severity(most, 1.0), 0.95);
    // Each listener counts its drops (`sk_drops`): the finding names the one with the most.
    let dropped = |s: &&SocketSample| s.memory.drops.unwrap_or(0);
    let listeners = facts.sockets().iter().filter(|s| s.state == Some(TcpState::Listen));
    let worst = listeners.max_by_key(dropped).filter(|s| dropped(s) > 0);
    finding.evidence = worst.and_then(|s| process(&s.processes)).into_iter().chain(tally.evidence).collect();
    finding.evidence.extend(worst.map(|s| reported(EvidenceKey::Socket, word(s.local.to_string()))));
    finding.evidence.extend(worst.map(|s| reported(EvidenceKey::BacklogCount, s.send_queue)));
    let somaxconn = facts.sysctls.number(Sysctl::Somaxconn).and_then(|n| u64::try_from(n).ok());
    finding.evidence.extend(somaxconn.map(|n| reported(EvidenceKey::SomaxconnCount, n)));
    // A program that never accepts fills any queue, so a longer queue is not advised for it.
    let is_served = worst.is_none_or(|s| !accept_not_called::is_unserved(facts, s));
    finding.fixes = fixes::lengthen_queue(facts, worst.filter(|_| is_served));
    if let Some(listener) = worst.filter(|_| !is_served) {
        let holder = listener.processes.first();
        finding.fixes = vec![fixes::accept_faster(holder.map_or("", |p| p.name.as_str()), holder.map(|p| p.pid))];
    }
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, connection, lines};

    #[test]
    fn overflows() {
        let host = |n| Host::with_defaults("6.12").counter("ListenOverflows", n).counter("ListenDrops", n);
        assert_eq!(host(5000).fires(CHECK.id).severity, Severity::Critical);
        assert_eq!(host(3).fires(CHECK.id).severity, Severity::Info);
        host(0).is_silent(CHECK.id);
        // `ListenDrops` has other reasons too: no route, a filter, memory.
        Host::with_defaults("6.12").counter("ListenDrops", 100).is_silent(CHECK.id);
        // A single burst among very many connections is a note.
        assert_eq!(host(5000).tcp_counter("PassiveOpens", 50_000_000).fires(CHECK.id).severity, Severity::Info);
    }

    #[test]
    fn the_listener_that_dropped_is_named() {
        let listener = |name: &str, drops| {
            let mut socket = SocketSample { state: Some(TcpState::Listen), send_queue: 128, ..connection() };
            socket.processes[0].name = name.into();
            socket.memory.drops = Some(drops);
            socket
        };
        let host = Host::with_defaults("6.12").counter("ListenOverflows", 5000).sysctl("net.core.somaxconn=4096");
        let finding = host.socket(listener("quiet", 0)).socket(listener("busy", 5000)).fires(CHECK.id);
        assert_eq!(finding.evidence[0].value, word("busy"), "{finding:?}");
        assert!(!lines(&finding).contains("sysctl -w"), "{}", lines(&finding));
    }
}
