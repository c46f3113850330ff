//! TCP as a whole uses, or used, more memory than `tcp_mem[1]`. Receive buffers stop growing and windows
//! shrink to a few segments. Above `tcp_mem[2]` data is dropped and send buffers are cut.
//!
//! Source: `tcp_enter_memory_pressure` (`TCPMemoryPressures`, `TCPMemoryPressuresChrono` in ms),
//! `__sk_mem_raise_allocated`. Measured: windows fall to four segments. The limit of a control group has the
//! same effect and is not counted here.

use std::cmp::Reverse;
use std::collections::HashMap;

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::host::TcpState;
use tcpwhy_model::{Evidence, EvidenceKey, Finding, Fix, FixLine, Severity};

use crate::check::finding;
use crate::evidence::{derived, reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "memory-pressure", severity: Severity::Critical, needs: crate::needs::COUNTERS, detect };
pub(super) static NEAR: Check =
    Check { id: "memory-near-limit", severity: Severity::Warning, needs: crate::needs::MEMORY, detect: near };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let is_now = facts.host.tcp_protocol.and_then(|p| p.is_under_pressure) == Some(true);
    let tally = facts.tally(&[(EvidenceKey::PressureCount, "TCPMemoryPressures")]);
    if !is_now && tally.is_none() {
        return vec![];
    }
    let severity = match &tally {
        _ if is_now => Severity::Critical,
        Some(tally) => tally.severity(Severity::Critical, 1.0).max(Severity::Warning),
        None => Severity::Warning,
    };
    let mut finding = finding(&CHECK, severity, 0.95);
    finding.evidence = holders(facts);
    finding.evidence.push(reported(EvidenceKey::IsUnderPressure, is_now));
    finding.evidence.extend(tally.into_iter().flat_map(|t| t.evidence));
    let milliseconds = facts.ext("TCPMemoryPressuresChrono");
    if milliseconds > 0 {
        finding.evidence.push(reported(EvidenceKey::PressureMs, milliseconds));
    }
    finding.evidence.extend(memory_evidence(facts));
    finding.fixes = fixes(facts);
    vec![finding]
}

/// Share of the memory at which pressure begins.
const NEAR_SHARE: f64 = 0.7;

fn near(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some((used, [_, pressure, _])) = used_and_limits(facts).filter(|(_, limits)| limits[1] > 0) else {
        return vec![];
    };
    // A host under pressure gets the finding of the other check.
    let is_there = facts.host.tcp_protocol.and_then(|p| p.is_under_pressure) == Some(true);
    if is_there || (used as f64) < NEAR_SHARE * pressure as f64 {
        return vec![];
    }
    let mut finding = finding(&NEAR, Severity::Warning, 0.9);
    finding.evidence = holders(facts);
    finding.evidence.extend(memory_evidence(facts));
    finding.fixes = fixes(facts);
    vec![finding]
}

/// Least memory, bytes, for which a process is named.
const LEAST_HELD: u64 = 1 << 20;

/// Evidence of a holder, by its rank: its name, the memory of its sockets, and its share of all of TCP's
/// memory.
const RANKS: [[EvidenceKey; 3]; 3] = [
    [EvidenceKey::Process, EvidenceKey::HeldBytes, EvidenceKey::HeldShare],
    [EvidenceKey::SecondProcess, EvidenceKey::SecondHeldBytes, EvidenceKey::SecondHeldShare],
    [EvidenceKey::ThirdProcess, EvidenceKey::ThirdHeldBytes, EvidenceKey::ThirdHeldShare],
];

/// The processes whose sockets use the most memory, and how much. Sockets without a process count for the
/// process that listens on their port.
///
/// The sockets belong to one network namespace but TCP's memory to the machine, so shares may add up to less
/// than 1.
fn holders(facts: &HostFacts<'_>) -> Vec<Evidence> {
    let mut by_process: HashMap<&str, u64> = HashMap::new();
    let mut by_port: Option<HashMap<Option<u16>, &str>> = None;
    for socket in facts.sockets() {
        let memory = [socket.memory.receive_allocated, socket.memory.send_queued, socket.memory.forward_allocated];
        let held = memory.into_iter().flatten().fold(0, u64::saturating_add);
        if held == 0 {
            continue;
        }
        let own = socket.processes.first().map(|p| p.name.as_str());
        let name = own.or_else(|| {
            let ports = by_port.get_or_insert_with(|| {
                let listeners = facts.sockets().iter().filter(|s| s.state == Some(TcpState::Listen));
                listeners.filter_map(|s| Some((s.local.port, s.processes.first()?.name.as_str()))).collect()
            });
            ports.get(&socket.local.port).copied()
        });
        if let Some(name) = name {
            let sum = by_process.entry(name).or_default();
            *sum = sum.saturating_add(held);
        }
    }
    let mut holders: Vec<_> = by_process.into_iter().filter(|(_, bytes)| *bytes >= LEAST_HELD).collect();
    holders.sort_by_key(|&(name, bytes)| (Reverse(bytes), name));
    let all = used_and_limits(facts).map(|(used, _)| used.saturating_mul(facts.page_size())).filter(|all| *all > 0);
    let mut evidence = Vec::new();
    for ([process, held, share], (name, bytes)) in RANKS.into_iter().zip(holders) {
        evidence.extend([reported(process, word(name)), reported(held, bytes)]);
        // Sockets are read one after the other while memory changes, and TCP's memory is counted in pages.
        evidence.extend(all.map(|all| derived(share, (bytes as f64 / all as f64).min(1.0))));
    }
    evidence
}

/// Pages in use, and the values of `tcp_mem`.
fn used_and_limits(facts: &HostFacts<'_>) -> Option<(u64, [u64; 3])> {
    Some((facts.host.sockstat?.memory?, facts.triple(Sysctl::TcpMem)?))
}

fn memory_evidence(facts: &HostFacts<'_>) -> Vec<Evidence> {
    let Some((used, [_, pressure, most])) = used_and_limits(facts) else { return vec![] };
    let page = facts.page_size();
    vec![
        derived(EvidenceKey::TcpMemoryBytes, used.saturating_mul(page)),
        derived(EvidenceKey::PressureLimitBytes, pressure.saturating_mul(page)),
        derived(EvidenceKey::LimitBytes, most.saturating_mul(page)),
    ]
}

fn fixes(facts: &HostFacts<'_>) -> Vec<Fix> {
    let look = fixes::host(
        "host-find-memory",
        vec![
            FixLine::remarked(
                "ss -tm state all | grep -oE 'skmem:\\(r[0-9]+|,w[0-9]+' | sort -t r -k 2 -rn | head  # ",
                "who-holds-it",
            ),
            FixLine::remarked("ss -s  # ", "orphans-and-closed-connections-hold-memory"),
        ],
    );
    let Some(limits) = facts.triple(Sysctl::TcpMem) else { return vec![look] };
    let doubled = limits.map(|p| p.saturating_mul(2));
    vec![look, fixes::set_tcp_mem("host-raise-tcp-mem", facts, doubled, "pages-twice-as-many")]
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::{ProtocolUse, SockStat};

    use super::*;
    use crate::testing::{Host, connection, lines, number};

    fn host(used: u64) -> Host {
        let mut host = Host::with_defaults("6.12").sysctl("net.ipv4.tcp_mem=750 1000 1500");
        host.observation.sockstat = Some(SockStat { memory: Some(used), ..SockStat::default() });
        host
    }

    #[test]
    fn pressure_now_or_then() {
        let mut now = host(1200);
        now.observation.tcp_protocol = Some(ProtocolUse { is_under_pressure: Some(true), ..ProtocolUse::default() });
        let finding = now.fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Critical);
        assert!((number(&finding, "tcp_memory_bytes") - 1200.0 * 4096.0).abs() < 0.1);
        // The default for 16 GiB, which was lowered here; a machine with less memory has a lower default.
        assert!(lines(&finding).contains("net.ipv4.tcp_mem='196608 262144 393216'"), "{}", lines(&finding));
        now.observation.memory = Some(64 << 20);
        assert!(lines(&now.fires(CHECK.id)).contains("'1500 2000 3000'"));
        let then = host(10).counter("TCPMemoryPressures", 1).recent("TCPMemoryPressures", 0);
        assert_eq!(then.fires(CHECK.id).severity, Severity::Warning);
        host(1200).is_silent(CHECK.id);
    }

    #[test]
    fn who_holds_how_much_of_it() {
        let mut now = host(2048);
        now.observation.tcp_protocol = Some(ProtocolUse { is_under_pressure: Some(true), ..ProtocolUse::default() });
        let of = |name: &str, queued: u64| {
            let mut socket = connection();
            socket.processes[0].name = name.into();
            socket.memory.send_queued = Some(queued);
            socket
        };
        let mut large = connection();
        large.memory.receive_allocated = Some(2 << 20);
        let now = now.socket(of("small", 1 << 20)).socket(large.clone()).socket(large).socket(of("idle", 4096));
        let finding = now.fires(CHECK.id);
        assert_eq!(finding.evidence[0].value, word("mysqld"), "{finding:?}");
        assert!((number(&finding, "held_bytes") - f64::from(4 << 20)).abs() < 0.1);
        assert!((number(&finding, "held_share") - 0.5).abs() < 1e-9);
        assert_eq!(finding.evidence[3].value, word("small"), "{finding:?}");
        assert!((number(&finding, "second_held_share") - 0.125).abs() < 1e-9);
        assert!(finding.evidence.iter().all(|e| e.key.id() != "third_process"), "{finding:?}");
    }

    #[test]
    fn no_share_of_what_is_not_known() {
        let mut host = Host::with_defaults("6.12");
        host.observation.tcp_protocol = Some(ProtocolUse { is_under_pressure: Some(true), ..ProtocolUse::default() });
        let mut large = connection();
        large.memory.receive_allocated = Some(2 << 20);
        let finding = host.socket(large).fires(CHECK.id);
        assert!(finding.evidence.iter().any(|e| e.key.id() == "held_bytes"), "{finding:?}");
        assert!(finding.evidence.iter().all(|e| e.key.id() != "held_share"), "{finding:?}");
    }

    #[test]
    fn near_the_limit() {
        host(700).fires(NEAR.id);
        host(690).is_silent(NEAR.id);
        // A host under pressure gets one finding only.
        let mut there = host(1200);
        there.observation.tcp_protocol = Some(ProtocolUse { is_under_pressure: Some(true), ..ProtocolUse::default() });
        there.is_silent(NEAR.id);
    }
}
