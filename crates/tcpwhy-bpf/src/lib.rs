//! What the Linux kernel adds up of TCP connections: at each ACK and each write, the time since the last goes to what held the
//! sender at that instant ([`KernelAccount`](tcpwhy_model::live::KernelAccount)). Beside it events: writers that waited, buffers
//! that were set, retransmissions, closed windows.
//!
//! - `bpf/tcpwhy.bpf.c` is what runs in the kernel, `bpf/decide.h` its decision table; the object beside them is committed, and
//!   `scripts/bpf` makes it again.
//! - [`Accountant`] loads and attaches the programs one by one: what this kernel lacks costs only what it gives.
//! - [`record`] decodes what they tell; it works everywhere and on any input.
//!
//! **Invariant:** nothing of the host is changed: the programs read sockets and write to their own maps. Nothing is pinned: when
//! the process ends, however it does, programs, maps and accounts are gone.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod accountant;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod iterate;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod nowhere;
mod part;
pub mod record;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system_calls;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub use accountant::Accountant;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub use nowhere::Accountant;
pub use part::{Part, Refused};
