//! `tcpwhy lab`: transfers of a known cause on the running kernel, and what is said of them.

mod args;
mod explained;
mod list;
mod prove;
mod run;
mod runner;
mod score;
mod table;
mod target;

use std::process::ExitCode;

use anyhow::Result;

pub(crate) use args::{EXAMPLES, LabArgs};

use self::args::LabCommand;

/// Does what was asked.
pub(crate) fn run(args: &LabArgs) -> Result<ExitCode> {
    match &args.command {
        LabCommand::List(args) => list::run(args),
        LabCommand::Run(args) => run::run(args),
        LabCommand::Prove(args) => prove::run(args),
        LabCommand::Score(args) => score::run(args),
        LabCommand::Cell => runner::cell(),
    }
}
