//! Watches the sockets of this host as often as a CPU budget allows. `live`, `record`, `export` and the web
//! interface are built on it; it depends on none of them.

mod accounts;
mod blind;
mod blocked;
mod budget;
mod clock;
mod cpu_share;
mod events;
mod log;
mod mode;
mod opens;
mod stop;
mod watch;

pub(crate) use accounts::{Accounts, knows_processes};
pub(crate) use blind::Blind;
pub(crate) use blocked::{BlockedWriters, Place, Waits};
pub(crate) use budget::Budget;
pub(crate) use clock::Clock;
pub(crate) use cpu_share::CpuShare;
pub(crate) use log::{Log, is_wanted};
pub(crate) use mode::{Mode, give_up_rights};
pub(crate) use opens::opens_are_missed;
pub(crate) use stop::Stop;
pub(crate) use watch::{Names, Watch};
