//! Connections were aborted because memory ran out or because too many had no process any more.
//!
//! Source: `tcp_out_of_resources`, `tcp_close` (`TCPAbortOnMemory`): more orphans than `tcp_max_orphans`, or
//! more memory than `tcp_mem[2]`. The peer gets a reset, or nothing.

use tcpwhy_kernel::{Sysctl, SysctlValue};
use tcpwhy_model::{EvidenceKey, Finding, FixLine, Severity};

use crate::check::finding;
use crate::evidence::reported;
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "aborted-for-memory", severity: Severity::Critical, needs: crate::needs::COUNTERS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally(&[(EvidenceKey::AbortedCount, "TCPAbortOnMemory")]) else { return vec![] };
    let mut finding = finding(&CHECK, tally.severity(Severity::Critical, 0.1), 0.9);
    finding.evidence = tally.evidence;
    finding.evidence.extend(facts.host.sockstat.and_then(|s| s.orphans).map(|n| reported(EvidenceKey::OrphanCount, n)));
    let most = facts.sysctls.number(Sysctl::TcpMaxOrphans).and_then(|n| u64::try_from(n).ok());
    finding.evidence.extend(most.map(|n| reported(EvidenceKey::MaxOrphanCount, n)));
    let raise = most.map(|most| {
        let raised = SysctlValue::Number(i64::try_from(most.saturating_mul(2)).unwrap_or(i64::MAX));
        fixes::set_sysctl("host-raise-orphans", Sysctl::TcpMaxOrphans, raised, "twice-as-much")
    });
    let find = fixes::host(
        "host-find-memory",
        vec![FixLine::remarked("ss -s  # ", "orphans-and-closed-connections-hold-memory")],
    );
    finding.fixes = raise.into_iter().chain([find]).collect();
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn aborts() {
        assert_eq!(
            Host::with_defaults("6.12").counter("TCPAbortOnMemory", 50).fires(CHECK.id).severity,
            Severity::Critical
        );
        Host::with_defaults("6.12").is_silent(CHECK.id);
    }
}
