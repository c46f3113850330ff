//! Command-line arguments of `tcpwhy export`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use tcpwhy_report::metrics::Format;

use crate::look_args::LanguageArgs;
use crate::message::{Failure, failure};
use crate::number::within;
use crate::overwrite_args::OverwriteArgs;
use crate::size::RoundTrip;
use crate::watching::{CpuShare, Mode};

use super::groups::PeerPrefix;

/// Arguments of `tcpwhy export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9817", help_heading = "output")]
    pub(crate) listen: SocketAddr,

    #[arg(long, value_name = "NAME", conflicts_with = "output", help_heading = "output")]
    pub(crate) allow_host: Vec<String>,

    #[arg(long, help_heading = "output")]
    pub(crate) once: bool,

    #[arg(short, long, value_name = "FILE", conflicts_with = "listen", help_heading = "output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    #[arg(long, value_name = "FORMAT", default_value = "prometheus", help_heading = "output")]
    pub(crate) format: FormatChoice,

    #[arg(long, conflicts_with_all = ["alerts", "once", "output"], help_heading = "output")]
    pub(crate) dashboard: bool,

    #[arg(long, conflicts_with_all = ["once", "output"], help_heading = "output")]
    pub(crate) alerts: bool,

    #[arg(long = "for", value_name = "TIME", default_value = "2s", requires = "once", help_heading = "watching")]
    pub(crate) duration: RoundTrip,

    #[arg(long, value_name = "MODE", value_enum, default_value = "auto", help_heading = "watching")]
    pub(crate) mode: Mode,

    #[arg(long, value_name = "N", default_value_t = 10, value_parser = within::<u16>(1..=20), help_heading = "watching")]
    pub(crate) rate: u16,

    #[arg(long, value_name = "SHARE", default_value = "1%", help_heading = "watching")]
    pub(crate) cpu: CpuShare,

    #[arg(long, help_heading = "watching")]
    pub(crate) all_namespaces: bool,

    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = within::<u32>(100..=1_000_000), help_heading = "labels")]
    pub(crate) max_series: u32,

    #[arg(long, value_name = "BITS[,BITS]", help_heading = "labels")]
    pub(crate) peer: Option<PeerPrefix>,

    #[arg(long, help_heading = "labels")]
    pub(crate) cgroup: bool,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) words: LanguageArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}

/// Text formats of the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    Prometheus,
    Openmetrics,
}

impl From<FormatChoice> for Format {
    fn from(choice: FormatChoice) -> Self {
        match choice {
            FormatChoice::Prometheus => Self::Prometheus,
            FormatChoice::Openmetrics => Self::OpenMetrics,
        }
    }
}

impl FromStr for PeerPrefix {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let wrong = || failure("peer-prefix-expected");
        let (v4, v6) = text.split_once(',').unwrap_or((text, "48"));
        let bits = |text: &str, most: u8| {
            let text = text.strip_prefix('/').unwrap_or(text);
            text.parse().ok().filter(|bits| *bits <= most).ok_or_else(wrong)
        };
        Ok(Self { v4: bits(v4, 32)?, v6: bits(v6, 128)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        assert_eq!("24".parse(), Ok(PeerPrefix { v4: 24, v6: 48 }));
        assert_eq!("/16,/64".parse(), Ok(PeerPrefix { v4: 16, v6: 64 }));
        for bad in ["", "33", "24,129", "x", "24,48,1", "-1"] {
            assert!(bad.parse::<PeerPrefix>().is_err(), "{bad}");
        }
    }
}
