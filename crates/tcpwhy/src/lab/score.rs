//! `tcpwhy lab score`.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::args::OutputArgs;

/// Arguments of `tcpwhy lab score`.
#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

pub(super) fn run(args: &ScoreArgs) -> Result<ExitCode> {
    bail!("not yet (quiet: {})", args.output.quiet)
}
