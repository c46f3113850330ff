//! Packets for tests: written in packetdrill's notation ([`script`]), or made by small models of a transfer ([`Transfer`])
//! and of a conversation ([`Turns`]), or in the orders that cost most ([`Order`]),
//! with the operations under which an analysis must not change its mind ([`alter`]); and what tests do that cannot run
//! everywhere ([`skip`], `in_namespace`).
//!
//! **Invariant:** everything is deterministic. This crate is for development only; nothing that ships depends on it.

pub mod alter;
mod hostile;
#[cfg(target_os = "linux")]
mod namespace;
mod notation;
mod packets;
mod skip;
mod transfer;
mod turns;

pub use hostile::Order;
#[cfg(target_os = "linux")]
pub use namespace::{in_namespace, ip};
pub use notation::{Expectation, Script, script};
pub use packets::{CLIENT, SERVER, START, at, flags};
pub use skip::skip;
pub use transfer::{Capture, Reader, ReceiveBuffer, Told, Transfer, Writer, random};
pub use turns::Turns;

/// Milliseconds in nanoseconds.
pub const fn ms(millis: i64) -> i64 {
    millis * 1_000_000
}

/// Bytes per second of so many Mbit/s.
pub const fn mbit(megabits: u64) -> u64 {
    megabits * 125_000
}
