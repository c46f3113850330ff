//! Command-line arguments of `tcpwhy lab prove`.

use std::path::PathBuf;

use clap::Args;
use tcpwhy_model::Cause;

use crate::lab::output_args::PlainOutputArgs;
use crate::overwrite_args::OverwriteArgs;

/// Arguments of `tcpwhy lab prove`.
#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    pub(crate) file: PathBuf,

    #[arg(long, value_name = "N")]
    pub(crate) connection: Option<u64>,

    #[arg(long, value_name = "CAUSE")]
    pub(crate) suppose: Option<Cause>,

    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,

    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    #[arg(long)]
    pub(crate) dry_run: bool,

    #[arg(long, help_heading = "output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,
}
