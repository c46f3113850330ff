//! What is typed for `tcpwhy export`.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use tcpwhy_report::metrics::Format;

use crate::look_args::LanguageArgs;
use crate::overwrite_args::OverwriteArgs;
use crate::size::RoundTrip;
use crate::watching::CpuShare;

use super::groups::PeerPrefix;

pub(crate) const EXAMPLES: &str = "\
Examples:
  tcpwhy export                                       http://127.0.0.1:9817/metrics, until Ctrl-C
  tcpwhy export --listen 0.0.0.0:9817 --cpu 2%        for a Prometheus elsewhere; keeps nobody out
  tcpwhy export --once                                one scrape as text, after two seconds
  tcpwhy export -o /var/lib/prometheus/node-exporter/tcpwhy.prom
                                                      a file for node_exporter, again and again
  tcpwhy export --dashboard > tcpwhy.json             a dashboard for Grafana
  tcpwhy export --alerts > tcpwhy.rules.yml           rules for Prometheus

Exit status: 0 ended by a signal, or told what was asked for, 2 an error.";

/// Arguments of `tcpwhy export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Where to listen; port 0: any free port. Whoever can reach it sees the names of this host's processes, their ports and
    /// how much they transfer: if the address is not loopback, everybody whom no firewall keeps out
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9817", help_heading = "Output")]
    pub(crate) listen: SocketAddr,

    /// Also answer requests for this host name. Without it, requests have to name the address of --listen (any address where that
    /// is 0.0.0.0 or ::), so that no page in a browser reaches the metrics under a name of its own; repeatable
    #[arg(long, value_name = "NAME", conflicts_with = "output", help_heading = "Output")]
    pub(crate) allow_host: Vec<String>,

    /// One scrape after the time of --for, then exit
    #[arg(long, help_heading = "Output")]
    pub(crate) once: bool,

    /// Write the metrics to FILE (`-` is standard output) instead of listening, every 15 s, in the Prometheus text format:
    /// for the textfile collector of node_exporter, whose files end in .prom
    #[arg(short, long, value_name = "FILE", conflicts_with = "listen", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,

    /// Form of --once and --output; over HTTP the client chooses
    #[arg(long, value_name = "FORMAT", default_value = "prometheus", help_heading = "Output")]
    pub(crate) format: FormatChoice,

    /// Print a dashboard of these metrics for Grafana, as JSON, then exit
    #[arg(long, conflicts_with_all = ["alerts", "once", "output"], help_heading = "Output")]
    pub(crate) dashboard: bool,

    /// Print alert rules on these metrics for Prometheus, as YAML, then exit
    #[arg(long, conflicts_with_all = ["once", "output"], help_heading = "Output")]
    pub(crate) alerts: bool,

    /// How long to watch before the scrape of --once
    #[arg(long = "for", value_name = "TIME", default_value = "2s", requires = "once", help_heading = "Watching")]
    pub(crate) duration: RoundTrip,

    /// How many times per second active connections are sampled, as far as --cpu allows
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=20), help_heading = "Watching")]
    pub(crate) rate: u16,

    /// How much of one processor sampling may take; what does not fit is sampled less often
    #[arg(long, value_name = "SHARE", default_value = "1%", help_heading = "Watching")]
    pub(crate) cpu: CpuShare,

    /// Look into the network namespaces of all processes (containers); needs root
    #[arg(long, help_heading = "Watching")]
    pub(crate) all_namespaces: bool,

    /// Series of connections at most. Further processes and ports are counted together as `other`, until others have had no
    /// connection for an hour
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(100..=1_000_000), help_heading = "Labels")]
    pub(crate) max_series: u32,

    /// A label with the network of the peer: bits of its IPv4 and, after a comma, IPv6 addresses (24 is 24,48). 0 is all
    #[arg(long, value_name = "BITS[,BITS]", help_heading = "Labels")]
    pub(crate) peer: Option<PeerPrefix>,

    /// A label with the control group of the process
    #[arg(long, help_heading = "Labels")]
    pub(crate) cgroup: bool,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) words: LanguageArgs,

    /// Do not say what was written
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// Forms of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    /// The Prometheus text format 0.0.4
    Prometheus,
    /// OpenMetrics 1.0
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
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected a number of bits, as 24 or 24,48".to_owned();
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
