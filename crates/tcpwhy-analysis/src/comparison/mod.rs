//! Differences between two connections, and between two captures.
//!
//! `brief.rs` pairs the directions of two connections, `changes.rs` the servers and problems of two captures.
//! `contrast.rs` decides the first line about two connections. `overall.rs` does so for two captures, and
//! `ends.rs` for both ends of one connection. `compared.rs` contains the pairs that a report shows.
//! `surer.rs` chooses the verdict to trust among two on one direction.

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
