//! `--overwrite`: the same wherever files are written.

use clap::Args;

/// What may be replaced, as typed.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct OverwriteArgs {
    #[arg(long, help_heading = "output")]
    pub(crate) overwrite: bool,
}
