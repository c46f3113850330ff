//! `rmem_max` or `wmem_max` was raised, but `tcp_rmem` or `tcp_wmem` was not. The former do not cap
//! autotuning, although many people believe so.
//!
//! Source: measured with `rmem_max` = 65,536: `sk_rcvbuf` grew to 25 MB on 6.18, and to `tcp_rmem[2]` on 6.1.
//! `rmem_max` and `wmem_max` cap requests of `SO_RCVBUF` and `SO_SNDBUF`, which turn autotuning off.

use tcpwhy_kernel::{Sysctl, SysctlValue, Sysctls};
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "max-raised-in-vain", severity: Severity::Info, needs: crate::needs::SETTINGS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let defaults = Sysctls::defaults(facts.effective_version());
    [
        (Sysctl::RmemMax, Sysctl::TcpRmem, "host-raise-tcp-rmem"),
        (Sysctl::WmemMax, Sysctl::TcpWmem, "host-raise-tcp-wmem"),
    ]
    .into_iter()
    .filter_map(|(cap, autotuning, fix)| {
        let value = u64::try_from(facts.sysctls.number(cap)?).ok()?;
        let default = u64::try_from(defaults.number(cap)?).ok()?;
        let [least, first, most] = facts.triple(autotuning)?;
        let usual = defaults.triple(autotuning)?[2];
        if value <= default || value <= most || most > usual {
            return None;
        }
        let mut finding = finding(&CHECK, Severity::Info, 0.9);
        finding.evidence = vec![
            reported(EvidenceKey::Setting, word(cap.name())),
            reported(EvidenceKey::MaxBytes, value),
            reported(EvidenceKey::AutotuningSetting, word(autotuning.name())),
            reported(EvidenceKey::SettingBytes, most),
        ];
        let triple = SysctlValue::Triple([least, first, value]);
        finding.fixes = vec![fixes::set_sysctl(fix, autotuning, triple, "if-autotuning-was-meant")];
        Some(finding)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, lines};

    #[test]
    fn one_without_the_other() {
        let host = Host::with_defaults("5.15").sysctl("net.core.rmem_max=16777216");
        assert!(lines(&host.fires(CHECK.id)).contains("tcp_rmem='4096 131072 33554432'"));
        host.sysctl("net.ipv4.tcp_rmem=4096 131072 16777216").is_silent(CHECK.id);
    }

    #[test]
    fn the_larger_default_of_new_kernels_is_no_belief() {
        Host::with_defaults("6.18").is_silent(CHECK.id);
    }
}
