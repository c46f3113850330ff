use std::fmt;
use std::str::FromStr;
use tcpwhy_model::foreign::quoted;
use tcpwhy_model::{Explained, Message};

use crate::KernelVersion;

/// An operating system whose rules are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperatingSystem {
    /// Linux, with all rules.
    Linux(KernelVersion),
    /// Windows, as documented by Microsoft.
    Windows(WindowsRelease),
    /// macOS (XNU). Known: a set buffer is accepted unchanged and is no longer autotuned.
    MacOs,
    /// FreeBSD: like macOS, with known initial sizes.
    FreeBsd,
}

macro_rules! windows_releases {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal, $title:literal;)*) => {
        /// A release of Windows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum WindowsRelease {
            $($(#[doc = $doc])* $variant,)*
        }

        impl WindowsRelease {
            /// All known releases.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Name that the user types.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Official name.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

windows_releases! {
    /// An unspecified release.
    Unnamed = "windows", "Windows";
    /// Windows 7.
    Windows7 = "windows-7", "Windows 7";
    /// Windows 8.
    Windows8 = "windows-8", "Windows 8";
    /// Windows 10.
    Windows10 = "windows-10", "Windows 10";
    /// Windows 11.
    Windows11 = "windows-11", "Windows 11";
    /// Windows Server 2008 R2.
    Server2008R2 = "windows-server-2008r2", "Windows Server 2008 R2";
    /// Windows Server 2012.
    Server2012 = "windows-server-2012", "Windows Server 2012";
    /// Windows Server 2012 R2.
    Server2012R2 = "windows-server-2012r2", "Windows Server 2012 R2";
    /// Windows Server 2016.
    Server2016 = "windows-server-2016", "Windows Server 2016";
    /// Windows Server 2019.
    Server2019 = "windows-server-2019", "Windows Server 2019";
    /// Windows Server 2022.
    Server2022 = "windows-server-2022", "Windows Server 2022";
    /// Windows Server 2025.
    Server2025 = "windows-server-2025", "Windows Server 2025";
}

impl OperatingSystem {
    /// The kernel version, if this is Linux.
    pub const fn linux(self) -> Option<KernelVersion> {
        match self {
            Self::Linux(version) => Some(version),
            Self::Windows(_) | Self::MacOs | Self::FreeBsd => None,
        }
    }

    /// Name for readers, without Linux's version; [`Display`](fmt::Display) gives the name that the user
    /// types.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Linux(_) => "Linux",
            Self::Windows(release) => release.title(),
            Self::MacOs => "macOS",
            Self::FreeBsd => "FreeBSD",
        }
    }
}

impl fmt::Display for OperatingSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linux(version) => write!(f, "{version}"),
            Self::Windows(release) => f.write_str(release.name()),
            Self::MacOs => f.write_str("macos"),
            Self::FreeBsd => f.write_str("freebsd"),
        }
    }
}

/// Error of a text that is not an operating system with known rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemError {
    /// Neither a known name nor a version.
    Unknown(String),
    /// A kernel older than 3.10.
    TooOld(KernelVersion),
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(text) => write!(
                f,
                "{} is neither a kernel version (6.18, 5.15.0-91-generic) nor windows-server-2022 (-2025, -2019, \
                 -2016, -2012r2, -2012, -2008r2), windows-11 (-10, -8, -7), macos or freebsd",
                quoted(text)
            ),
            Self::TooOld(version) => {
                write!(
                    f,
                    "tcpwhy knows the rules of Linux {} and later; Linux {version} had different ones",
                    KernelVersion::OLDEST
                )
            }
        }
    }
}

impl std::error::Error for SystemError {}

impl OperatingSystem {
    /// The system of a Linux version.
    ///
    /// # Errors
    ///
    /// If the version is too old for the rules.
    pub fn of_kernel(version: KernelVersion) -> Result<Self, SystemError> {
        let oldest = KernelVersion::OLDEST;
        if version.is_since(oldest.major, oldest.minor) {
            Ok(Self::Linux(version))
        } else {
            Err(SystemError::TooOld(version))
        }
    }
}

impl FromStr for OperatingSystem {
    type Err = SystemError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Windows' own spelling is accepted too: "Windows Server 2012 R2".
        let name = text.trim().to_ascii_lowercase().replace("2 r2", "2r2").replace("8 r2", "8r2").replace(' ', "-");
        let name = name.strip_prefix("linux-").unwrap_or(&name);
        if let Some(release) = WindowsRelease::ALL.iter().find(|release| release.name() == name) {
            return Ok(Self::Windows(*release));
        }
        match name {
            "macos" | "darwin" => Ok(Self::MacOs),
            "freebsd" => Ok(Self::FreeBsd),
            _ => {
                let unknown = || SystemError::Unknown(text.chars().take(40).collect());
                Self::of_kernel(name.parse().map_err(|_| unknown())?)
            }
        }
    }
}

impl Explained for SystemError {
    fn message(&self) -> Message {
        match self {
            Self::Unknown(text) => Message::new("system-unknown").with("text", quoted(text)),
            Self::TooOld(version) => Message::new("system-too-old")
                .with("oldest", KernelVersion::OLDEST.to_string())
                .with("version", version.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for text in
            ["6.18.44", "3.10", "windows-10", "windows-server-2008r2", "windows-server-2022", "macos", "freebsd"]
        {
            assert_eq!(text.parse::<OperatingSystem>().map(|system| system.to_string()), Ok(text.to_owned()));
        }
        for text in ["Windows 11", "windows server 2022", "Windows Server 2012 R2", "Windows Server 2008 R2"] {
            assert!(matches!(text.parse(), Ok(OperatingSystem::Windows(_))), "{text}");
        }
        assert!("solaris".parse::<OperatingSystem>().is_err());
        assert!("windows-95".parse::<OperatingSystem>().is_err());
        assert!("windows".parse::<OperatingSystem>().is_ok());
        for old in ["2.6.32", "3.9", "3.2.0-4-amd64"] {
            let error = old.parse::<OperatingSystem>().unwrap_err();
            assert!(matches!(error, SystemError::TooOld(_)) && error.to_string().contains("3.10"), "{error}");
        }
    }
}
