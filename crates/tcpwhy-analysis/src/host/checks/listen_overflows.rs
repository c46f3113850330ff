//! Connections were dropped because a listener's accept queue was full: the application did not accept in time.
//!
//! Source: `tcp_v4_syn_recv_sock`, `tcp_conn_request` (`ListenOverflows`; `ListenDrops` counts other reasons too). The client
//! retries after one second and more.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::{Finding, Fix, FixPlace, Severity};

use crate::diagnosis::advice;
use crate::host::facts::{finding, reported};
use crate::host::{Check, HostFacts};

pub(super) static CHECK: Check = Check { id: "listen-overflows", severity: Severity::Critical, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    if facts.ext("ListenOverflows") == 0 && facts.ext("TCPReqQFullDrop") == 0 {
        return vec![];
    }
    let Some(tally) = facts.tally(&[
        ("overflow_count", "ListenOverflows"),
        ("listen_drop_count", "ListenDrops"),
        ("syn_queue_drop_count", "TCPReqQFullDrop"),
    ]) else {
        return vec![];
    };
    let mut finding = finding(&CHECK, tally.severity(Severity::Critical, 1.0), 0.95);
    finding.evidence = tally.evidence;
    let somaxconn = facts.sysctls.number(Sysctl::Somaxconn).and_then(|n| u64::try_from(n).ok());
    finding.evidence.extend(somaxconn.map(|n| reported("somaxconn_count", n)));
    finding.fixes = raise_backlog("");
    vec![finding]
}

/// Longer queues here, and an application that accepts faster.
pub(super) fn raise_backlog(process: &str) -> Vec<Fix> {
    let mut longer = Fix { place: FixPlace::Host, ..advice::raise_backlog() };
    if process.starts_with("nginx") {
        longer.lines.retain(|l| l.contains("nginx") || l.starts_with("sysctl") || l.starts_with("nstat"));
    }
    vec![longer]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::testing::Host;

    #[test]
    fn overflows() {
        let host = |n| Host::with_defaults("6.12").counter("ListenOverflows", n).counter("ListenDrops", n);
        assert_eq!(host(5000).fires(CHECK.id).severity, Severity::Critical);
        assert_eq!(host(3).fires(CHECK.id).severity, Severity::Info);
        host(0).is_silent(CHECK.id);
        // Other reasons: no route, a filter, memory.
        Host::with_defaults("6.12").counter("ListenDrops", 100).is_silent(CHECK.id);
    }
}
