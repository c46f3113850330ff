//! Output options that the subcommands of the lab share.

use clap::Args;

use crate::look_args::{LanguageArgs, LookArgs};

/// Options of output without colours and wrapped lines.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct PlainOutputArgs {
    #[command(flatten, next_help_heading = "output")]
    pub(crate) words: LanguageArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}

/// Options of the other output of the lab.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct OutputArgs {
    #[command(flatten, next_help_heading = "output")]
    pub(crate) look: LookArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}
