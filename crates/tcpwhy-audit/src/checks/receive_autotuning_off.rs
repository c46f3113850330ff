//! `tcp_moderate_rcvbuf` is 0: receive buffers stay at the second value of `tcp_rmem`.
//!
//! Source: `tcp_rcv_space_adjust` still measures, but does not change the buffer.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{derived, reported};
use crate::paths::autotuned_flight;
use crate::{Check, HostFacts, PathSpec, fixes};

pub(super) static CHECK: Check =
    Check { id: "receive-autotuning-off", severity: Severity::Critical, needs: crate::needs::SETTINGS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    if facts.sysctls.number(Sysctl::TcpModerateRcvbuf) != Some(0) {
        return vec![];
    }
    let mut finding = finding(&CHECK, Severity::Critical, 1.0);
    if let Some([_, first, _]) = facts.triple(Sysctl::TcpRmem) {
        finding.evidence.push(reported(EvidenceKey::SettingBytes, first));
    }
    let flight = autotuned_flight(facts, PathSpec::ETHERNET_MTU, false);
    finding.evidence.push(derived(EvidenceKey::FlightBytes, flight));
    finding.evidence.push(derived(EvidenceKey::RateAt20msBitsPerS, flight as f64 * 8.0 / 0.02));
    finding.fixes = vec![fixes::switch_on("host-enable-autotuning", Sysctl::TcpModerateRcvbuf, "the-kernel-default")];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, number};

    #[test]
    fn off_and_on() {
        let host = Host::with_defaults("6.1").sysctl("net.ipv4.tcp_moderate_rcvbuf=0");
        // The window is half of 128 KiB less a segment, as measured on 6.1.
        assert!((number(&host.fires(CHECK.id), "flight_bytes") - 64_088.0).abs() < 1448.0);
        Host::with_defaults("6.1").is_silent(CHECK.id);
    }
}
