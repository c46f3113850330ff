//! `tcpwhy lab score` as typed.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::fmt;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use tcpwhy_lab::scenario::End;

use crate::lab::args::PlainOutputArgs;

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
    pub(crate) output: PlainOutputArgs,
}

/// Where a capture was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Vantage {
    /// At the sender of the data
    Sender,
    /// At their receiver
    Receiver,
    /// Half way
    Middle,
}

impl Vantage {
    /// All of them, in the order of the tables.
    pub(super) const ALL: [Self; 3] = [Self::Sender, Self::Receiver, Self::Middle];

    /// The end whose expectations hold there.
    pub(super) const fn nearest(self) -> End {
        match self {
            Self::Sender => End::Sender,
            // What only the receiver's capture leaves open, the middle does too.
            Self::Receiver | Self::Middle => End::Receiver,
        }
    }

    /// As in the names of files and of messages.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Sender => "sender",
            Self::Receiver => "receiver",
            Self::Middle => "middle",
        }
    }
}

impl fmt::Display for Vantage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
