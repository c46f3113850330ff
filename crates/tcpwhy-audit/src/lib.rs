//! Findings from a host's settings, counters and sockets.
//!
//! [`audit`] is a pure function of one observation ([`HostFacts`]) and returns a [`HostReport`]. One check
//! is one file in `checks/`; [`checks()`] lists them.
//!
//! ```
//! use tcpwhy_audit::{HostFacts, audit};
//! use tcpwhy_kernel::Sysctls;
//! use tcpwhy_model::host::HostObservation;
//!
//! let (sysctls, errors) = Sysctls::parse("net.ipv4.tcp_window_scaling = 0");
//! assert!(errors.is_empty());
//! let host = HostObservation::default();
//! let report = audit(&HostFacts { host: &host, sysctls: &sysctls, version: None, paths: &[] });
//! assert_eq!(report.findings[0].rule, "window-scaling-off");
//! ```
//!
//! **Promises:** Parts of a host that were not observed give no finding. A fix changes only settings whose
//! value differs from the advised one.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod buffers;
mod check;
mod checks;
mod counters;
mod evidence;
mod facts;
mod fixes;
mod lock_ground;
mod needs;
mod path_spec;
mod paths;
mod present;
mod reached;
mod settings;
mod shares;
#[cfg(test)]
mod testing;

use tcpwhy_kernel::{KernelVersion, Sysctls};
use tcpwhy_model::Finding;
use tcpwhy_model::host::{Counters, Gap, HostObservation};

pub use buffers::SetBuffer;
pub use check::Check;
pub use checks::checks;
pub use counters::{CounterLine, Share};
pub use facts::HostFacts;
pub use lock_ground::{BufferSide, LockGround};
pub use needs::Need;
pub use path_spec::PathSpec;
pub use paths::{PathLimit, PathReport, Reach};
pub use settings::SettingLine;

/// Result of an audit.
#[derive(Clone, Debug, PartialEq)]
pub struct HostReport {
    /// Findings, most severe first.
    pub findings: Vec<Finding>,
    /// Every setting that is known and matters, in the order of [`tcpwhy_kernel::Sysctl::ALL`].
    pub settings: Vec<SettingLine>,
    /// The rate that the settings allow on each requested path.
    pub paths: Vec<PathReport>,
    /// Error counters that are not 0.
    pub counters: Vec<CounterLine>,
    /// Sockets with a buffer that their application has set, the slowest first.
    pub set_buffers: Vec<SetBuffer>,
    /// Parts of the host that checks need and that could not be read: the absence of a finding about them
    /// means nothing.
    pub unread: Vec<Gap>,
}

/// Whether checks find nothing, or less, if this part of the host is missing.
pub const fn hides_findings(gap: Gap) -> bool {
    match gap {
        Gap::Sockets | Gap::Details | Gap::Counters | Gap::SockStat | Gap::Sysctls | Gap::Kernel | Gap::Rest
        | Gap::Namespaces
        // Without the locks a set buffer is not found if autotuning produces its size too.
        | Gap::Locks => true,
        // Without these, findings lack the process and the rate of events.
        Gap::Processes | Gap::Uptime => false,
    }
}

/// Audits a host.
pub fn audit(facts: &HostFacts<'_>) -> HostReport {
    HostReport {
        findings: findings(checks(), facts),
        settings: settings::lines(facts),
        paths: facts.paths.iter().map(|path| paths::report(facts, *path)).collect(),
        counters: counters::lines(facts),
        set_buffers: buffers::set_buffers(facts),
        unread: facts.host.gaps.iter().copied().filter(|&gap| hides_findings(gap)).collect(),
    }
}

/// Audits counts of `seconds` on a host with these settings: the findings that depend on counters alone, most
/// severe first. All events fell into that time, so none is past.
pub fn audit_counters(
    counted: &Counters,
    seconds: f64,
    sysctls: &Sysctls,
    version: Option<KernelVersion>,
) -> Vec<Finding> {
    let host = HostObservation {
        counters: Some(counted.clone()),
        recent: Some((counted.clone(), seconds)),
        ..HostObservation::default()
    };
    findings(checks::OF_COUNTERS.iter().copied(), &HostFacts { host: &host, sysctls, version, paths: &[] })
}

fn findings(checks: impl Iterator<Item = &'static Check>, facts: &HostFacts<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = checks.flat_map(|check| (check.detect)(facts)).collect();
    for finding in &mut findings {
        let fixes = std::mem::take(&mut finding.fixes);
        finding.fixes = fixes.into_iter().filter_map(|fix| present::adapted(fix, facts.sysctls)).collect();
    }
    // The sort is stable: equal severities keep the order of the checks, causes before symptoms.
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    findings
}

#[cfg(test)]
mod tests {
    use tcpwhy_kernel::Sysctls;
    use tcpwhy_model::Severity;
    use tcpwhy_model::host::{CounterGroup, Counters, Gap};

    use crate::testing::Host;
    use crate::{audit_counters, hides_findings};

    #[test]
    fn what_was_counted_is_present() {
        let mut counted = Counters::default();
        counted.set(CounterGroup::TcpExt, "TCPRcvCollapsed", 3);
        counted.set(CounterGroup::Tcp, "InSegs", 1_000_000);
        let mut sysctls = Sysctls::new();
        // Settings alone give no finding here.
        sysctls.assign("net.ipv4.tcp_window_scaling=0").unwrap();
        sysctls.assign("net.ipv4.tcp_rmem=4096 131072 33554432").unwrap();
        let findings = audit_counters(&counted, 10.0, &sysctls, None);
        let said: Vec<_> = findings.iter().map(|f| (f.rule, f.severity)).collect();
        assert_eq!(said, [("receive-queue-collapsed", Severity::Warning)]);
        counted.set(CounterGroup::TcpExt, "TCPRcvCollapsed", 0);
        assert_eq!(audit_counters(&counted, 10.0, &sysctls, None), []);
    }

    #[test]
    fn an_empty_observation_has_no_findings() {
        let report = Host::default().audit();
        assert_eq!(report.findings, []);
        assert!(report.settings.is_empty() && report.counters.is_empty() && report.set_buffers.is_empty());
    }

    /// No finding means nothing about a part that was not read; who it is and how often are no such part.
    #[test]
    fn what_was_not_read_is_reported() {
        for gap in Gap::ALL {
            let mut host = Host::with_defaults("6.12");
            host.observation.gaps = vec![gap];
            let unread = if hides_findings(gap) { vec![gap] } else { vec![] };
            assert_eq!((host.audit().unread, host.audit().findings), (unread, vec![]), "{gap:?}");
        }
        let visible: Vec<_> = Gap::ALL.into_iter().filter(|&gap| !hides_findings(gap)).collect();
        assert_eq!(visible, [Gap::Processes, Gap::Uptime]);
    }

    #[test]
    fn defaults_have_no_findings() {
        for version in ["3.10", "5.15", "6.1", "6.12", "6.18", "7.1"] {
            let report = Host::with_defaults(version).audit();
            assert_eq!(report.findings, [], "{version}");
            assert!(report.settings.iter().all(|s| s.is_default == Some(true)), "{version}");
        }
    }

    #[test]
    fn the_gravest_comes_first() {
        let host = Host::with_defaults("6.12").sysctl("net.ipv4.tcp_sack=0").sysctl("net.ipv4.tcp_window_scaling=0");
        let severities: Vec<_> = host.audit().findings.iter().map(|f| f.severity).collect();
        assert!(severities.len() >= 2 && severities.is_sorted_by_key(|&s| std::cmp::Reverse(s)), "{severities:?}");
    }
}
