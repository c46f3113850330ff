//! `tcpwhy lab` as typed.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::prove::ProveArgs;
use super::score::ScoreArgs;
use crate::args::{ColorChoice, LanguageChoice};

pub(crate) const EXAMPLES: &str = "\
Examples:
  tcpwhy lab list                               the scenarios there are
  tcpwhy lab show sndbuf-16k                    one of them, and how to do the same by hand
  tcpwhy lab run sndbuf-16k                     run it here, and explain it
  tcpwhy lab run all                            all of them: expected against said
  tcpwhy lab run random:7:20                    20 transfers drawn with seed 7
  tcpwhy lab run mine.toml --out /tmp/mine      a scenario of your own
  tcpwhy lab compare sndbuf-16k sndbuf-auto     before and after a fix, side by side

Exit status: 0 as expected, 1 something else than expected, 2 an error.";

/// Arguments of `tcpwhy lab`.
#[derive(Debug, Args)]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    pub(crate) command: LabCommand,
}

/// What to do in the lab.
#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// List the scenarios
    List(ListArgs),
    /// Run scenarios here, explain both ends' captures, and compare with what was expected
    Run(RunArgs),
    /// Take an explained capture's situation, run it with and without the proposed fix: predicted against measured
    Prove(ProveArgs),
    /// Run random transfers of a known cause and count what explain says of them
    Score(ScoreArgs),
    /// Where a run happens; started by the other subcommands
    #[command(hide = true)]
    Cell,
}

/// Arguments of `tcpwhy lab list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// One JSON document
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Arguments of `tcpwhy lab run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Scenarios: names, `all`, random:SEED[:COUNT], files ending in .toml
    #[arg(value_name = "SCENARIO", required = true)]
    pub(crate) targets: Vec<String>,

    /// Folder of the recordings: one folder each, named after the scenario
    #[arg(long, value_name = "DIR", default_value = "tcpwhy-lab", help_heading = "Run")]
    pub(crate) out: PathBuf,

    /// Other losses, jitter and reordering than the scenario's own seed gives
    #[arg(long, value_name = "N", help_heading = "Run")]
    pub(crate) seed: Option<u64>,

    /// Run each so many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Run")]
    pub(crate) repeat: u32,

    /// One JSON document (see `tcpwhy schema lab`)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Write the page with charts of both captures too: sender.html and receiver.html beside them
    #[arg(long, help_heading = "Output")]
    pub(crate) html: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How the answer is written: the same for every subcommand of the lab.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct OutputArgs {
    /// Language of the words [default: from the locale]
    #[arg(long, value_name = "LANG", help_heading = "Output")]
    pub(crate) lang: Option<LanguageChoice>,

    /// Colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub(crate) color: ColorChoice,

    /// Columns to write [default: those of the terminal, else 80]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..), help_heading = "Output")]
    pub(crate) width: Option<u16>,

    /// No progress, no warnings
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}
