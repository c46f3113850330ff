//! Tests that cannot run everywhere.

use std::fmt::Display;

/// Variable that is set where a machine promises everything that such tests need: root, network namespaces,
/// TUN and TAP devices, `ip`, Linux 5.15.
const PROMISE: &str = "MUST_HAVE_NAMESPACES";

/// Prints why a test is skipped here.
///
/// # Panics
/// Panics if `MUST_HAVE_NAMESPACES` is set, so that a missing prerequisite does not pass as success.
pub fn skip(why: impl Display) {
    assert!(std::env::var_os(PROMISE).is_none(), "{PROMISE} is set, yet {why}");
    eprintln!("skipped: {why}");
}
