//! Command-line arguments of `tcpwhy mcp`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::anonymize::AnonymizeArgs;
use crate::look_args::LanguageArgs;
use crate::number::within;
use crate::size::Size;

/// Arguments of `tcpwhy mcp`.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[arg(value_name = "FOLDER", required = true)]
    pub(crate) folders: Vec<PathBuf>,

    #[arg(long)]
    pub(crate) allow_live: bool,

    #[arg(long)]
    pub(crate) check: bool,

    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = within::<u64>(1..=3600))]
    timeout: u64,

    #[arg(long, value_name = "SIZE", default_value = "8GB")]
    max_size: Size,

    #[command(flatten)]
    pub(crate) anonymize: AnonymizeArgs,

    #[command(flatten)]
    pub(crate) words: LanguageArgs,
}

impl McpArgs {
    /// Longest time for one answer.
    pub(super) const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// The largest file that is read, in bytes.
    pub(super) const fn most_bytes(&self) -> u64 {
        self.max_size.0
    }
}
