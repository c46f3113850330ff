//! Charts: the packets of a connection next to the limits that the analysis found.
//!
//! - [`chart`]: the data of the charts, recorded in one pass in bounded memory.
//! - [`Gatherer`]: records wanted connections from a capture that is read a second time.
//! - [`Details`]: charts on demand, while a page is open.
//! - [`data`]: the JSON of the interactive page. [`page`]: that page as one file. [`svg`]: static pictures.
//!
//! ```
//! use tcpwhy_report::Language;
//! use tcpwhy_view::data::{Survey, View};
//! use tcpwhy_view::page::page;
//!
//! let view = View::new(Survey::new(), Language::English, None, false);
//! assert!(page(&view, &[]).starts_with("<!doctype html>"));
//! ```
//!
//! **Promises:**
//! - No data is silently dropped: ranges replace merged packets, and merged events have their number. Every
//!   retransmission, zero window and probe is inside a mark.
//! - No file, no socket, no clock is used. Text from a capture is data, never markup.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

pub mod chart;
pub mod data;
mod details;
mod gather;
pub mod page;
mod proof;
pub mod svg;

pub use details::{Details, Query};
pub use gather::{Gatherer, Recorded, Snapshot, Wanted};
