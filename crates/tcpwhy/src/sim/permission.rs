//! What a scenario that is run on this kernel may do.

/// As in the lab.
#[cfg(target_os = "linux")]
pub(crate) type Permission = crate::lab::PermissionArgs;

/// Elsewhere nothing is run.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Permission {}
