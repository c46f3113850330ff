//! Charts: what the packets of a connection look like beside the limits that the analysis found.
//!
//! - [`chart`]: what there is to draw, gathered in one pass in bounded memory, whatever the connection's length.
//! - [`Gatherer`]: records the connections that are wanted out of a capture that is read a second time.
//! - [`Details`]: charts on demand, while a page is looked at.
//! - [`data`]: the JSON that the interactive page reads.
//! - [`page`]: that page as one file.
//! - [`svg`]: static pictures.
//!
//! **Invariant:** nothing is silently thinned: where a connection is too large to be kept packet by packet, ranges stand for
//! what was merged, events say how many they stand for, and every retransmission, zero window and probe is inside a mark.
//!
//! **Invariant:** no file, no socket, no clock. What came from a capture is data, never markup.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

pub mod chart;
pub mod data;
mod details;
mod gather;
pub mod page;
pub mod svg;

pub use details::{Details, Query};
pub use gather::{Gatherer, Recorded, Snapshot, Wanted};
