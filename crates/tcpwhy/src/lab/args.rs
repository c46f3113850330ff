//! Command-line arguments of `tcpwhy lab`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output_args::{OutputArgs, PlainOutputArgs};
use super::permission::PermissionArgs;
use super::prove::ProveArgs;
use super::score::ScoreArgs;
use super::shell::ShellArgs;
use crate::look_args::LanguageArgs;
use crate::number::within;
use crate::overwrite_args::OverwriteArgs;

/// Arguments of `tcpwhy lab`.
#[derive(Debug, Args)]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    pub(crate) command: LabCommand,
}

/// The subcommand of the lab.
#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    List(ListArgs),
    Show(ShowArgs),
    Schema(SchemaArgs),
    New(NewArgs),
    Run(RunArgs),
    Compare(CompareArgs),
    Book(BookArgs),
    Prove(ProveArgs),
    Score(ScoreArgs),
    Shell(ShellArgs),
    #[command(hide = true)]
    Cell,
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
    #[arg(long)]
    pub(crate) reference: bool,

    #[command(flatten)]
    pub(crate) words: LanguageArgs,
}

/// Arguments of `tcpwhy lab new`.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,

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
    #[arg(value_name = "SCENARIO")]
    pub(crate) target: String,

    #[arg(long, help_heading = "output")]
    pub(crate) script: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Arguments of `tcpwhy lab run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[arg(value_name = "SCENARIO", required = true)]
    pub(crate) targets: Vec<String>,

    #[arg(long, value_name = "DIR", default_value = "tcpwhy-lab", help_heading = "run")]
    pub(crate) out: PathBuf,

    // At most `i64::MAX`, because a recording stores its scenario as TOML, whose integers are signed.
    #[arg(long, value_name = "N", value_parser = within::<u64>(0..=i64::MAX), help_heading = "run")]
    pub(crate) seed: Option<u64>,

    #[arg(long, help_heading = "run")]
    pub(crate) netem: bool,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) permission: PermissionArgs,

    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u32>(1..=1000), help_heading = "run")]
    pub(crate) repeat: u32,

    #[arg(long, help_heading = "output")]
    pub(crate) json: bool,

    #[arg(long, help_heading = "output")]
    pub(crate) html: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Arguments of `tcpwhy lab compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[arg(value_name = "BEFORE")]
    pub(crate) before: String,

    #[arg(value_name = "AFTER")]
    pub(crate) after: String,

    #[arg(long, value_name = "DIR", default_value = "tcpwhy-lab", help_heading = "run")]
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) permission: PermissionArgs,

    #[arg(long, help_heading = "output")]
    pub(crate) json: bool,

    #[arg(long, value_name = "DIR", help_heading = "output")]
    pub(crate) html: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Arguments of `tcpwhy lab book`.
#[derive(Debug, Args)]
pub(crate) struct BookArgs {
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    #[arg(value_name = "SCENARIO")]
    pub(crate) targets: Vec<String>,

    #[arg(long, value_name = "DIR", default_value = "tcpwhy-lab")]
    pub(crate) recordings: PathBuf,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[command(flatten)]
    pub(crate) permission: PermissionArgs,

    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,
}
