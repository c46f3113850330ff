//! Settings of a host, one by one.

use tcpwhy_kernel::{Sysctl, SysctlScope, SysctlUnit, SysctlValue, Sysctls};

use super::HostFacts;

/// A setting of the host.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingLine {
    /// The setting.
    pub sysctl: Sysctl,
    /// Its value.
    pub value: SysctlValue,
    /// Whether it is the kernel's default; `None` if that depends on the machine or is unknown.
    pub is_default: Option<bool>,
    /// Whether it applies to the whole machine or to one network namespace.
    pub scope: SysctlScope,
    /// Whether this kernel uses it; `None` if the kernel is unknown.
    pub has_effect: Option<bool>,
    /// The value in bytes, if it counts pages and their size is known.
    pub bytes: Option<[u64; 3]>,
}

/// Settings that a reader of an audit wants explained.
const SHOWN: [Sysctl; 26] = [
    Sysctl::TcpRmem,
    Sysctl::TcpWmem,
    Sysctl::RmemMax,
    Sysctl::WmemMax,
    Sysctl::TcpMem,
    Sysctl::TcpModerateRcvbuf,
    Sysctl::TcpWindowScaling,
    Sysctl::TcpAdvWinScale,
    Sysctl::TcpShrinkWindow,
    Sysctl::TcpLimitOutputBytes,
    Sysctl::TcpNotsentLowat,
    Sysctl::RmemDefault,
    Sysctl::WmemDefault,
    Sysctl::TcpCongestionControl,
    Sysctl::DefaultQdisc,
    Sysctl::TcpSlowStartAfterIdle,
    Sysctl::TcpNoMetricsSave,
    Sysctl::TcpTimestamps,
    Sysctl::TcpSack,
    Sysctl::TcpMtuProbing,
    Sysctl::TcpRtoMinUs,
    Sysctl::Somaxconn,
    Sysctl::TcpMaxSynBacklog,
    Sysctl::TcpSyncookies,
    Sysctl::TcpMaxOrphans,
    Sysctl::NetdevMaxBacklog,
];

impl SettingLine {
    /// Every setting that the message catalogues explain, under `setting-` and its name without dots.
    pub const ALL: &'static [Sysctl] = &SHOWN;
}

pub(super) fn lines(facts: &HostFacts<'_>) -> Vec<SettingLine> {
    let defaults = facts.version.map(Sysctls::defaults);
    let line = |&sysctl: &Sysctl| {
        let value = facts.sysctls.value(sysctl)?.clone();
        let default = defaults.as_ref().and_then(|d| d.value(sysctl));
        let bytes = match (sysctl.unit(), &value, facts.host.page_size) {
            (SysctlUnit::Pages, SysctlValue::Triple(pages), Some(size)) => Some(pages.map(|p| p.saturating_mul(size))),
            _ => None,
        };
        Some(SettingLine {
            sysctl,
            is_default: default.map(|d| *d == value),
            scope: sysctl.scope(),
            has_effect: facts.version.map(|v| sysctl.has_effect(v)),
            bytes,
            value,
        })
    };
    SHOWN.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn values_with_what_they_are() {
        let host = Host::with_defaults("6.6").sysctl("net.ipv4.tcp_mem=100 200 300").sysctl("net.core.rmem_max=1");
        let report = host.audit();
        let of = |sysctl| report.settings.iter().find(|s| s.sysctl == sysctl).unwrap();
        assert_eq!(of(Sysctl::TcpMem).bytes, Some([409_600, 819_200, 1_228_800]));
        assert_eq!(of(Sysctl::TcpMem).is_default, None, "it depends on the machine");
        assert_eq!((of(Sysctl::RmemMax).is_default, of(Sysctl::RmemMax).scope), (Some(false), SysctlScope::Global));
        assert_eq!(of(Sysctl::TcpAdvWinScale).has_effect, Some(false));
        assert_eq!(of(Sysctl::TcpRmem).is_default, Some(true));
    }
}
