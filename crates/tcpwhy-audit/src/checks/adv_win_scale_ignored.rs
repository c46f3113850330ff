//! `tcp_adv_win_scale` was changed on a kernel that no longer uses it.
//!
//! Source: dfa2f0483360 (Linux 6.6) replaced it by a measured `scaling_ratio`; `include/net/netns/ipv4.h`
//! calls it obsolete.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::{EvidenceKey, Finding, FixLine, Severity};

use crate::check::finding;
use crate::evidence::reported;
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "adv-win-scale-ignored", severity: Severity::Info, needs: crate::needs::SETTINGS, detect };

const DEFAULT: i64 = 1;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let value = facts.sysctls.number(Sysctl::TcpAdvWinScale).filter(|&v| v != DEFAULT);
    let is_ignored = facts.version.is_some_and(|v| !Sysctl::TcpAdvWinScale.has_effect(v));
    let Some(value) = value.filter(|_| is_ignored) else { return vec![] };
    let mut finding = finding(&CHECK, Severity::Info, 0.95);
    finding.evidence = vec![reported(EvidenceKey::Scale, value)];
    let line = FixLine::remarked(
        "sed -i '/tcp_adv_win_scale/d' /etc/sysctl.conf /etc/sysctl.d/*.conf  # ",
        "does-nothing-any-more",
    );
    finding.fixes = vec![fixes::host("host-drop-setting", vec![line])];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn since_6_6() {
        Host::with_defaults("6.6").sysctl("net.ipv4.tcp_adv_win_scale=-2").fires(CHECK.id);
        Host::with_defaults("6.5").sysctl("net.ipv4.tcp_adv_win_scale=-2").is_silent(CHECK.id);
        let mut unknown = Host::with_defaults("6.6").sysctl("net.ipv4.tcp_adv_win_scale=-2");
        unknown.version = None;
        unknown.is_silent(CHECK.id);
    }
}
