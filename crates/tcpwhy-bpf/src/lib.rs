//! Linux's own statistics of each TCP connection, collected by BPF programs.
//!
//! At each ACK and each write, the time since the last one is added to the limit of the sender
//! ([`KernelAccount`](tcpwhy_model::live::KernelAccount)). Events come in addition: blocked writers, set
//! buffers, retransmissions, zero windows.
//!
//! - `bpf/tcpwhy.bpf.c` runs in the kernel, with the decision table `bpf/decide.h`. The object beside them is
//!   committed; `scripts/bpf` builds it.
//! - [`Accountant`] loads and attaches the programs one by one. A program that this kernel rejects costs only
//!   its own results.
//! - [`record`] decodes the output of the programs, on every platform and from any input.
//!
//! ```
//! use tcpwhy_bpf::record::Decoded;
//!
//! assert_eq!(Decoded::from_bytes(b"too short", 0), None);
//! ```
//!
//! ```no_run
//! let mut accountant = tcpwhy_bpf::Accountant::attach(0, true).expect("a kernel with BPF, and the capabilities");
//! accountant.tell(true, |told| println!("{:?}", told.sample.key)).expect("the list of connections");
//! ```
//!
//! **Promises:** The host is not changed: programs read sockets and write to their own maps. Nothing is
//! pinned: programs, maps and statistics end with the process.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod accountant;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod iterate;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod nowhere;
mod part;
pub mod record;
mod room;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system_calls;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub use accountant::Accountant;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub use nowhere::Accountant;
pub use part::{Part, Refused};
pub use room::Room;
