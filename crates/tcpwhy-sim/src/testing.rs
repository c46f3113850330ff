//! Common parts of tests.

use proptest::prelude::ProptestConfig;
use tcpwhy_kernel::{KernelVersion, Link};

use crate::rules::{HostRules, Rules, SocketOptions};

/// Rules of a socket with default settings.
pub(crate) fn rules() -> Rules {
    Rules::new(&HostRules::defaults(KernelVersion::series(6, 18)), &SocketOptions::default(), &Link::ETHERNET)
}

/// A configuration with this many cases, unless `PROPTEST_CASES` overrides it.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(cases), max_shrink_iters: 20_000, ..ProptestConfig::default() }
}
