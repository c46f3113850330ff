//! `tcpwhy lab`: runs transfers with a known cause on this kernel, and checks the reports about them.

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

use std::path::Path;

use tcpwhy_lab::Recording;
use tcpwhy_report::Wording;

use crate::exit::ExitStatus;
use crate::scenarios::Named;

pub(crate) use args::LabArgs;
pub(crate) use permission::PermissionArgs;
pub(crate) use scratch::Scratch;

use self::args::LabCommand;
use crate::wrong::Result;

/// Runs the scenario `named`, if that is permitted, and writes its recording to `folder`.
///
/// # Errors Also if the transfer was not completed.
pub(crate) fn record(
    named: Named,
    permission: PermissionArgs,
    folder: &Path,
    wording: Wording<'_>,
    is_quiet: bool,
) -> Result<Recording> {
    let scenario = named.permit(permission, wording)?;
    runner::Runner::new(wording, is_quiet)?.record(&scenario, folder, [1, 1])
}

/// Runs the subcommand.
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
