//! Inputs that checks require.

use tcpwhy_model::host::Gap;

use crate::HostFacts;

/// An input without which a check finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// This part of the host.
    Part(Gap),
    /// A path that the host is to serve.
    Path,
}

pub(crate) const SOCKETS: &[Need] = &[Need::Part(Gap::Sockets)];
/// Sockets, and which buffers programs have set.
pub(crate) const LOCKS: &[Need] = &[Need::Part(Gap::Sockets), Need::Part(Gap::Locks)];
/// Sockets, with their `struct tcp_info`.
pub(crate) const DETAILS: &[Need] = &[Need::Part(Gap::Sockets), Need::Part(Gap::Details)];
pub(crate) const SETTINGS: &[Need] = &[Need::Part(Gap::Sysctls)];
pub(crate) const COUNTERS: &[Need] = &[Need::Part(Gap::Counters)];
pub(crate) const MEMORY: &[Need] = &[Need::Part(Gap::SockStat), Need::Part(Gap::Sysctls)];
pub(crate) const PATHS: &[Need] = &[Need::Part(Gap::Sysctls), Need::Path];
/// The kernel's version, and the sockets and counters in which its faults show.
pub(crate) const KERNEL: &[Need] =
    &[Need::Part(Gap::Kernel), Need::Part(Gap::Sockets), Need::Part(Gap::Details), Need::Part(Gap::Counters)];

impl Need {
    /// Whether `facts` lack this input.
    pub(crate) fn is_lacking(self, facts: &HostFacts<'_>) -> bool {
        match self {
            Self::Part(gap) => facts.host.gaps.contains(&gap),
            Self::Path => facts.paths.is_empty(),
        }
    }
}
