use tcpwhy_kernel::{KernelVersion, Sysctl, Sysctls};
use tcpwhy_model::host::{Counters, HostObservation, SocketSample, TcpState};
use tcpwhy_model::{Evidence, EvidenceKey, Severity};

use super::PathSpec;
use super::evidence::reported;

/// The input of all checks.
#[derive(Clone, Copy, Debug)]
pub struct HostFacts<'a> {
    /// Everything that was observed.
    pub host: &'a HostObservation,
    /// Settings of the host; unknown ones are absent.
    pub sysctls: &'a Sysctls,
    /// Kernel of the host; `None` if unknown.
    pub version: Option<KernelVersion>,
    /// Paths that the host is to serve.
    pub paths: &'a [PathSpec],
}

/// The kernel whose rules are used if the host's is unknown: the long-term kernel that most hosts run.
const USUAL_KERNEL: KernelVersion = KernelVersion::series(6, 12);
/// A smaller count since boot is noise, unless it still rises.
const FEW: u64 = 10;

impl<'a> HostFacts<'a> {
    /// The kernel whose rules are used: this host's, or the usual one.
    pub fn effective_version(&self) -> KernelVersion {
        self.version.unwrap_or(USUAL_KERNEL)
    }

    /// Bytes per page of memory; the usual number where the host does not show it.
    pub(crate) fn page_size(&self) -> u64 {
        const USUAL: u64 = 4096;
        self.host.page_size.unwrap_or(USUAL)
    }

    /// The three numbers of a setting, or the kernel's default; `None` if both are unknown.
    pub(crate) fn triple(&self, sysctl: Sysctl) -> Option<[u64; 3]> {
        self.sysctls.triple(sysctl)
    }

    pub(crate) fn sockets(&self) -> &'a [SocketSample] {
        self.host.sockets.as_deref().unwrap_or_default()
    }

    /// Connections that can carry data. Output that was filtered by state lacks the state; there the details
    /// decide.
    pub(crate) fn connections(&self) -> impl Iterator<Item = &'a SocketSample> {
        self.sockets().iter().filter(|s| s.state.map_or(s.info.rtt.is_some(), TcpState::is_connected))
    }

    /// Whether the sockets came with their inodes, so that one without is known to have no process.
    pub(crate) fn knows_inodes(&self) -> bool {
        self.sockets().iter().any(|s| s.inode.is_some())
    }

    /// Connections on a listener's port that no process has accepted yet: they have neither process nor
    /// inode.
    pub(crate) fn unaccepted<'b>(&self, listener: &'b SocketSample) -> impl Iterator<Item = &'a SocketSample> + 'b
    where
        'a: 'b,
    {
        let is_waiting = |s: &&SocketSample| {
            matches!(s.state, Some(TcpState::Established | TcpState::CloseWait))
                && s.inode.is_none()
                && s.processes.is_empty()
        };
        let is_own = |s: &&SocketSample| {
            s.local.port == listener.local.port
                && listener.local.address.is_none_or(|a| a.is_unspecified() || Some(a) == s.local.address)
        };
        self.sockets().iter().filter(is_waiting).filter(is_own)
    }

    /// The listener on the local port of a connection.
    pub(crate) fn listener_of(&self, socket: &SocketSample) -> Option<&'a SocketSample> {
        self.sockets().iter().find(|s| s.state == Some(TcpState::Listen) && s.local.port == socket.local.port)
    }

    pub(crate) fn counters(&self) -> Option<&'a Counters> {
        self.host.counters.as_ref()
    }

    /// A counter of `TcpExt`, 0 if it is unknown; for checks, not for display.
    pub(crate) fn ext(&self, name: &str) -> u64 {
        self.counters().and_then(|c| c.ext(name)).unwrap_or(0)
    }

    /// A counter of `Tcp`.
    pub(crate) fn tcp(&self, name: &str) -> u64 {
        self.counters().and_then(|c| c.tcp(name)).unwrap_or(0)
    }

    /// Hours that the counters have counted; `None` if unknown. A network namespace other than the first may
    /// be younger than the machine.
    pub(crate) fn hours(&self) -> Option<f64> {
        let is_initial = self.host.is_initial_namespace != Some(false);
        self.host.uptime.filter(|&s| is_initial && s > 0.0).map(|s| s / 3600.0)
    }

    /// Counters of `TcpExt` under the names of their evidence; `None` if all are 0. The rate and the recent
    /// count are those of the first counter that is not 0. The kernel counts one event in several of them, so
    /// a sum would count it twice.
    pub(crate) fn tally(&self, names: &[(EvidenceKey, &str)]) -> Option<Tally> {
        let (_, counted) = names.iter().find(|(_, name)| self.ext(name) > 0)?;
        let mut tally = self.tally_of(|counters| counters.ext(counted).unwrap_or(0))?;
        let counted = names.iter().map(|&(evidence, name)| (evidence, self.ext(name))).filter(|(_, n)| *n > 0);
        tally.evidence.splice(0..0, counted.map(|(name, n)| reported(name, n)));
        Some(tally)
    }

    /// The result of `count` since boot and during the interval; `None` if it is 0 since boot.
    pub(crate) fn tally_of(&self, count: impl Fn(&Counters) -> u64) -> Option<Tally> {
        let total = self.counters().map(&count).filter(|&n| n > 0)?;
        let per_hour = self.hours().map(|hours| total as f64 / hours);
        let recent = self.host.recent.as_ref().map(|(counters, seconds)| Recent {
            count: count(counters),
            seconds: *seconds,
            segments: ["InSegs", "OutSegs"].iter().filter_map(|name| counters.tcp(name)).fold(0, u64::saturating_add),
        });
        let mut evidence = Vec::from_iter(per_hour.map(|rate| reported(EvidenceKey::PerHour, rate)));
        if let Some(recent) = recent.filter(|r| r.count > 0 || r.is_telling()) {
            evidence.push(reported(EvidenceKey::RecentCount, recent.count));
            evidence.push(reported(EvidenceKey::IntervalS, recent.seconds));
        }
        Some(Tally { total, per_hour, recent, evidence })
    }

    /// Share of the counter `name` of `TcpExt` in the segments that `all` of `Tcp` counts. It covers the
    /// interval if that had enough segments, otherwise the time since boot. 0 if nothing was counted.
    pub(crate) fn share(&self, name: &str, all: &str) -> f64 {
        let share = |counters: &Counters, least: u64| {
            let of = counters.tcp(all).filter(|&n| n >= least.max(1))?;
            Some((counters.ext(name).unwrap_or(0) as f64 / of as f64).min(1.0))
        };
        let recent = self.host.recent.as_ref().and_then(|(counters, _)| share(counters, ENOUGH_SEGMENTS));
        recent.or_else(|| share(self.counters()?, 1)).unwrap_or(0.0)
    }
}

/// Least number of segments for a share.
const ENOUGH_SEGMENTS: u64 = 1000;
/// A shorter interval shows which events continue, not which have ended.
const TELLING_SECONDS: f64 = 1.0;
/// With fewer segments than this during an interval there is no load.
const IDLE_SEGMENTS: u64 = 10;
/// Events expected in an interval at the earlier rate. If none of so many came, chance is unlikely (1 in 20,
/// Poisson).
const MISSED: f64 = 3.0;

/// Events during the interval that was watched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recent {
    /// Number of events.
    pub(crate) count: u64,
    /// Length of the interval, seconds.
    seconds: f64,
    /// Segments sent and received during the interval.
    segments: u64,
}

impl Recent {
    fn is_telling(self) -> bool {
        self.seconds >= TELLING_SECONDS
    }
}

/// A counter and its rates.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// Count since boot.
    pub(crate) total: u64,
    /// Rate since boot; `None` if that time is unknown.
    pub(crate) per_hour: Option<f64>,
    /// Count during the interval that was watched; `None` without one.
    pub(crate) recent: Option<Recent>,
    /// The same values as evidence.
    pub(crate) evidence: Vec<Evidence>,
}

impl Tally {
    /// `most` while it continues (during the interval, or often since boot); a note if it is past or rare.
    pub(crate) fn severity(&self, most: Severity, often_per_hour: f64) -> Severity {
        let is_often = self.total >= FEW && self.per_hour.is_none_or(|rate| rate >= often_per_hour);
        let goes_on = match self.recent {
            Some(recent) if recent.count > 0 => true,
            _ => is_often && !self.is_over(),
        };
        if goes_on { most } else { Severity::Info }
    }

    /// Whether it is known to have ended: an interval that would have shown it has none, or there is no load
    /// any more.
    pub(crate) fn is_over(&self) -> bool {
        self.recent.is_some_and(|recent| {
            let expected = self.per_hour.map_or(0.0, |rate| rate / 3600.0 * recent.seconds);
            recent.count == 0 && (recent.is_telling() || recent.segments < IDLE_SEGMENTS || expected >= MISSED)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn a_young_namespace_has_no_rates() {
        let mut host = Host::with_defaults("6.12").counter("PruneCalled", 100).uptime(3600.0);
        assert_eq!(host.facts().tally(&[(EvidenceKey::PruneCount, "PruneCalled")]).unwrap().per_hour, Some(100.0));
        host.observation.is_initial_namespace = Some(false);
        assert_eq!(host.facts().tally(&[(EvidenceKey::PruneCount, "PruneCalled")]).unwrap().per_hour, None);
    }

    #[test]
    fn an_event_in_two_counters_is_one() {
        let names = [(EvidenceKey::OverflowCount, "ListenOverflows"), (EvidenceKey::ListenDropCount, "ListenDrops")];
        let host = Host::with_defaults("6.12").counter("ListenOverflows", 129).counter("ListenDrops", 130);
        let host = host.recent("ListenOverflows", 43).recent("ListenDrops", 43);
        let tally = host.facts().tally(&names).unwrap();
        assert_eq!(tally.total, 129);
        assert_eq!(tally.recent.unwrap().count, 43);
        let host = Host::with_defaults("6.12").counter("ListenDrops", 130);
        assert_eq!(host.facts().tally(&names).unwrap().total, 130);
    }

    #[test]
    fn what_is_over_is_a_note() {
        let second = |count| Recent { count, seconds: 1.0, segments: 1000 };
        let tally = |recent: Option<u64>, per_hour, total| Tally {
            total,
            per_hour,
            recent: recent.map(second),
            evidence: vec![],
        };
        let severity = |tally: Tally| tally.severity(Severity::Critical, 1.0);
        assert_eq!(severity(tally(Some(0), Some(1000.0), 9999)), Severity::Info);
        assert_eq!(severity(tally(Some(1), Some(0.1), 1)), Severity::Critical);
        assert_eq!(severity(tally(None, Some(0.1), 9999)), Severity::Info);
        assert_eq!(severity(tally(None, Some(1.5), 9999)), Severity::Critical);
        assert_eq!(severity(tally(None, Some(1.5), 2)), Severity::Info, "too few to tell");
    }

    /// An interval shows which events continue. Their absence proves an end only if they would have shown, or
    /// if there is no load.
    #[test]
    fn a_moment_proves_little() {
        let tally = |segments, per_hour| {
            let recent = Some(Recent { count: 0, seconds: 0.1, segments });
            Tally { total: 100, per_hour, recent, evidence: vec![] }
        };
        assert!(!tally(1000, None).is_over() && !tally(1000, Some(3600.0)).is_over());
        assert!(tally(1000, Some(360_000.0)).is_over());
        assert!(tally(0, None).is_over() && tally(9, Some(1.0)).is_over());
        assert_eq!(tally(1000, None).severity(Severity::Warning, 1.0), Severity::Warning);
        assert_eq!(tally(0, None).severity(Severity::Warning, 1.0), Severity::Info);
    }

    #[test]
    fn shares_of_the_interval_go_first() {
        let host = Host::with_defaults("6.12").counter("TCPToZeroWindowAdv", 50).tcp_counter("InSegs", 1000);
        assert!((host.facts().share("TCPToZeroWindowAdv", "InSegs") - 0.05).abs() < 1e-9);
        let mut host = host.recent("TCPToZeroWindowAdv", 2);
        host.observation.recent.as_mut().unwrap().0.set(tcpwhy_model::host::CounterGroup::Tcp, "InSegs", 10_000);
        assert!((host.facts().share("TCPToZeroWindowAdv", "InSegs") - 0.0002).abs() < 1e-9);
        assert!(host.facts().share("PruneCalled", "Nothing").abs() < 1e-9);
    }
}
