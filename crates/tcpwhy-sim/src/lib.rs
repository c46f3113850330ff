//! A deterministic simulator of Linux TCP.
//!
//! A [`Plan`] describes two hosts, their programs, and the path between them. A [`World`] runs it and returns
//! the outcome:
//!
//! ```
//! use tcpwhy_sim::{Plan, World};
//!
//! let scenario = tcpwhy_scenario::bundled::get("sndbuf-16k").expect("it is bundled");
//! let plan = Plan::of_scenario(&scenario, "6.18".parse()?)?;
//! let outcome = World::new(&plan).run()?;
//! assert!(outcome.duration > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Promises:** no clock, no file, no thread: the same plan gives the same outcome to the last event. A
//! world that stalls ends with a reason. Rules are those of the kernel, and name its functions.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

#[cfg(test)]
mod conformance;
mod congestion;
mod frame;
mod host;
mod netem;
mod packet;
mod path;
mod program;
mod range;
mod rules;
mod scenario;
mod segment;
mod socket;
#[cfg(test)]
mod testing;
mod ticks;
mod time;
mod world;

pub use host::HostProfile;
pub use netem::{Neighbours, Netem};
pub use packet::{Frame, Packet};
pub use path::Path;
pub use program::{ResetAfter, Step, Stretch};
pub use range::Range;
pub use rules::{Algorithm, HostRules, SocketOptions};
pub use scenario::NotSimulated;
pub use socket::SocketCounts;
pub use time::Time;
pub use world::held::Held;
pub use world::{EndPlan, Outcome, Plan, Stalled, Until, World};
