//! The kernel of a simulation.

use tcpwhy_kernel::KernelVersion;

/// The kernel whose rules hold unless another one is named: most comparisons were with it.
pub(super) const KERNEL: KernelVersion = KernelVersion::series(6, 18);
