//! `tcpwhy lab` as typed.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output_args::{OutputArgs, PlainOutputArgs};
use super::permission::PermissionArgs;
use super::prove::ProveArgs;
use super::score::ScoreArgs;
use crate::look_args::LanguageArgs;
use crate::overwrite_args::OverwriteArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  tcpwhy lab list                               the scenarios there are
  tcpwhy lab show sndbuf-16k                    one of them, and how to do the same by hand
  tcpwhy lab run sndbuf-16k                     run it here, and explain it
  tcpwhy lab run all                            all of them: expected and found
  tcpwhy lab run random:7:20                    20 transfers drawn with seed 7
  tcpwhy lab new mine.toml                      a new scenario; lab schema explains every key
  tcpwhy lab run mine.toml --out /tmp/mine      one of your own (root: see --allow-programs)
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
    /// Show a scenario: its story, what is imposed, and how to do the same by hand
    Show(ShowArgs),
    /// Print what a scenario file may contain: a JSON schema for editors, or a reference
    Schema(SchemaArgs),
    /// Write a new scenario file
    New(NewArgs),
    /// Run scenarios here, explain both ends' captures, and compare with what was expected
    Run(RunArgs),
    /// Run two scenarios, or take two recordings, and show them side by side: before and after a fix
    Compare(CompareArgs),
    /// Write the case book: run every bundled scenario, a page each with story, picture and verdict
    Book(BookArgs),
    /// Take an explained capture's situation, run it with and without the proposed fix: predicted against measured
    Prove(ProveArgs),
    /// Run random transfers with a known cause and count how often explain is right
    Score(ScoreArgs),
    /// Where a run happens; started by the other subcommands
    #[command(hide = true)]
    Cell,
    /// Sets the machine's settings back when a run is killed; started by the other subcommands
    #[command(hide = true)]
    Guardian,
}

/// Arguments of `tcpwhy lab list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Arguments of `tcpwhy lab schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// A reference in Markdown instead: every key with its unit, default and range
    #[arg(long)]
    pub(crate) reference: bool,

    #[command(flatten)]
    pub(crate) words: LanguageArgs,
}

/// Arguments of `tcpwhy lab new`.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The file, a new one unless --overwrite is given; its name without .toml is the scenario's
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,

    /// Start from this scenario instead of an empty one: a name, random:SEED/NUMBER, a file
    #[arg(long, value_name = "SCENARIO")]
    pub(crate) like: Option<String>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,
}

/// Arguments of `tcpwhy lab show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The scenario: a name, random:SEED/NUMBER, a file ending in .toml
    #[arg(value_name = "SCENARIO")]
    pub(crate) target: String,

    /// Only the script that does the same by hand
    #[arg(long, help_heading = "Output")]
    pub(crate) script: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Arguments of `tcpwhy lab run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Scenarios: names, `all`, `random:SEED[:COUNT]`, files ending in .toml
    #[arg(value_name = "SCENARIO", required = true)]
    pub(crate) targets: Vec<String>,

    /// Folder of the recordings: one folder each, named after the scenario
    #[arg(long, value_name = "DIR", default_value = "tcpwhy-lab", help_heading = "Run")]
    pub(crate) out: PathBuf,

    /// Seed of losses, jitter and reordering [default: the scenario's own]
    // A recording keeps its scenario as TOML, whose integers have a sign.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64), help_heading = "Run")]
    pub(crate) seed: Option<u64>,

    /// Emulate the link with the kernel's netem and tbf instead of tcpwhy's own emulator
    #[arg(long, help_heading = "Run")]
    pub(crate) netem: bool,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) permission: PermissionArgs,

    /// Run each scenario this many times
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

/// Arguments of `tcpwhy lab compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// A scenario, or the folder of a recording
    #[arg(value_name = "BEFORE")]
    pub(crate) before: String,

    /// What it is compared with
    #[arg(value_name = "AFTER")]
    pub(crate) after: String,

    /// Folder of the recordings: one folder each, named after the scenario
    #[arg(long, value_name = "DIR", default_value = "tcpwhy-lab", help_heading = "Run")]
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) permission: PermissionArgs,

    /// One JSON document (see `tcpwhy schema lab`)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Arguments of `tcpwhy lab book`.
#[derive(Debug, Args)]
pub(crate) struct BookArgs {
    /// Folder of the pages
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Only these scenarios; the index keeps to them too
    #[arg(value_name = "SCENARIO")]
    pub(crate) targets: Vec<String>,

    /// Use recordings from this folder; those that are missing are run and kept there
    #[arg(long, value_name = "DIR", default_value = "tcpwhy-lab")]
    pub(crate) recordings: PathBuf,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) permission: PermissionArgs,

    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,
}
