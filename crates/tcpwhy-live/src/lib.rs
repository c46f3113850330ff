//! A host as it is: sockets, counters, TCP memory and settings, from the live kernel or from files saved of one.
//!
//! - [`observe`] reads this host (Linux): `sock_diag`, `/proc/net`, and which buffers applications have set.
//! - [`SavedHost`] reads a directory of saved texts, and gives the texts that make one.
//! - [`ss`], [`proc_net`] and [`tcp_info`] decode; they work everywhere and on any input.
//!
//! **Invariant:** nothing is interpreted here, and what could not be seen is `None` or a [`Gap`](tcpwhy_model::host::Gap),
//! never a zero. Decoders do not fail: what they do not know they keep or leave out.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

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

pub use error::LiveError;
#[cfg(target_os = "linux")]
pub use linux::{
    Capturing, ClosedNamespace, CodeFinder, HiddenProcesses, Interface, Namespace, OtherNamespaces, Packet,
    PacketCounts, PacketRing, Processes, SMALL_RING, SockDiag, WhyClosed, cgroup_of, counters, locks_of, observe,
    sysctl_text, tcp_sockets,
};
pub use saved::SavedHost;
pub use settings::is_setting_saved;
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
