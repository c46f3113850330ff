use std::fmt;
use std::str::FromStr;

use crate::KernelVersion;

/// An operating system whose rules are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperatingSystem {
    /// Linux: every rule.
    Linux(KernelVersion),
    /// Windows: only that a set buffer turns its autotuning off.
    Windows(WindowsRelease),
    /// macOS (XNU): only that a set buffer is taken as it is and turns its autotuning off.
    MacOs,
    /// FreeBSD: as macOS, and the sizes it starts with.
    FreeBsd,
}

/// A release of Windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowsRelease {
    /// Windows Server 2008 R2, Windows 7.
    Server2008R2,
    /// Windows Server 2012, Windows 8, or later.
    Server2012,
}

impl OperatingSystem {
    /// The kernel version, if this is Linux.
    pub const fn linux(self) -> Option<KernelVersion> {
        match self {
            Self::Linux(version) => Some(version),
            Self::Windows(_) | Self::MacOs | Self::FreeBsd => None,
        }
    }
}

impl fmt::Display for OperatingSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linux(version) => write!(f, "{version}"),
            Self::Windows(WindowsRelease::Server2008R2) => f.write_str("windows-server-2008r2"),
            Self::Windows(WindowsRelease::Server2012) => f.write_str("windows-server-2012"),
            Self::MacOs => f.write_str("macos"),
            Self::FreeBsd => f.write_str("freebsd"),
        }
    }
}

/// What was typed is no operating system known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemError(String);

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is neither a kernel version (6.18, 5.15.0-91-generic) nor windows-server-2008r2, windows-server-2012, \
             macos or freebsd",
            self.0
        )
    }
}

impl std::error::Error for SystemError {}

impl FromStr for OperatingSystem {
    type Err = SystemError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim().to_ascii_lowercase();
        let name = name.strip_prefix("linux-").unwrap_or(&name);
        match name {
            "windows-server-2008r2" | "windows-7" => return Ok(Self::Windows(WindowsRelease::Server2008R2)),
            "windows"
            | "windows-10"
            | "windows-11"
            | "windows-server-2012"
            | "windows-server-2012r2"
            | "windows-server-2016"
            | "windows-server-2019"
            | "windows-server-2022"
            | "windows-server-2025" => {
                return Ok(Self::Windows(WindowsRelease::Server2012));
            }
            "macos" | "darwin" => return Ok(Self::MacOs),
            "freebsd" => return Ok(Self::FreeBsd),
            _ => {}
        }
        name.parse().map(Self::Linux).map_err(|_| SystemError(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for text in ["6.18.44", "3.10", "windows-server-2008r2", "windows-server-2012", "macos", "freebsd"] {
            assert_eq!(text.parse::<OperatingSystem>().map(|system| system.to_string()), Ok(text.to_owned()));
        }
        assert!("solaris".parse::<OperatingSystem>().is_err());
        assert!("windows-95".parse::<OperatingSystem>().is_err());
    }
}
