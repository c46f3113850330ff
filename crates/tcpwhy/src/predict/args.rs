//! Command-line arguments of `tcpwhy predict`.

use std::path::PathBuf;

use clap::Args;

use crate::look_args::LookArgs;
use crate::overwrite_args::OverwriteArgs;
use crate::sim::{EndChoice, Setting};

/// Arguments of `tcpwhy predict`.
#[derive(Debug, Args)]
pub(crate) struct PredictArgs {
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[arg(short, long, value_name = "N", help_heading = "selection")]
    pub(crate) connection: Option<u64>,

    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::parse, help_heading = "run")]
    pub(crate) set: Vec<Setting>,

    #[arg(long, value_name = "ID", help_heading = "run")]
    pub(crate) fix: Vec<String>,

    #[arg(long, conflicts_with = "pcapng", help_heading = "output")]
    pub(crate) json: bool,

    #[arg(long, value_name = "FILE", help_heading = "output")]
    pub(crate) pcapng: Option<PathBuf>,

    #[arg(long, value_name = "END", default_value = "sender", requires = "pcapng", help_heading = "output")]
    pub(crate) at: EndChoice,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) look: LookArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}
