//! How an operating system turns sysctls and socket options into what a TCP connection may send and receive.
//!
//! Pure functions of the kernel's version and the settings: nothing here asks the machine it runs on.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod sysctl;
mod system;
mod version;

pub use sysctl::{
    Setting, SettingOrigin, Sysctl, SysctlError, SysctlScope, SysctlShape, SysctlUnit, SysctlValue, Sysctls,
};
pub use system::{OperatingSystem, SystemError, WindowsRelease};
pub use version::{KernelVersion, VersionError};
