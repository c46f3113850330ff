//! `tcpwhy lab prove`.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::args::OutputArgs;

/// Arguments of `tcpwhy lab prove`.
#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    /// The capture to prove
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

pub(super) fn run(args: &ProveArgs) -> Result<ExitCode> {
    bail!("{}: not yet", args.file.display())
}
