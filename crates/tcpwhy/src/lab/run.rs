//! `tcpwhy lab run`.

use std::process::ExitCode;

use anyhow::Result;

use super::args::RunArgs;
use super::runner::record;
use super::target;

pub(super) fn run(args: &RunArgs) -> Result<ExitCode> {
    for scenario in target::scenarios(&args.targets)? {
        let folder = args.out.join(&scenario.name);
        match record(&scenario, &folder) {
            Ok(recording) => {
                println!("{} {} {:?}", scenario.name, recording.truth().duration_s, recording.truth().sampled_pct)
            }
            Err(error) => println!("{}: {error:#}", scenario.name),
        }
    }
    Ok(ExitCode::SUCCESS)
}
