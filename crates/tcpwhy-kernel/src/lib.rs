//! Computes from sysctls and socket options what a TCP connection may send and receive.
//!
//! Input: a [`KernelVersion`], [`Sysctls`] and a [`BufferRequest`]. Output: [`SendLimits`], [`ReceiveLimits`]
//! and remedies.
//!
//! ```
//! use tcpwhy_kernel::{BufferKind, BufferRequest, KernelVersion, Sysctls, grant};
//!
//! let version: KernelVersion = "6.1.0-18-amd64".parse()?;
//! let granted = grant(BufferKind::Receive, BufferRequest::new(1 << 20), &Sysctls::defaults(version), version);
//! assert!(granted.is_clamped());
//! assert_eq!(granted.reported, 2 * 212_992);
//! # Ok::<(), tcpwhy_kernel::VersionError>(())
//! ```
//!
//! **Promises:** pure functions without I/O, clock or access to the running machine. Every [`Figure`] has its
//! range, its ground and its steps. Every [`Rule`] was measured on a kernel, unless its ground is
//! [`Source`](Ground::Source) or [`Documented`](Ground::Documented).

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod answer;
mod asked_window;
mod autotuning_level;
mod figure;
mod fill;
mod foreign;
mod growth;
mod link;
mod path;
mod receive;
mod regressions;
mod remedy;
mod request;
mod rule;
mod send;
mod sysctl;
mod system;
mod transfer;
mod version;
pub mod window;
mod windows;
mod writers;

pub use answer::{Note, Point, Question, Side, answer_receive, answer_send, rate_by_request, rate_by_round_trip};
pub use asked_window::{WindowSettings, settings_for_window};
pub use autotuning_level::AutotuningLevel;
pub use figure::{Figure, Ground, Step};
pub use fill::{WriteMode, Writing, taken};
pub use foreign::{ForeignBuffer, foreign_buffer};
pub use growth::growth_round_trips;
pub use link::{Device, Link};
pub use path::{Coverage, Path, rate_of_window};
pub use receive::{ReceiveLimits, ReceiveQuestion, receive_limits};
pub use regressions::{Affected, Pattern, Regression, regressions_of};
pub use remedy::{Change, Remedy, receive_remedies, send_remedies, smallest};
pub use request::{BufferKind, BufferRequest, Granted, MIN_RCVBUF, MIN_SNDBUF, When, grant, reported_buffer};
pub use rule::Rule;
pub use send::{SendLimits, SendQuestion, initial_autotuned_sndbuf, send_limits};

pub use sysctl::{
    Setting, SettingOrigin, Sysctl, SysctlError, SysctlScope, SysctlShape, SysctlUnit, SysctlValue, Sysctls,
    default_tcp_mem,
};
pub use system::{OperatingSystem, SystemError, WindowsRelease};
pub use transfer::{Route, Seconds};
pub use version::{KernelVersion, VersionError};
pub use windows::{WindowsQuestion, WindowsRates};
pub use writers::{Writer, WriterRow, by_writer};
