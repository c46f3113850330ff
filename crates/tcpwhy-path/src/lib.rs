//! The path between two ends: its effects on frames, and the frames themselves.
//!
//! A [`Link`](link::Link) is one direction, without a clock or sockets: time is an argument. The lab's
//! emulator feeds it with frames of a real kernel, the simulator with those of a simulated one. With one
//! seed, both lose the same frames.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

pub mod frame;
pub mod link;
