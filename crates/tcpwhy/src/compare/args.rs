//! Command-line arguments of `tcpwhy compare`.

use std::path::PathBuf;

use clap::Args;
use tcpwhy_report::{Catalogue, Zone};

use crate::anonymize::AnonymizeArgs;
use crate::look_args::LookArgs;
use crate::message::{Failure, failure};
use crate::overwrite_args::OverwriteArgs;

/// Arguments of `tcpwhy compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[arg(value_name = "A")]
    pub(crate) first: PathBuf,

    #[arg(value_name = "B")]
    pub(crate) second: PathBuf,

    #[arg(long, value_name = "N:M", value_parser = numbers, help_heading = "selection")]
    pub(crate) connections: Option<[u64; 2]>,

    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "selection")]
    pub(crate) top: usize,

    #[arg(long, help_heading = "output")]
    pub(crate) json: bool,

    #[arg(long, value_name = "PATH", conflicts_with = "json", help_heading = "output")]
    pub(crate) html: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[arg(long, help_heading = "output")]
    pub(crate) utc: bool,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) look: LookArgs,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) anonymize: AnonymizeArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}

impl CompareArgs {
    /// The catalogue, with the requested units and time zone.
    pub(crate) fn catalogue(&self) -> Catalogue {
        self.look.catalogue().with_zone(if self.utc { Zone::utc() } else { Zone::local() })
    }
}

/// Parses `N:M`: the number of a connection in each capture.
pub(crate) fn numbers(text: &str) -> Result<[u64; 2], Failure> {
    let numbers = text.split_once(':').and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    numbers.ok_or_else(|| failure("connections-expected"))
}
