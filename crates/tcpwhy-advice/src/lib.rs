//! Fixes: the lines to change in the usual languages, servers and kernels.
//!
//! Each function returns a [`Fix`]: an id, a place and lines of code that are the same in every language. The
//! catalogues have the words: `fix-ID` for the fix, `remark-ID` for the trailing comment of a line.
//!
//! ```
//! let fix = tcpwhy_advice::raise_tcp_wmem(1_000_000);
//! assert_eq!(fix.id, "raise-tcp-wmem");
//! assert_eq!(fix.lines.len(), 1);
//! ```
//!
//! **Promises:** pure functions. Every setting named here exists; a server without such a setting is left
//! out. No line sets a limit of Linux below the default of a kernel (`setting.rs`).

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod application;
mod buffers;
mod capture;
mod id;
mod network;
#[cfg(test)]
mod readiness;
mod setting;
mod shell;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use application::*;
pub use buffers::*;
pub use capture::*;
pub use id::FixId;
pub use network::*;

use shell::{interface_towards_receiver, process_here, route_towards_peer};
use tcpwhy_model::{Fix, FixLine, FixPlace, LineCode};

const fn fix(id: &'static str, place: FixPlace, lines: Vec<FixLine>) -> Fix {
    Fix::new(id, place, lines)
}

/// Returns a line: code up to the sign of its trailing comment, and the id of the remark behind it.
fn line(code: impl Into<LineCode>, remark: &'static str) -> FixLine {
    FixLine::remarked(code, remark)
}

/// Rounds a buffer size, because more digits would be false precision.
fn round_size(bytes: u64) -> u64 {
    bytes.max(65_536).next_multiple_of(65_536)
}
