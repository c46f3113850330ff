//! `--overwrite`: the same wherever files are written.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use clap::Args;

/// What may be replaced, as typed.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct OverwriteArgs {
    /// Replace files that are there even if tcpwhy did not write them. Files that are read are never replaced
    #[arg(long, help_heading = "Output")]
    pub(crate) overwrite: bool,
}
