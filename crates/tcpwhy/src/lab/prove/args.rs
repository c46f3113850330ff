//! `tcpwhy lab prove` as typed.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::PathBuf;

use clap::Args;

use crate::lab::output_args::PlainOutputArgs;
use crate::overwrite_args::OverwriteArgs;

/// Arguments of `tcpwhy lab prove`.
#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    /// The capture whose explanation is put to the proof
    pub(crate) file: PathBuf,

    /// This connection of it, as explain numbers them [default: the one with the most payload]
    #[arg(long, value_name = "N")]
    pub(crate) connection: Option<u64>,

    /// Write the rebuilt scenario here, for changing it and running it again
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,

    /// Keep both recordings in this folder: rebuilt, fixed
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Only rebuild: nothing is run
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// One JSON document
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,
}
