//! The path between two ends: what it does to frames, and what frames are.
//!
//! A [`Link`](link::Link) is one direction, without a clock or sockets: time is an argument. The emulator of the lab feeds
//! it with frames of a real kernel, the simulator with those of a simulated one; both lose the same frames of one seed.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

pub mod frame;
pub mod link;
