//! How the answers of the lab are written, as typed: what its subcommands share.

use clap::Args;

use crate::look_args::{LanguageArgs, LookArgs};

/// How an answer is written that has neither colours nor lines that are broken.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct PlainOutputArgs {
    #[command(flatten, next_help_heading = "output")]
    pub(crate) words: LanguageArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}

/// How the other answers of the lab are written.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct OutputArgs {
    #[command(flatten, next_help_heading = "output")]
    pub(crate) look: LookArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}
