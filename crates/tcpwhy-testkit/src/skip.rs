//! Tests that cannot run everywhere.

use std::fmt::Display;

/// Set where a machine promises what such tests need: root, network namespaces, TUN and TAP devices, `ip`, Linux 5.15.
const PROMISE: &str = "MUST_HAVE_NAMESPACES";

/// Says why a test looks at nothing here.
///
/// # Panics
/// Where `MUST_HAVE_NAMESPACES` is set, so that nothing passes there for want of what was promised.
pub fn skip(why: impl Display) {
    assert!(std::env::var_os(PROMISE).is_none(), "{PROMISE} is set, yet {why}");
    eprintln!("skipped: {why}");
}
