//! Permissions of a scenario that runs on this kernel.

/// The same permissions as in the lab.
#[cfg(target_os = "linux")]
pub(crate) type Permission = crate::lab::PermissionArgs;

/// On other systems, no scenario is run.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Permission {}
