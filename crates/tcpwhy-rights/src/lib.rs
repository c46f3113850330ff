//! Gives up rights that a process no longer needs once its files and sockets are open.
//!
//! A command describes its needs as data, a [`Grant`], opens its sockets, BPF programs and files, and calls
//! [`Grant::confine`]. From then on the kernel refuses everything else. This applies to the process and to
//! all threads and processes that it starts:
//!
//! ```
//! use tcpwhy_rights::{Files, Grant};
//!
//! // A reader of captures: no capabilities, these files, no new programs.
//! let grant = Grant { files: Files::Only { read: vec!["slow.pcap".into()] }, ..Grant::default() };
//! # let _ = grant;
//! ```
//!
//! **Promises:** No other crate gives up rights; the lab's threads and programs use [`keep_only`] and
//! [`Identity`] of this one. A confined process cannot regain anything: neither as user 0 nor by a
//! set-user-ID file (`PR_SET_NO_NEW_PRIVS`). On other systems than Linux nothing is given up, and
//! [`Confined`] reports it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod confine;
mod grant;
#[cfg(target_os = "linux")]
mod linux;

pub use grant::{Calls, Capability, Confined, Files, Grant, Network, User};
#[cfg(target_os = "linux")]
pub use linux::capabilities::{Identity, caller, is_privileged, keep_only, try_with};
#[cfg(target_os = "linux")]
pub use linux::landlock::is_available as has_landlock;
#[cfg(target_os = "linux")]
pub use linux::process::{Child, close_all_but, fork_alone};
