//! The state of a host: sockets, counters, TCP memory and settings, from the live kernel or from saved files.
//!
//! - [`observe`] reads this host (Linux): `sock_diag`, `/proc/net`, and which buffers applications have set.
//! - [`BlockedTime`] is how long a socket of this process was blocked, as the kernel's clocks count it.
//! - [`SockDiag`] samples the sockets of all processes; `tcpwhy-watch` builds connections from the samples.
//! - [`SavedHost`] reads a folder of saved texts, and returns the texts to save.
//! - [`ss`], [`proc_net`], [`tcp_info`] and [`recording`] decode text and bytes, on every platform and of any
//!   input.
//!
//! ```
//! let text = "ESTAB 0 4096 10.0.0.1:443 10.0.0.2:50000\n\t cubic rtt:20.5/1.2 cwnd:10\n";
//! let sockets = tcpwhy_live::ss::parse_sockets(text);
//! assert_eq!(sockets.len(), 1);
//! assert_eq!(sockets[0].info.snd_cwnd, Some(10));
//! ```
//!
//! **Promises:** This crate interprets nothing. Data that could not be read is `None` or a
//! [`Gap`](tcpwhy_model::host::Gap), never a zero. Decoders do not fail: they keep unknown words as text or
//! skip them.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod blocked;
mod error;
#[cfg(target_os = "linux")]
mod linux;
pub mod proc_net;
pub mod recording;
mod saved;
mod saved_extras;
mod settings;
pub mod socket_message;
pub mod ss;
pub mod tcp_info;
pub mod text_file;

pub use blocked::BlockedTime;
pub use error::LiveError;
#[cfg(target_os = "linux")]
pub use linux::{
    Capturing, ClosedNamespace, CodeFinder, HiddenProcesses, Interface, Namespace, OtherNamespaces, Packet,
    PacketCounts, PacketRing, Processes, SMALL_RING, SockDiag, WhyClosed, cgroup_of, counters, locks_of, observe,
    sysctl_text, tcp_sockets,
};
pub use saved::SavedHost;
pub use settings::{is_setting_saved, largest_send_buffer};
pub use socket_message::{SocketId, socket_memory};

/// This host, now.
#[cfg(not(target_os = "linux"))]
pub fn observe() -> Result<tcpwhy_model::host::HostObservation, LiveError> {
    Err(LiveError::Unsupported)
}

/// The counters of this host's network stack: none where they are not known.
#[cfg(not(target_os = "linux"))]
pub fn counters() -> Option<tcpwhy_model::host::Counters> {
    None
}

/// The settings of this host's network stack.
#[cfg(not(target_os = "linux"))]
pub fn sysctl_text() -> Result<String, LiveError> {
    Err(LiveError::Unsupported)
}
