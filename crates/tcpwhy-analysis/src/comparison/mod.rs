//! What differs between two connections, and between two captures.
//!
//! `brief.rs` pairs the directions of two connections, `changes.rs` the servers and problems of two captures.
//! `contrast.rs` decides the first line about two connections. `overall.rs` does so for two captures, and
//! `ends.rs` for both ends of one connection. `compared.rs` holds the pairs that a report shows. `surer.rs`
//! says which of two verdicts on one direction to trust.

mod brief;
mod changes;
mod compared;
mod contrast;
mod ends;
mod overall;
mod surer;

pub use brief::Brief;
pub use changes::{Change, Changes, ProblemChange, ServicePair, Totals};
pub use compared::{CompareMode, ComparedPair, Comparison};
pub use contrast::{Contrast, Held, Incomparable, Measure, Reason, Speed, Turn};
pub use ends::{BothEnds, Trust};
pub use overall::{Counted, Overall};
pub use surer::surer;
