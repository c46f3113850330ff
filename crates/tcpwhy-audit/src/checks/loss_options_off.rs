//! Selective acknowledgements or timestamps are off. Without SACK one loss is repaired per round trip;
//! without timestamps round trips are measured badly.
//!
//! Source: RFC 2018, RFC 7323. RACK and tail loss probes need SACK (`tcp_is_sack`). SYN cookies encode window
//! scale and SACK in the timestamp only (`cookie_init_timestamp`).

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "loss-options-off", severity: Severity::Warning, needs: crate::needs::SETTINGS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    [(Sysctl::TcpSack, Severity::Warning), (Sysctl::TcpTimestamps, Severity::Info)]
        .into_iter()
        .filter(|(sysctl, _)| facts.sysctls.number(*sysctl) == Some(0))
        .map(|(sysctl, severity)| {
            let mut finding = finding(&CHECK, severity, 1.0);
            finding.evidence = vec![reported(EvidenceKey::Setting, word(sysctl.name()))];
            finding.fixes = vec![fixes::switch_on("host-enable-options", sysctl, "the-kernel-default")];
            finding
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn off_and_on() {
        assert_eq!(
            Host::with_defaults("6.1").sysctl("net.ipv4.tcp_sack=0").fires(CHECK.id).severity,
            Severity::Warning
        );
        let both = Host::with_defaults("6.1").sysctl("net.ipv4.tcp_sack=0").sysctl("net.ipv4.tcp_timestamps=0");
        assert_eq!(both.findings(CHECK.id).len(), 2);
        Host::with_defaults("6.1").is_silent(CHECK.id);
    }
}
