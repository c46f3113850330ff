//! What differs between two connections, and between two captures.
//!
//! `brief.rs` pairs the directions of two connections, `changes.rs` the servers and problems of two captures.
//! `surer.rs` says which of two verdicts on one direction to trust.

mod brief;
mod changes;
mod surer;

pub use brief::Brief;
pub use changes::{Change, Changes, ProblemChange, ServicePair, Totals};
pub use surer::surer;
