//! `tcpwhy lab`: transfers of a known cause on the running kernel, and what is said of them.

mod args;
mod book;
mod compare;
mod list;
mod new;
mod output_args;
mod permission;
mod prove;
mod run;
mod runner;
mod score;
mod scratch;
mod shell;
mod show;

use crate::exit::ExitStatus;

use anyhow::Result;

pub(crate) use args::LabArgs;

use self::args::LabCommand;

/// Does what was asked.
pub(crate) fn run(args: &LabArgs) -> Result<ExitStatus> {
    match &args.command {
        LabCommand::List(args) => list::run(args),
        LabCommand::Show(args) => show::run(args),
        LabCommand::Schema(args) => new::schema(args),
        LabCommand::New(args) => new::run(args),
        LabCommand::Run(args) => run::run(args),
        LabCommand::Compare(args) => compare::run(args),
        LabCommand::Book(args) => book::run(args),
        LabCommand::Prove(args) => prove::run(args),
        LabCommand::Score(args) => score::run(args),
        LabCommand::Shell(args) => shell::run(args),
        LabCommand::Cell => runner::cell(),
        LabCommand::Guardian => tcpwhy_lab::guard(),
    }
}
