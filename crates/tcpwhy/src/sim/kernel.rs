//! The kernel of a simulation.

use tcpwhy_kernel::KernelVersion;

/// The default kernel version, with which most comparisons were made.
pub(super) const KERNEL: KernelVersion = KernelVersion::series(6, 18);
