//! TCP transfers of a known cause on the running kernel.
//!
//! A [`Scenario`] says what is imposed: a link, buffers, settings, how the writer and the reader behave, and which limit that
//! must show as. Running one takes two network namespaces of its own, moves frames between them through an emulated link,
//! captures both ends, samples both sockets, and leaves a recording.
//!
//! **Invariant:** only namespaces that a run made itself carry its traffic, and nothing outlives it, however it ends.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, reason = "they panic when the stream cannot be written")
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod applications;
pub mod capture;
pub mod cell;
mod clock;
mod emulator;
mod ends;
mod error;
mod frame;
pub mod link;
mod machine;
mod namespace;
mod netem;
mod os;
mod recording;

mod run;
pub mod sampler;
pub mod scenario;
mod splitmix;
pub mod truth;
mod wall;
pub mod work;

pub use applications::LONGEST_PREPARATION;
pub use emulator::{DirectionReport, Emulator, EmulatorReport, Lateness};
pub use ends::{Ends, address, settings};
pub use error::LabError;
pub use machine::{MachineSettings, SettingNotice, guard};
pub use namespace::Namespace;
pub use recording::Recording;
pub use run::{run, run_in};
pub use scenario::Scenario;
