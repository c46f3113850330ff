//! Performance regressions of Linux kernels, by stable release.
//!
//! Each row names the commit that introduced the fault, and lists only releases that are known to have it.
//! Distribution kernels contain changes that their version number does not show, so a row alone proves
//! nothing. Report a fault only if a socket, a counter or the wire shows its [pattern](Regression::pattern)
//! too.

use crate::KernelVersion;

/// Visible effect of a fault on a host or on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A receive buffer that never grew beyond `tcp_rmem[1]`, with an MSS of jumbo frames.
    JumboWindowStuck,
    /// `TCPWqueueTooBig` grows: a full send queue is not split for retransmissions.
    SplitsRefused,
    /// A receive window of a few segments while the application reads slowly.
    SlowReaderStuck,
    /// A receive window of a quarter of `SO_RCVBUF`'s double.
    QuarterOfBuffer,
    /// A receive buffer that stays small although the application reads a whole window per round trip.
    AutotuningSlow,
    /// `TCPRcvQDrop` grows: segments inside the window are dropped.
    SegmentsRefused,
    /// Unread data in a socket that `FIONREAD` reports as empty, on a host with a sockmap.
    UnreadInSockmap,
}

/// The releases of one series that have a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affected {
    /// First two numbers of the version.
    pub series: (u16, u16),
    /// First release with the fault.
    pub first: u16,
    /// Last release with the fault; `None` if that is the last one of the series.
    pub last: Option<u16>,
    /// Whether the release after `last` has the fix.
    pub is_fixed_next: bool,
}

impl Affected {
    /// Releases from `first` up to the one before `fixed`, which has the fix.
    const fn until(major: u16, minor: u16, first: u16, fixed: u16) -> Self {
        Self { series: (major, minor), first, last: Some(fixed - 1), is_fixed_next: true }
    }

    /// Releases from `first` to `last`, known to have the fault; later ones may have it too.
    const fn proven(major: u16, minor: u16, first: u16, last: u16) -> Self {
        Self { series: (major, minor), first, last: Some(last), is_fixed_next: false }
    }

    /// A whole series, which ended without the fix.
    const fn whole(major: u16, minor: u16) -> Self {
        Self { series: (major, minor), first: 0, last: None, is_fixed_next: false }
    }

    /// Whether `version` is affected. A series without a release number counts as its last release, which has
    /// the fix if any release has it.
    fn has(self, version: KernelVersion) -> bool {
        (version.major, version.minor) == self.series
            && match (version.patch, self.last) {
                (Some(patch), Some(last)) => (self.first..=last).contains(&patch),
                (Some(patch), None) => patch >= self.first,
                (None, last) => last.is_none(),
            }
    }
}

/// A fault that one release introduced and another one fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regression {
    /// Stable kebab-case id.
    pub id: &'static str,
    /// Visible effect of the fault.
    pub pattern: Pattern,
    /// The commit that introduced it; the mainline commit if there is one.
    pub introduced: &'static str,
    /// The mainline commit that fixes it; `None` if only a revert is known.
    pub fix: Option<&'static str>,
    /// Affected releases.
    pub affected: &'static [Affected],
    /// Source of the versions.
    pub source: &'static str,
}

impl Regression {
    /// All known regressions.
    pub const ALL: &'static [Self] = &[
        Self {
            id: "jumbo-window-stuck",
            pattern: Pattern::JumboWindowStuck,
            introduced: "a337531b942b",
            fix: Some("72d05c00d7ec"),
            affected: &[
                Affected::until(4, 19, 86, 164),
                Affected::whole(4, 20),
                Affected::whole(5, 0),
                Affected::whole(5, 1),
                Affected::whole(5, 2),
                Affected::whole(5, 3),
                Affected::until(5, 4, 0, 85),
                Affected::whole(5, 5),
                Affected::whole(5, 6),
                Affected::whole(5, 7),
                Affected::whole(5, 8),
                Affected::until(5, 9, 0, 16),
            ],
            source: "announcements of 4.19.86, 4.19.164, 5.4.85, 5.9.16; 72d05c00d7ec in 5.10",
        },
        Self {
            id: "send-queue-too-strict",
            pattern: Pattern::SplitsRefused,
            introduced: "f070ef2ac667",
            fix: Some("b617158dc096"),
            affected: &[
                Affected::until(4, 4, 182, 184),
                Affected::until(4, 9, 182, 184),
                Affected::until(4, 14, 127, 131),
                Affected::until(4, 19, 52, 62),
                Affected::until(5, 1, 11, 21),
                Affected::until(5, 2, 0, 4),
            ],
            source: "announcements of 4.4.184, 4.9.184, 4.14.127, 4.14.131, 4.19.62, 5.1.21, 5.2.4; b6653b3629e5 before",
        },
        Self {
            id: "slow-reader-window",
            pattern: Pattern::SlowReaderStuck,
            introduced: "607065bad993",
            fix: None,
            affected: &[Affected::proven(4, 14, 48, 49)],
            source: "coreos/bugs#2457; reverted in coreos/linux#199 (4.14.48) and #200 (4.14.49)",
        },
        Self {
            id: "quarter-of-buffer",
            pattern: Pattern::QuarterOfBuffer,
            introduced: "dfa2f0483360",
            fix: Some("697a6c8cec03"),
            affected: &[
                Affected::until(6, 6, 0, 33),
                Affected::whole(6, 7),
                Affected::whole(6, 8),
                Affected::until(6, 9, 0, 4),
            ],
            source: "TCP_DEFAULT_SCALING_RATIO, include/net/tcp.h; one half again in 6.10, 6.6.33, 6.9.4",
        },
        Self {
            id: "autotuning-slow",
            pattern: Pattern::AutotuningSlow,
            introduced: "65c5287892e9",
            fix: Some("aa251c84636c"),
            affected: &[Affected::whole(6, 16), Affected::proven(6, 17, 0, 8)],
            source: "tcp_rcvbuf_grow, net/ipv4/tcp_input.c; aa251c84636c in 6.18, not in the announcement of 6.17.8",
        },
        Self {
            id: "unread-in-sockmap",
            pattern: Pattern::UnreadInSockmap,
            introduced: "929e30f93125",
            fix: Some("04af4efde58a"),
            affected: &[
                Affected::proven(6, 6, 128, 128),
                Affected::proven(6, 12, 75, 107),
                Affected::proven(6, 18, 14, 15),
                Affected::proven(6, 19, 4, 14),
                Affected::proven(7, 0, 0, 13),
                Affected::proven(7, 1, 0, 13),
            ],
            source: "tcp_bpf_ioctl, net/ipv4/tcp_bpf.c; announcements of 6.6.128, 6.12.75, 6.18.14, 6.19.4; FIONREAD asked \
                     in guests (`docs/dev/measurements.md`)",
        },
        Self {
            id: "segments-in-window-dropped",
            pattern: Pattern::SegmentsRefused,
            introduced: "1d2fbaad7cd8",
            fix: Some("026dfef287c0"),
            affected: &[Affected::whole(6, 17), Affected::until(6, 18, 0, 17), Affected::until(6, 19, 0, 7)],
            source: "tcp_can_ingest, net/ipv4/tcp_input.c; 026dfef287c0 in 7.0, taken back in 6.18.17 and 6.19.7",
        },
    ];

    /// Whether `version` is affected, judged by its number.
    pub fn affects(&self, version: KernelVersion) -> bool {
        self.affected.iter().any(|range| range.has(version))
    }

    /// The first release in the series of `version` with the fix; `None` if there is none.
    pub fn fixed_release(&self, version: KernelVersion) -> Option<KernelVersion> {
        let range = self.affected.iter().find(|range| range.has(version))?;
        let last = range.last.filter(|_| range.is_fixed_next)?;
        Some(KernelVersion::release(range.series.0, range.series.1, last + 1))
    }
}

/// Regressions of the kernel `version`, judged by its number.
pub fn regressions_of(version: KernelVersion) -> impl Iterator<Item = &'static Regression> {
    Regression::ALL.iter().filter(move |regression| regression.affects(version))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(version: &str) -> Vec<&'static str> {
        regressions_of(version.parse().unwrap()).map(|regression| regression.id).collect()
    }

    #[test]
    fn the_releases_on_either_side() {
        for (id, before, first, last, after) in [
            ("jumbo-window-stuck", "4.19.85", "4.19.86", "4.19.163", "4.19.164"),
            ("jumbo-window-stuck", "4.18.20", "5.4.0", "5.4.84", "5.4.85"),
            ("jumbo-window-stuck", "5.10.0", "5.9.1", "5.9.15", "5.9.16"),
            ("send-queue-too-strict", "4.4.181", "4.4.182", "4.4.183", "4.4.184"),
            ("send-queue-too-strict", "4.9.181", "4.9.182", "4.9.183", "4.9.184"),
            ("send-queue-too-strict", "4.14.126", "4.14.127", "4.14.130", "4.14.131"),
            ("send-queue-too-strict", "4.19.51", "4.19.52", "4.19.61", "4.19.62"),
            ("send-queue-too-strict", "5.1.10", "5.1.11", "5.1.20", "5.1.21"),
            ("send-queue-too-strict", "5.3.0", "5.2.0", "5.2.3", "5.2.4"),
            ("slow-reader-window", "4.14.47", "4.14.48", "4.14.49", "4.14.50"),
            ("quarter-of-buffer", "6.5.13", "6.6.0", "6.6.32", "6.6.33"),
            ("quarter-of-buffer", "6.10.0", "6.9.0", "6.9.3", "6.9.4"),
            ("autotuning-slow", "6.15.11", "6.16.1", "6.17.8", "6.18"),
            ("unread-in-sockmap", "6.12.74", "6.12.75", "6.12.107", "6.12.117"),
            ("unread-in-sockmap", "6.18.13", "6.18.14", "7.1.13", "7.2.6"),
            ("segments-in-window-dropped", "6.16.12", "6.17.0", "6.18.16", "6.18.17"),
            ("segments-in-window-dropped", "7.0.0", "6.19.0", "6.19.6", "6.19.7"),
        ] {
            for (version, is_affected) in [(before, false), (first, true), (last, true), (after, false)] {
                assert_eq!(ids(version).contains(&id), is_affected, "{id} {version}");
            }
        }
    }

    #[test]
    fn a_series_without_a_release_counts_as_its_last() {
        assert_eq!(ids("6.6"), [] as [&str; 0]);
        assert_eq!(ids("5.8"), ["jumbo-window-stuck"], "5.8 ended without the fix");
    }

    #[test]
    fn where_to_go() {
        let fixed = |id: &str, version: &str| {
            let regression = Regression::ALL.iter().find(|r| r.id == id).unwrap();
            regression.fixed_release(version.parse().unwrap()).map(|v| v.to_string())
        };
        assert_eq!(fixed("jumbo-window-stuck", "4.19.100"), Some("4.19.164".to_owned()));
        assert_eq!(fixed("jumbo-window-stuck", "5.8.3"), None);
        assert_eq!(fixed("slow-reader-window", "4.14.48"), None, "only reverts are known");
        assert_eq!(fixed("quarter-of-buffer", "6.6.33"), None, "it has no fault");
    }

    #[test]
    fn ids_are_unique_and_commits_are_commits() {
        let ids: std::collections::BTreeSet<_> = Regression::ALL.iter().map(|r| r.id).collect();
        assert_eq!(ids.len(), Regression::ALL.len());
        for regression in Regression::ALL {
            for commit in [Some(regression.introduced), regression.fix].into_iter().flatten() {
                assert!(commit.len() == 12 && commit.chars().all(|c| c.is_ascii_hexdigit()), "{commit}");
            }
            assert!(!regression.affected.is_empty() && !regression.source.is_empty());
        }
    }
}
