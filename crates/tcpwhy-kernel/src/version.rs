use std::fmt;
use std::str::FromStr;

use tcpwhy_model::{Explained, Message};

use crate::Ground;

/// The version of a Linux kernel at the beginning of `uname -r`: `6.18`, `6.1.192`.
///
/// Rules depend on these numbers. A distribution's kernel may contain changes of later versions (RHEL's 5.14
/// has many), which the number does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelVersion {
    /// First number.
    pub major: u16,
    /// Second number.
    pub minor: u16,
    /// Third number, the stable release. `None` if only the series is known, which then counts as its last
    /// release.
    pub patch: Option<u16>,
}

impl KernelVersion {
    /// The oldest version with known rules. Older kernels counted buffers differently.
    pub(crate) const OLDEST: Self = Self::series(3, 10);

    /// The oldest version on which the rules were measured. Rules of older ones were read in the source.
    pub const OLDEST_MEASURED: Self = Self::series(5, 10);

    /// The newest version on which the rules were measured. Newer ones are assumed to have the same rules.
    pub const NEWEST_MEASURED: Self = Self::series(7, 3);

    /// The oldest version whose defaults are a minimum for all advice. Its last stable release is of December
    /// 2024.
    pub const OLDEST_ADVISED: Self = Self::series(4, 19);

    /// The first and the last release of each series from [`OLDEST_ADVISED`](Self::OLDEST_ADVISED) to
    /// [`NEWEST_MEASURED`](Self::NEWEST_MEASURED). A major number has at most 21 series (Linux 4.0 to 4.20).
    pub(crate) fn advised() -> impl Iterator<Item = Self> {
        const MOST_MINOR: u16 = 20;
        let (oldest, newest) = (Self::OLDEST_ADVISED, Self::NEWEST_MEASURED);
        let all = (oldest.major..=newest.major).flat_map(|major| (0..=MOST_MINOR).map(move |minor| (major, minor)));
        all.filter(move |&series| series >= (oldest.major, oldest.minor) && series <= (newest.major, newest.minor))
            .flat_map(|(major, minor)| [Self::release(major, minor, 0), Self::series(major, minor)])
    }

    /// A series, which counts as its last stable release.
    pub const fn series(major: u16, minor: u16) -> Self {
        Self { major, minor, patch: None }
    }

    /// A stable release.
    pub const fn release(major: u16, minor: u16, patch: u16) -> Self {
        Self { major, minor, patch: Some(patch) }
    }

    /// Whether this is `major.minor` or later.
    pub const fn is_since(self, major: u16, minor: u16) -> bool {
        self.major > major || (self.major == major && self.minor >= minor)
    }

    /// Whether its series is older than all measured ones.
    pub const fn is_older_than_measured(self) -> bool {
        let oldest = Self::OLDEST_MEASURED;
        !self.is_since(oldest.major, oldest.minor)
    }

    /// Upper limit of the reliability of this version's rules.
    pub(crate) const fn ground(self) -> Ground {
        if self.is_older_than_measured() { Ground::Source } else { Ground::Exact }
    }

    /// Whether this is the 3.10 of RHEL 7 and its rebuilds, which contains TCP changes of later versions. All
    /// of them are called 3.10.0, and no other distribution kept that release.
    pub const fn is_rhel_7(self) -> bool {
        self.major == 3 && self.minor == 10 && matches!(self.patch, None | Some(0))
    }

    /// Whether its series is newer than all measured ones.
    pub const fn is_newer_than_measured(self) -> bool {
        let newest = Self::NEWEST_MEASURED;
        self.is_since(newest.major, newest.minor + 1)
    }

    /// Whether this is the stable release `patch` or later in the series `major.minor`.
    pub const fn is_stable_since(self, major: u16, minor: u16, patch: u16) -> bool {
        self.major == major
            && self.minor == minor
            && match self.patch {
                Some(own) => own >= patch,
                None => true,
            }
    }
}

impl fmt::Display for KernelVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        self.patch.map_or(Ok(()), |patch| write!(f, ".{patch}"))
    }
}

/// Error of a text that is not a kernel version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionError(String);

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a kernel version such as 6.18 or 5.15.0-91-generic", self.0)
    }
}

impl std::error::Error for VersionError {}

impl FromStr for KernelVersion {
    type Err = VersionError;

    /// Parses `6.18`, `6.1.192` and all of `uname -r` (`5.15.0-91-generic`, `6.18.44+deb13-amd64`).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || VersionError(text.chars().take(40).collect());
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (numbers, rest) = text.split_at(end);
        if !(rest.is_empty() || rest.starts_with(['-', '+', '_', '~'])) {
            return Err(error());
        }
        let mut parts = numbers.trim_end_matches('.').split('.');
        let mut next = || parts.next().map(|part| part.parse::<u16>().map_err(|_| error())).transpose();
        let (Some(major), Some(minor)) = (next()?, next()?) else { return Err(error()) };
        Ok(Self { major, minor, patch: next()? })
    }
}

impl Explained for VersionError {
    fn message(&self) -> Message {
        Message::new("kernel-version").with("text", format!("{:?}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_uname_says() {
        for (text, version) in [
            ("6.18", KernelVersion::series(6, 18)),
            ("6.18.44-fc-v595", KernelVersion::release(6, 18, 44)),
            ("5.15.0-91-generic", KernelVersion::release(5, 15, 0)),
            ("4.18.0-513.5.1.el8_9.x86_64", KernelVersion::release(4, 18, 0)),
            ("6.12.117+deb13-amd64", KernelVersion::release(6, 12, 117)),
            ("3.10", KernelVersion::series(3, 10)),
            ("7.3-rc4", KernelVersion::series(7, 3)),
        ] {
            assert_eq!(text.parse(), Ok(version), "{text}");
        }
        for text in ["", "6", "six", "6.x", "6.18 LTS", "99999.1", "-1.2", "6..1"] {
            assert!(text.parse::<KernelVersion>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_series_counts_as_its_last_release() {
        assert!(KernelVersion::series(6, 6).is_stable_since(6, 6, 47));
        assert!(!KernelVersion::release(6, 6, 46).is_stable_since(6, 6, 47));
        assert!(!KernelVersion::series(6, 7).is_stable_since(6, 6, 47));
        assert!(KernelVersion::series(7, 0).is_since(6, 11));
        assert!(!KernelVersion::series(5, 15).is_since(6, 1));
    }

    #[test]
    fn newer_than_measured() {
        for (text, is_newer) in [("7.3", false), ("7.3.99", false), ("7.4-rc1", true), ("8.0", true), ("6.18", false)] {
            let version: KernelVersion = text.parse().unwrap();
            assert_eq!(version.is_newer_than_measured(), is_newer, "{text}");
        }
    }
}
