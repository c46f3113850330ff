//! What tests begin with.

use tcpwhy_kernel::{KernelVersion, Link};

use crate::rules::{HostRules, Rules, SocketOptions};

/// The rules of a socket on which nothing was set.
pub(crate) fn rules() -> Rules {
    Rules::new(&HostRules::defaults(KernelVersion::series(6, 18)), &SocketOptions::default(), &Link::ETHERNET)
}
