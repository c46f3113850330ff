//! `tcp_window_scaling` is 0: no window of this host, in either direction, exceeds 64 KiB.
//!
//! Source: RFC 7323 §2.2: both ends must offer the option; `tcp_select_initial_window`, `tcp_syn_options`.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::derived;
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "window-scaling-off", severity: Severity::Critical, needs: crate::needs::SETTINGS, detect };

const LARGEST: u64 = 65_535;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    if facts.sysctls.number(Sysctl::TcpWindowScaling) != Some(0) {
        return vec![];
    }
    let mut finding = finding(&CHECK, Severity::Critical, 1.0);
    finding.evidence = vec![
        derived(EvidenceKey::WindowBytes, LARGEST),
        derived(EvidenceKey::RateAt20msBitsPerS, LARGEST as f64 * 8.0 / 0.02),
    ];
    finding.fixes =
        vec![fixes::switch_on("host-enable-window-scaling", Sysctl::TcpWindowScaling, "the-kernel-default")];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn off_and_on() {
        Host::with_defaults("6.1").sysctl("net.ipv4.tcp_window_scaling=0").fires(CHECK.id);
        Host::with_defaults("6.1").is_silent(CHECK.id);
    }
}
