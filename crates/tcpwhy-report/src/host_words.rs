//! Words for a host's settings, counters and missing data.

use tcpwhy_audit::{HostReport, SettingLine};
use tcpwhy_kernel::{KernelVersion, Sysctl, SysctlUnit, SysctlValue};
use tcpwhy_model::host::Gap;

use crate::{Args, Wording};

/// Numbers from here on mean that there is no limit.
const NO_LIMIT: i64 = i32::MAX as i64;

impl Wording<'_> {
    /// Effect of a setting, what it does not do, and what overrides it.
    pub fn setting(self, sysctl: Sysctl) -> String {
        self.catalogue().word(&setting_id(sysctl))
    }

    /// Description of a counter.
    pub fn counter(self, name: &str) -> String {
        self.catalogue().word(&format!("counter-{name}"))
    }

    /// The missing data, and how to get it. `assumed` is the kernel version that was used.
    pub fn gap(self, gap: Gap, assumed: KernelVersion) -> String {
        self.catalogue().text(&format!("audit-gap-{}", gap.id()), &Args::new().text("assumed", assumed.to_string()))
    }

    /// The parts of the host that checks need and that could not be read, in a few words each.
    pub(crate) fn parts_not_read(self, report: &HostReport) -> Option<String> {
        let parts: Vec<_> =
            report.unread.iter().map(|gap| self.catalogue().word(&format!("audit-part-{}", gap.id()))).collect();
        (!parts.is_empty()).then(|| parts.join(&self.catalogue().word("list-separator")))
    }

    /// Meaning of a report without findings: nothing is wrong, or nothing is wrong in the parts that could be
    /// read.
    pub(crate) fn nothing_found(self, report: &HostReport, assumed: KernelVersion) -> String {
        if report.unread.is_empty() {
            return self.catalogue().word("audit-clean");
        }
        let gaps: Vec<_> = report.unread.iter().map(|&gap| self.gap(gap, assumed)).collect();
        let gaps = gaps.join(&self.catalogue().word("fact-separator"));
        self.catalogue().text("audit-clean-partly", &Args::new().text("gaps", gaps))
    }

    /// The value as the kernel shows it, and with units if it counts bytes or pages: `4096 131072 6291456
    /// (4.10 kB, …)`.
    pub(crate) fn setting_value(self, line: &SettingLine) -> String {
        let raw = line.value.to_string().replace('\t', " ");
        let sizes: Vec<String> = match (&line.value, line.sysctl.unit(), line.bytes) {
            (_, SysctlUnit::Pages, Some(bytes)) => bytes.map(|b| self.units().bytes(b)).into(),
            (SysctlValue::Triple(values), SysctlUnit::Bytes, _) => values.map(|b| self.units().bytes(b)).into(),
            (SysctlValue::Number(n), SysctlUnit::Bytes, _) if (1000..NO_LIMIT).contains(n) => {
                vec![self.units().bytes(*n as u64)]
            }
            _ => vec![],
        };
        if sizes.is_empty() {
            return raw;
        }
        format!("{raw} ({})", sizes.join(&self.catalogue().word("list-separator")))
    }
}

/// The message id for a setting: `setting-tcp-rmem` for `net.ipv4.tcp_rmem`.
pub(crate) fn setting_id(sysctl: Sysctl) -> String {
    let name = sysctl.name();
    let name = name.rsplit('.').next().unwrap_or(name);
    format!("setting-{}", name.replace('_', "-"))
}
