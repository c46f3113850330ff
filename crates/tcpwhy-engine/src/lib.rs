//! From captures to finished connections, on as many threads as the caller has for it.
//!
//! [`run`] analyses the connections of a [`Source`]; [`read`] shows its packets again, in order, for what only they tell. Both
//! report how far they are and end within a batch of packets when [`Plan::stop`] is set.
//!
//! A crew of threads reads batches of segments and analyses them, each part of the connections (by a hash of the
//! four-tuple) on its own; the caller's thread presents connections as they finish. What waits anywhere is bounded, so memory
//! stays bounded too. With one thread the caller's does the crew's work.
//!
//! [`recorded`] adds what the kernel reported in a recording (`tcpwhy record`) to the connections of its packets.
//!
//! **Invariant:** the same connections with the same numbers, whatever the number of threads.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod crew;
mod dealer;
mod numbering;
mod order;
mod plan;
mod read;
pub mod recorded;
mod run;
mod source;

pub use numbering::Numbering;
pub use plan::{Delivery, Plan};
pub use read::read;
pub use run::{Outcome, Reached, run};
pub use source::{Ending, Source};

/// Segments read at a time.
const BATCH: usize = 4096;

/// Of a thread that could not be started.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
fn no_thread(error: &std::io::Error) -> std::io::Error {
    std::io::Error::new(error.kind(), format!("cannot start a thread: {error}"))
}
