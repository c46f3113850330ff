//! `tcpwhy sim`: transfers that are simulated rather than run.

mod args;
mod capture;
mod run;
mod score;

use anyhow::Result;
use tcpwhy_kernel::KernelVersion;

pub(crate) use args::SimArgs;

use self::args::SimCommand;
use crate::exit::ExitStatus;

/// The kernel whose rules hold unless another one is named: most comparisons were with it.
const KERNEL: KernelVersion = KernelVersion::series(6, 18);

/// Does what was asked.
pub(crate) fn run(args: &SimArgs) -> Result<ExitStatus> {
    match &args.command {
        SimCommand::Run(args) => run::run(args),
        SimCommand::Score(args) => score::run(args),
    }
}
