//! What tests begin with.

use proptest::prelude::ProptestConfig;
use tcpwhy_kernel::{KernelVersion, Link};

use crate::rules::{HostRules, Rules, SocketOptions};

/// The rules of a socket on which nothing was set.
pub(crate) fn rules() -> Rules {
    Rules::new(&HostRules::defaults(KernelVersion::series(6, 18)), &SocketOptions::default(), &Link::ETHERNET)
}

/// So many cases, unless `PROPTEST_CASES` asks for more.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(cases), max_shrink_iters: 20_000, ..ProptestConfig::default() }
}
