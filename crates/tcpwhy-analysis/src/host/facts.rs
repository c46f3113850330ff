use tcpwhy_kernel::{KernelVersion, Sysctl, Sysctls};
use tcpwhy_model::host::{Counters, HostObservation, ProcessRef, SocketSample, TcpState};
use tcpwhy_model::{Basis, Evidence, Finding, Severity, Value};

use super::{Check, PathSpec};

/// What checks look at.
#[derive(Clone, Copy, Debug)]
pub struct HostFacts<'a> {
    /// What was observed.
    pub host: &'a HostObservation,
    /// Its settings; what is not known is absent.
    pub sysctls: &'a Sysctls,
    /// Its kernel; `None` when that is not known.
    pub version: Option<KernelVersion>,
    /// The paths that it is to serve.
    pub paths: &'a [PathSpec],
}

/// The kernel that rules are taken from when nobody knows which it is: the long-term one that most hosts run.
const USUAL_KERNEL: KernelVersion = KernelVersion::series(6, 12);
/// Fewer of something since boot are noise, unless they are still coming.
const FEW: u64 = 10;

impl<'a> HostFacts<'a> {
    /// The kernel whose rules are used: this host's, or the usual one.
    pub fn reckoned_version(&self) -> KernelVersion {
        self.version.unwrap_or(USUAL_KERNEL)
    }

    /// The three numbers of a setting, where they are known or the kernel's default is.
    pub(crate) fn triple(&self, sysctl: Sysctl) -> Option<[u64; 3]> {
        self.sysctls.triple(sysctl)
    }

    pub(crate) fn sockets(&self) -> &'a [SocketSample] {
        self.host.sockets.as_deref().unwrap_or_default()
    }

    /// Connections that can carry data. Without a state, as in output that was filtered by one, the details tell.
    pub(crate) fn connections(&self) -> impl Iterator<Item = &'a SocketSample> {
        self.sockets().iter().filter(|s| s.state.map_or(s.info.rtt.is_some(), TcpState::is_connected))
    }

    pub(crate) fn counters(&self) -> Option<&'a Counters> {
        self.host.counters.as_ref()
    }

    /// A counter of `TcpExt`, 0 where it is not known: for things that are looked for, not shown.
    pub(crate) fn ext(&self, name: &str) -> u64 {
        self.counters().and_then(|c| c.ext(name)).unwrap_or(0)
    }

    /// A counter of `Tcp`.
    pub(crate) fn tcp(&self, name: &str) -> u64 {
        self.counters().and_then(|c| c.tcp(name)).unwrap_or(0)
    }

    /// Hours that the counters have counted; `None` where that is not known. A network namespace other than the first may be
    /// younger than the machine.
    pub(crate) fn hours(&self) -> Option<f64> {
        let is_initial = self.host.is_initial_namespace != Some(false);
        self.host.uptime.filter(|&s| is_initial && s > 0.0).map(|s| s / 3600.0)
    }

    /// Counters of `TcpExt` under the names of their evidence, with the first one's rate and what came during the interval;
    /// `None` if all are 0.
    pub(crate) fn tally(&self, names: &[(&'static str, &str)]) -> Option<Tally> {
        let counted: Vec<_> = names.iter().map(|&(evidence, name)| (evidence, self.ext(name))).collect();
        let total: u64 = counted.iter().fold(0, |sum, (_, n)| sum.saturating_add(*n));
        if total == 0 {
            return None;
        }
        let recent = self.host.recent.as_ref().map(|(counters, seconds)| {
            (names.iter().filter_map(|(_, name)| counters.ext(name)).fold(0_u64, u64::saturating_add), *seconds)
        });
        let per_hour = self.hours().map(|hours| total as f64 / hours);
        let mut evidence: Vec<_> =
            counted.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| reported(name, n)).collect();
        evidence.extend(per_hour.map(|rate| reported("per_hour", rate)));
        if let Some((count, seconds)) = recent {
            evidence.push(reported("recent_count", count));
            evidence.push(reported("interval_s", seconds));
        }
        Some(Tally { total, per_hour, recent: recent.map(|r| r.0), evidence })
    }
}

/// Something that was counted.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// Since boot.
    pub(crate) total: u64,
    /// Rate since boot; `None` when that is not known.
    pub(crate) per_hour: Option<f64>,
    /// During the interval that was watched; `None` without one.
    pub(crate) recent: Option<u64>,
    /// All that as evidence.
    pub(crate) evidence: Vec<Evidence>,
}

impl Tally {
    /// `most` while it goes on (during the interval, or often since boot), a note where it is past or rare.
    pub(crate) fn severity(&self, most: Severity, often_per_hour: f64) -> Severity {
        let goes_on = match (self.recent, self.per_hour) {
            (Some(recent), _) => recent > 0,
            (None, Some(rate)) => rate >= often_per_hour && self.total >= FEW,
            (None, None) => self.total >= FEW,
        };
        if goes_on { most } else { Severity::Info }
    }
}

/// A finding of `check`, without anything in it.
pub(crate) fn finding(check: &Check, severity: Severity, confidence: f64) -> Finding {
    Finding {
        rule: check.id,
        severity: severity.min(check.severity),
        confidence,
        seconds: None,
        evidence: Vec::new(),
        fixes: Vec::new(),
        prediction: None,
    }
}

/// What the kernel said.
pub(crate) fn reported(name: &'static str, value: impl Into<Value>) -> Evidence {
    Evidence { name, value: value.into(), basis: Basis::KernelReported }
}

/// What follows from it.
pub(crate) fn derived(name: &'static str, value: impl Into<Value>) -> Evidence {
    Evidence { name, value: value.into(), basis: Basis::KernelInferred }
}

/// What was given on the command line.
pub(crate) fn given(name: &'static str, value: impl Into<Value>) -> Evidence {
    Evidence { name, value: value.into(), basis: Basis::Assumed }
}

/// A word as evidence.
pub(crate) fn word(text: impl Into<String>) -> Value {
    Value::Word(text.into())
}

/// The process that has a socket, where it could be seen.
pub(crate) fn process(processes: &[ProcessRef]) -> Option<Evidence> {
    processes.first().map(|p| reported("process", word(p.name.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::testing::Host;

    #[test]
    fn a_young_namespace_has_no_rates() {
        let mut host = Host::with_defaults("6.12").counter("PruneCalled", 100).uptime(3600.0);
        assert_eq!(host.facts().tally(&[("pruned_count", "PruneCalled")]).unwrap().per_hour, Some(100.0));
        host.observation.is_initial_namespace = Some(false);
        assert_eq!(host.facts().tally(&[("pruned_count", "PruneCalled")]).unwrap().per_hour, None);
    }

    #[test]
    fn what_is_over_is_a_note() {
        let tally = |recent, per_hour, total| Tally { total, per_hour, recent, evidence: vec![] };
        let severity = |tally: Tally| tally.severity(Severity::Critical, 1.0);
        assert_eq!(severity(tally(Some(0), Some(1000.0), 9999)), Severity::Info);
        assert_eq!(severity(tally(Some(1), Some(0.1), 1)), Severity::Critical);
        assert_eq!(severity(tally(None, Some(0.1), 9999)), Severity::Info);
        assert_eq!(severity(tally(None, Some(1.5), 9999)), Severity::Critical);
        assert_eq!(severity(tally(None, Some(1.5), 2)), Severity::Info, "too few to tell");
    }
}
