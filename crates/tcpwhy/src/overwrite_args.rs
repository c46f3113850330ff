//! `--overwrite`, shared by all subcommands that write files.

use clap::Args;

/// The option that permits replacing any file.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct OverwriteArgs {
    #[arg(long, help_heading = "output")]
    pub(crate) overwrite: bool,
}
