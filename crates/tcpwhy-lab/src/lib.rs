//! TCP transfers of a known cause on the running kernel.
//!
//! A [`Scenario`](tcpwhy_scenario::Scenario) describes a link, buffers, settings, a writer, a reader, and the
//! limit that must result. A run creates two network namespaces and moves frames between them through an
//! emulated link. It captures both ends, samples both sockets, and leaves a [`Recording`].
//!
//! ```no_run
//! let scenario = tcpwhy_scenario::bundled::get("sndbuf-16k").expect("it is bundled");
//! let recording = tcpwhy_lab::run(&scenario, "recordings/sndbuf-16k".as_ref())?; // root, Linux
//! println!("{}", recording.folder().display());
//! # Ok::<(), tcpwhy_lab::LabError>(())
//! ```
//!
//! **Promises:** A run sends traffic only through namespaces that it created, and nothing outlives it,
//! however it ends. If the emulation was late, the run reports that.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, reason = "they panic when the stream cannot be written")
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod applications;
mod by_hand;
pub mod capture;
pub mod cell;
mod clock;
mod emulator;
mod ends;
mod error;
mod interface;
mod machine;
mod namespace;
mod netem;
mod os;
mod recording;

mod run;
pub mod sampler;
pub mod shell;
pub mod truth;
mod wall;
pub mod work;

pub use applications::LONGEST_PREPARATION;
pub use by_hand::by_hand;
pub use emulator::{DirectionReport, Emulator, EmulatorReport, Lateness};
pub use ends::Ends;
pub use error::LabError;
pub use interface::{address, settings};
pub use machine::{MachineSettings, SettingNotice, guard};
pub use namespace::Namespace;
pub use recording::Recording;
pub use run::{run, run_in};
