//! Packets for tests.
//!
//! - [`script`] reads packets in packetdrill's notation, with what is expected of them.
//! - [`Transfer`] models a bulk transfer, [`Turns`] a conversation; [`Order`] makes the most expensive
//!   orders of packets.
//! - [`pcap`] writes packets as a capture.
//! - [`alter`] has the changes under which an analysis must not change its result.
//! - [`has_sentence`] compares the evidence of a finding with the catalogues.
//! - [`skip`] and `in_namespace` are for tests that cannot run everywhere.
//!
//! ```
//! use tcpwhy_testkit::{Transfer, ms};
//!
//! let transfer = Transfer { rtt: ms(50), send_buffer: Some(64_000), ..Transfer::default() };
//! let segments = transfer.run();
//! assert_eq!(segments, transfer.run());
//! ```
//!
//! **Promises:** Everything is deterministic. This crate is for development only; no shipped crate depends on
//! it.

pub mod alter;
mod hostile;
#[cfg(target_os = "linux")]
mod namespace;
mod notation;
mod packets;
mod pcap;
mod skip;
mod transfer;
mod turns;
mod words;

pub use hostile::Order;
#[cfg(target_os = "linux")]
pub use namespace::{in_namespace, ip};
pub use notation::{Expectation, Script, script};
pub use packets::{CLIENT, SERVER, START, at, flags};
pub use pcap::{HEADERS, pcap};
pub use skip::skip;
pub use transfer::{Capture, Reader, ReceiveBuffer, Told, Transfer, Writer, random};
pub use turns::Turns;
pub use words::has_sentence;

/// Milliseconds in nanoseconds.
pub const fn ms(millis: i64) -> i64 {
    millis * 1_000_000
}

/// Bytes per second of `megabits` Mbit/s.
pub const fn mbit(megabits: u64) -> u64 {
    megabits * 125_000
}
