//! The lines to change, as they stand in the languages, servers and kernels that people run.
//!
//! What a fix means is said in the message catalogues under `fix-ID`, what stands in the trailing comment of a line under
//! `remark-ID`; here stand the lines that are the same in every language. Only settings that exist are named: a server that has no
//! such setting is left out.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod application;
mod buffers;
mod capture;
mod network;

pub use application::*;
pub use buffers::*;
pub use capture::*;
pub use network::*;

use std::borrow::Cow;

use tcpwhy_model::{Fix, FixLine, FixPlace};

const fn fix(id: &'static str, place: FixPlace, lines: Vec<FixLine>) -> Fix {
    Fix { id, place, lines }
}

/// Code up to the sign of its trailing comment, and the id of the remark that stands there.
fn line(code: impl Into<Cow<'static, str>>, remark: &'static str) -> FixLine {
    FixLine::remarked(code, remark)
}

/// A buffer size to write down: no false precision.
fn round_size(bytes: u64) -> u64 {
    bytes.max(65_536).next_multiple_of(65_536)
}
