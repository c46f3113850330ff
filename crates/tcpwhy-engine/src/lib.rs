//! From captures to finished connections, on any number of threads.
//!
//! - [`run`] analyses the connections of a [`Source`].
//! - [`read`] reads its packets again, in order.
//! - [`NameListener`] collects the names that clients give their servers.
//! - [`recorded`] adds the kernel's samples of a recording (`tcpwhy record`) to the connections of its packets.
//!
//! A crew of threads reads batches and analyses them, each connection in one part (by a hash of the four-tuple). The
//! caller's thread presents finished connections; with one thread it does the crew's work as well.
//!
//! ```
//! use tcpwhy_engine::{Delivery, Plan, Source, run};
//!
//! let open = |_| tcpwhy_capture::CaptureReader::open("../../samples/send-buffer.pcap.gz".as_ref());
//! let source = Source::open(0, None, open)?;
//! let mut connections = Vec::new();
//! run(source, Delivery::Numbered, &Plan::default(), &mut |_| (), &mut |connection, _| {
//!     connections.push(connection);
//!     Ok(())
//! })?;
//! assert_eq!(connections.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Promises:** the same connections with the same numbers, whatever the number of threads. Every queue is bounded.
//! [`Plan::stop`] ends the work within a batch of packets.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod crew;
mod dealer;
mod numbering;
mod order;
mod plan;
mod read;
pub mod recorded;
mod run;
mod server_names;
mod source;

pub use numbering::Numbering;
pub use plan::{Delivery, Plan};
pub use read::read;
pub use run::{Outcome, Reached, run};
pub use server_names::NameListener;
pub use source::{Ending, Source};

/// Segments read at a time.
const BATCH: usize = 4096;

/// Of a thread that could not be started.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
fn no_thread(error: &std::io::Error) -> std::io::Error {
    std::io::Error::new(error.kind(), format!("cannot start a thread: {error}"))
}
