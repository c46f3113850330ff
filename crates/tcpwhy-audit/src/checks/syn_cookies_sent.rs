//! SYN cookies were sent because the queue of half-open connections was full. Without timestamps such
//! connections have no window scaling and no SACK.
//!
//! Source: `tcp_conn_request` (`SyncookiesSent`, `TCPReqQFullDoCookies`), `cookie_timestamp_decode`.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::reported;
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "syn-cookies-sent", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

/// Value of `tcp_syncookies` with which every SYN is answered with a cookie.
const ALWAYS: i64 = 2;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let mode = facts.sysctls.number(Sysctl::TcpSyncookies);
    let Some(tally) = facts.tally(&[
        (EvidenceKey::CookieCount, "SyncookiesSent"),
        (EvidenceKey::SynQueueFullCount, "TCPReqQFullDoCookies"),
    ]) else {
        return vec![];
    };
    let most = if mode == Some(ALWAYS) { Severity::Info } else { Severity::Warning };
    let mut finding = finding(&CHECK, tally.severity(most, 10.0), 0.9);
    finding.evidence = tally.evidence;
    finding.evidence.extend(mode.map(|m| reported(EvidenceKey::Mode, m)));
    finding.fixes = fixes::lengthen_queue(facts, None);
    finding.fixes.truncate(1);
    finding.fixes.push(tcpwhy_advice::enable_client_timestamps());
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn cookies() {
        let host = Host::with_defaults("6.12").counter("SyncookiesSent", 5000);
        assert_eq!(host.fires(CHECK.id).severity, Severity::Warning);
        assert_eq!(host.sysctl("net.ipv4.tcp_syncookies=2").fires(CHECK.id).severity, Severity::Info);
        Host::with_defaults("6.12").is_silent(CHECK.id);
    }
}
