//! tcpwhy in a browser: a page passes captures to its worker, which explains them here, and no data leaves
//! the machine.
//!
//! The worker sends [`Request`]s as JSON to a [`Session`] and gets JSON back. [`Disk`] reads captures in
//! pieces. Only `exports` depends on WebAssembly; all other code runs on any platform, where it is tested.
//!
//! ```
//! use std::{io, sync::Arc};
//! use tcpwhy_web::{Disk, Session};
//!
//! struct Empty;
//! impl Disk for Empty {
//!     fn read(&self, _: usize, _: u64, _: &mut [u8]) -> io::Result<usize> {
//!         Ok(0)
//!     }
//! }
//! let mut session = Session::new(Arc::new(Empty));
//! let answer = session.answer(r#"{"ask": "buffers", "language": "en", "kernel": "6.18", "sndbuf": "256k"}"#);
//! assert!(answer.is_ok_and(|json| json.starts_with('{')));
//! ```
//!
//! **Promises:** memory depends on the number of connections, never on the size of a capture. The answer
//! about a capture is identical to the output of `tcpwhy`, byte for byte.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod buffers;
mod comparison;
mod curves;
mod disk;
mod document;
#[cfg(target_arch = "wasm32")]
mod exports;
mod failure;
mod inputs;
mod messages;
mod progress;
mod request;
mod session;

pub use disk::Disk;
pub use failure::Failure;
pub use request::{BuffersQuestion, File, Request};
pub use session::Session;
