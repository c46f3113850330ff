//! Command-line arguments of `tcpwhy sim`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use tcpwhy_scenario::End;

use super::permission::Permission;
use crate::look_args::{LanguageArgs, LookArgs};
use crate::message::{Failure, failure};
use crate::number::within;
use crate::overwrite_args::OverwriteArgs;

/// Arguments of `tcpwhy sim`.
#[derive(Debug, Args)]
pub(crate) struct SimArgs {
    #[command(subcommand)]
    pub(crate) command: SimCommand,
}

/// The subcommand of the simulator.
#[derive(Debug, Subcommand)]
pub(crate) enum SimCommand {
    Run(RunArgs),
    Compare(CompareArgs),
    Score(ScoreArgs),
}

/// Arguments of `tcpwhy sim run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[arg(value_name = "SCENARIO", required = true)]
    pub(crate) targets: Vec<String>,

    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::parse, help_heading = "run")]
    pub(crate) set: Vec<Setting>,

    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u64>(1..=10_000), help_heading = "run")]
    pub(crate) seeds: u64,

    #[arg(long, help_heading = "output")]
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

/// Arguments of `tcpwhy sim compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[arg(value_name = "SCENARIO")]
    pub(crate) target: String,

    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::parse, help_heading = "run")]
    pub(crate) set: Vec<Setting>,

    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u64>(1..=10_000), help_heading = "run")]
    pub(crate) seeds: u64,

    #[command(flatten)]
    pub(crate) permission: Permission,

    #[arg(long, help_heading = "output")]
    pub(crate) json: bool,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) look: LookArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}

/// Arguments of `tcpwhy sim score`.
#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    #[arg(value_name = "DIR", required = true)]
    pub(crate) dirs: Vec<PathBuf>,

    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u64>(1..=10_000), help_heading = "run")]
    pub(crate) seeds: u64,

    #[arg(short, long, help_heading = "output")]
    pub(crate) verbose: bool,

    #[arg(long, help_heading = "output")]
    pub(crate) json: bool,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) words: LanguageArgs,
}

/// A value that replaces one of the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) value: String,
}

impl Setting {
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let (key, value) = text.split_once('=').ok_or_else(|| failure("set-expected"))?;
        Ok(Self { key: key.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// The end at which packets are captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EndChoice {
    Sender,
    Receiver,
}

impl From<EndChoice> for End {
    fn from(choice: EndChoice) -> Self {
        match choice {
            EndChoice::Sender => Self::Sender,
            EndChoice::Receiver => Self::Receiver,
        }
    }
}
