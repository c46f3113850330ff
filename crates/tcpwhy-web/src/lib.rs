//! tcpwhy in a browser: a page hands over captures, its worker explains them here, and nothing leaves the machine.
//!
//! The worker speaks to this module in requests and answers of JSON ([`Request`]); captures come in pieces, as they are read
//! ([`Disk`]). `exports` is all that knows of WebAssembly: the rest runs anywhere, and is tested so.
//!
//! **Invariant:** memory is bounded by connections, never by the size of a capture.
//!
//! **Invariant:** what is said of a capture is what `tcpwhy` says of it, byte for byte.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod buffers;
mod disk;
mod document;
#[cfg(target_arch = "wasm32")]
mod exports;
mod request;
mod session;

pub use disk::Disk;
pub use request::{BuffersQuestion, File, Request};
pub use session::{Failure, Session};
