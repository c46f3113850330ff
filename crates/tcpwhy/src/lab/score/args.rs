//! Command-line arguments of `tcpwhy lab score`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tcpwhy_proof::score;

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

    #[arg(long, value_name = "PLACE", value_delimiter = ',')]
    pub(crate) vantage: Vec<Vantage>,

    #[arg(long)]
    pub(crate) flips: bool,

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

impl ScoreArgs {
    /// The vantage points to judge, without duplicates; empty for the default ones.
    pub(crate) fn vantages(&self) -> Vec<score::Vantage> {
        let is_asked = |vantage: &score::Vantage| {
            self.vantage.iter().any(|asked| asked.one().is_none_or(|asked| asked == *vantage))
        };
        score::Vantage::ALL.into_iter().filter(is_asked).collect()
    }
}

/// The place and method of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Vantage {
    Sender,
    Receiver,
    Middle,
    NearSender,
    NearReceiver,
    BegunLate,
    EndedEarly,
    ClockSteps,
    Copies,
    All,
}

impl Vantage {
    /// The single vantage point; `None` for all of them.
    const fn one(self) -> Option<score::Vantage> {
        Some(match self {
            Self::Sender => score::Vantage::Sender,
            Self::Receiver => score::Vantage::Receiver,
            Self::Middle => score::Vantage::Middle,
            Self::NearSender => score::Vantage::NearSender,
            Self::NearReceiver => score::Vantage::NearReceiver,
            Self::BegunLate => score::Vantage::BegunLate,
            Self::EndedEarly => score::Vantage::EndedEarly,
            Self::ClockSteps => score::Vantage::ClockSteps,
            Self::Copies => score::Vantage::Copies,
            Self::All => return None,
        })
    }
}
