//! `tcpwhy lab score` as typed.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::lab::output_args::PlainOutputArgs;
use crate::overwrite_args::OverwriteArgs;

/// Arguments of `tcpwhy lab score`.
#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    /// Recordings of `tcpwhy lab run`, or folders that hold them
    #[arg(value_name = "DIR", required_unless_present = "random")]
    pub(crate) dirs: Vec<PathBuf>,

    /// First run COUNT transfers drawn with SEED, then score them
    #[arg(long, value_name = "SEED:COUNT")]
    pub(crate) random: Option<String>,

    /// With --random: keep the recordings here; those that are there already are not run again
    #[arg(long, value_name = "DIR", requires = "random")]
    pub(crate) out: Option<PathBuf>,

    /// Only the captures taken there
    #[arg(long, value_name = "PLACE")]
    pub(crate) vantage: Option<Vantage>,

    /// A line for each capture too
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,

    /// One JSON document
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Write accuracy.md and accuracy.zh-CN.md into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) markdown: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,
}

/// Where a capture was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Vantage {
    /// At the sender of the data
    Sender,
    /// At their receiver
    Receiver,
    /// Half way
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
