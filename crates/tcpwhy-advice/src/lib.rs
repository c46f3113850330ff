//! The lines to change, as they stand in the languages, servers and kernels that people run.
//!
//! What a fix means is said in the message catalogues under `fix-ID`; here stand the lines that are the same in every
//! language, each with what it belongs to in a trailing comment. Only settings that exist are named: a server that has no
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

use tcpwhy_model::{Fix, FixPlace};

fn fix(id: &'static str, place: FixPlace, lines: &[&'static str]) -> Fix {
    Fix { id, place, lines: lines.iter().map(|&line| line.into()).collect() }
}

/// A buffer size to write down: no false precision.
fn round_size(bytes: u64) -> u64 {
    bytes.max(65_536).next_multiple_of(65_536)
}
