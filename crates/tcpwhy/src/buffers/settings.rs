//! The kernel and its settings: of this host, of a saved one, or the kernel's defaults.

use tcpwhy_kernel::{KernelVersion, OperatingSystem, Sysctls};
use tcpwhy_live::text_file;
use tcpwhy_model::foreign::visible_path;
use tcpwhy_report::buffers::SettingsOrigin;

use super::args::BuffersArgs;
use crate::environment;
use crate::message;
use crate::message::failure;
use crate::wrong::{Context as _, Result, bail};

/// `sysctl -a` of a router with thousands of interfaces has several megabytes. In bytes.
pub(crate) const MOST_SETTINGS: u64 = 64 << 20;

/// Kernel and settings of the host that the question is about.
pub(crate) struct Settings {
    pub(super) system: OperatingSystem,
    /// The version of `system`, or a Linux version in its place.
    pub(super) version: KernelVersion,
    pub(super) sysctls: Sysctls,
    pub(super) origin: SettingsOrigin,
    pub(super) warnings: Vec<String>,
}

impl Settings {
    /// Reads the settings. A saved `sysctl -a` names its kernel; `--kernel` without a file uses that kernel's
    /// defaults.
    pub(crate) fn gather(args: &BuffersArgs) -> Result<Self> {
        let mut warnings = Vec::new();
        let (mut sysctls, origin, saved_kernel) = match &args.sysctl_file {
            Some(path) => {
                let name = visible_path(path);
                let text = text_file::read_text(path, MOST_SETTINGS)?;
                let (sysctls, errors) = Sysctls::parse(&text);
                if sysctls.is_empty() {
                    bail!(failure("no-sysctls").with("file", name));
                }
                warnings.extend(errors.iter().map(|error| format!("{name}: {}", message::words(error))));
                (sysctls, SettingsOrigin::File(name), kernel_of(&text))
            }
            None => (Sysctls::new(), SettingsOrigin::Defaults, None),
        };
        let running = environment::running_kernel();
        let system = match (args.kernel, saved_kernel, running) {
            (Some(system), ..) => system,
            (None, Some(version), _) | (None, None, Some(version)) => OperatingSystem::of_kernel(version)?,
            (None, None, None) => bail!(failure("name-a-kernel")),
        };
        let mut origin = origin;
        if args.kernel.is_none() && args.sysctl_file.is_none() {
            let text = tcpwhy_live::sysctl_text()?;
            let (host, errors) = Sysctls::parse(&text);
            warnings.extend(errors.iter().map(message::words));
            sysctls = host;
            origin = SettingsOrigin::Host;
        }
        let version = linux_version(system);
        if origin == SettingsOrigin::Defaults {
            sysctls = Sysctls::defaults(version);
        }
        for assignment in &args.sysctl {
            sysctls.assign(assignment).context("--sysctl")?;
        }
        Ok(Self { system, version, sysctls, origin, warnings })
    }
}

/// The kernel that a saved `sysctl -a` came from.
fn kernel_of(text: &str) -> Option<KernelVersion> {
    let release = text.lines().find_map(|line| line.strip_prefix("kernel.osrelease"))?;
    release.trim_start().strip_prefix('=')?.parse().ok()
}

/// The Linux version of `system`, or a substitute for another system.
const fn linux_version(system: OperatingSystem) -> tcpwhy_kernel::KernelVersion {
    match system.linux() {
        Some(version) => version,
        None => tcpwhy_kernel::KernelVersion::series(6, 18),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_host_names_its_kernel() {
        let text = "kernel.ostype = Linux\nkernel.osrelease = 5.15.0-91-generic\nnet.core.rmem_max = 1\n";
        assert_eq!(kernel_of(text), Some(KernelVersion::release(5, 15, 0)));
        assert_eq!(kernel_of("net.core.rmem_max = 1"), None);
    }
}
