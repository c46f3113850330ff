//! Linux's own account of each TCP connection, kept by BPF programs.
//!
//! At each ACK and each write, the time since the last one goes to what held the sender
//! ([`KernelAccount`](tcpwhy_model::live::KernelAccount)). Events come beside it: writers that waited, buffers that
//! were set, retransmissions, zero windows.
//!
//! - `bpf/tcpwhy.bpf.c` runs in the kernel, with the decision table `bpf/decide.h`. The object beside them is
//!   committed; `scripts/bpf` makes it again.
//! - [`Accountant`] loads and attaches the programs one by one. What this kernel lacks costs only its own results.
//! - [`record`] decodes what the programs write, on every platform and on any input.
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
//! **Promises:** the host is not changed: programs read sockets and write to their own maps. Nothing is pinned: when
//! the process ends, programs, maps and accounts are gone.

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
