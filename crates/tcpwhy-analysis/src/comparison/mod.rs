//! What differs between two connections, and between two captures.
//!
//! `brief.rs` pairs the directions of two connections, `changes.rs` the servers and problems of two captures.

mod brief;
mod changes;

pub use brief::Brief;
pub use changes::{Change, Changes, ProblemChange, ServicePair, Totals};
