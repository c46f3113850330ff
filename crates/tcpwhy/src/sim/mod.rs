//! `tcpwhy sim`: simulates transfers instead of running them.

mod args;
mod capture;
#[cfg(target_os = "linux")]
mod compare;
#[cfg(not(target_os = "linux"))]
#[path = "compare_elsewhere.rs"]
mod compare;
mod kernel;
mod permission;
mod run;
mod score;

pub(crate) use args::{EndChoice, Setting, SimArgs};
pub(crate) use capture::Capture;

use self::args::SimCommand;
use crate::exit::ExitStatus;
use crate::wrong::Result;

/// Runs the subcommand.
pub(crate) fn run(args: &SimArgs) -> Result<ExitStatus> {
    match &args.command {
        SimCommand::Run(args) => run::run(args),
        SimCommand::Compare(args) => compare::run(args),
        SimCommand::Score(args) => score::run(args),
    }
}
