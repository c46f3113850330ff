//! The three values of `tcp_rmem` or `tcp_wmem` do not ascend: buffers start above their maximum, so they
//! never grow.
//!
//! Source: `tcp_init_sock` starts with the second value, whatever the third is.

use tcpwhy_kernel::{Sysctl, SysctlValue};
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "sysctl-order", severity: Severity::Warning, needs: crate::needs::SETTINGS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    [Sysctl::TcpRmem, Sysctl::TcpWmem]
        .into_iter()
        .filter_map(|sysctl| {
            let triple = facts.triple(sysctl).filter(|t| !t.is_sorted())?;
            let mut finding = finding(&CHECK, Severity::Warning, 1.0);
            finding.evidence = vec![
                reported(EvidenceKey::Setting, word(sysctl.name())),
                reported(EvidenceKey::Value, word(triple.map(|n| n.to_string()).join(" "))),
            ];
            let mut sorted = triple;
            sorted.sort_unstable();
            finding.fixes =
                vec![fixes::set_sysctl("host-order-values", sysctl, SysctlValue::Triple(sorted), "min-default-max")];
            Some(finding)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn descending_values() {
        Host::with_defaults("6.1").sysctl("net.ipv4.tcp_rmem=4096 16777216 6291456").fires(CHECK.id);
        Host::with_defaults("6.1").sysctl("net.ipv4.tcp_rmem=4096 4096 4194304").is_silent(CHECK.id);
    }
}
