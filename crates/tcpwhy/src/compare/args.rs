//! `tcpwhy compare` as typed.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::PathBuf;

use clap::Args;
use tcpwhy_report::{Catalogue, Zone};

use crate::anonymize::AnonymizeArgs;
use crate::look_args::LookArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  tcpwhy compare sender.pcap receiver.pcap      the two ends of the same transfers: what was lost
                                                and delayed between them
  tcpwhy compare before.pcap after.pcap         which transfers differ, and how
  tcpwhy compare a.pcap b.pcap --connections 3:7
  tcpwhy compare a.pcap a.pcap --connections 3:7

Connections are the same if their SYNs have the same number and port (addresses may be translated
between the two), or, without SYNs, the same ends and numbers. Clocks need not agree.

Exit status: 0 compared, 2 an error, or nothing belongs together.";

/// Arguments of `tcpwhy compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The first capture, A
    #[arg(value_name = "A")]
    pub(crate) first: PathBuf,

    /// The second capture, B
    #[arg(value_name = "B")]
    pub(crate) second: PathBuf,

    /// Connection N of A and connection M of B
    #[arg(long, value_name = "N:M", value_parser = numbers, help_heading = "Selection")]
    pub(crate) connections: Option<[u64; 2]>,

    /// Pairs to show
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Selection")]
    pub(crate) top: usize,

    /// One JSON document (see `tcpwhy schema compare`)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Clock times in UTC [default: the local zone]
    #[arg(long, help_heading = "Output")]
    pub(crate) utc: bool,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) look: LookArgs,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) anonymize: AnonymizeArgs,

    /// No progress
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl CompareArgs {
    /// The words, with sizes and times as typed.
    pub(crate) fn catalogue(&self) -> Catalogue {
        self.look.catalogue().with_zone(if self.utc { Zone::utc() } else { Zone::local() })
    }
}

fn numbers(text: &str) -> Result<[u64; 2], String> {
    let numbers = text.split_once(':').and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    numbers.ok_or_else(|| "expected two numbers of connections such as 3:7".to_owned())
}
