//! `tcpwhy lab score` as typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::lab::output_args::PlainOutputArgs;
use crate::overwrite_args::OverwriteArgs;

/// Arguments of `tcpwhy lab score`.
#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    #[arg(value_name = "DIR", required_unless_present = "random")]
    pub(crate) dirs: Vec<PathBuf>,

    #[arg(long, value_name = "SEED:COUNT")]
    pub(crate) random: Option<String>,

    #[arg(long, value_name = "DIR", requires = "random")]
    pub(crate) out: Option<PathBuf>,

    #[arg(long, value_name = "PLACE")]
    pub(crate) vantage: Option<Vantage>,

    #[arg(short, long, help_heading = "output")]
    pub(crate) verbose: bool,

    #[arg(long, help_heading = "output")]
    pub(crate) json: bool,

    #[arg(long, value_name = "DIR", help_heading = "output")]
    pub(crate) markdown: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,
}

/// Where a capture was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Vantage {
    Sender,
    Receiver,
    Middle,
}

impl From<Vantage> for tcpwhy_proof::score::Vantage {
    fn from(typed: Vantage) -> Self {
        match typed {
            Vantage::Sender => Self::Sender,
            Vantage::Receiver => Self::Receiver,
            Vantage::Middle => Self::Middle,
        }
    }
}
