//! What is typed for `tcpwhy record`.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use tcpwhy_model::typed;

use crate::look_args::LanguageArgs;
use crate::size::Size;
use crate::watching::CpuShare;

use super::trigger::Trigger;

pub(crate) const EXAMPLES: &str = "\
Examples:
  tcpwhy record -o slow.pcapng                  all interfaces, until Ctrl-C
  tcpwhy record port 443 -i eth0 --for 30s -o slow.pcapng
  tcpwhy record --ring 1GB -o night.pcapng      the last 1 GB, in ten files night-00001.pcapng …
  tcpwhy record --ring 1GB --when 'limit=send_buffer for 5s' -o night.pcapng
                                                until a connection was held back so long
  tcpwhy record --no-packets -o slow.pcapng     what the kernel says alone: needs no rights
  ssh host tcpwhy record --for 30s -o - | tcpwhy -
  tcpwhy slow.pcapng                            what packets and kernel say held it back
  tcpwhy live slow.pcapng                       what watching would have shown

It needs CAP_NET_RAW, which root has; it is given up once the interface is open.

Exit status: 0 recorded, 2 an error (what came before it is in the file).";

/// Arguments of `tcpwhy record`.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Only connections that match this filter, in the syntax of tcpdump; either end counts: `host 10.0.0.1 and not port 22`
    #[arg(value_name = "FILTER")]
    pub(crate) filter: Vec<String>,

    /// The file to write; `-` is standard output, and a device or a FIFO is written to as it is. A file that is there stays, and
    /// nothing is recorded
    #[arg(short, long, value_name = "FILE.pcapng", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Replace files that are there, recordings too; of a ring, all files of an earlier one of that name
    #[arg(long, alias = "force", help_heading = "Output")]
    pub(crate) overwrite: bool,

    /// Keep the last SIZE only, in ten files that are named after FILE and numbered (64MB, 1GB)
    #[arg(long, value_name = "SIZE", help_heading = "Output")]
    pub(crate) ring: Option<Size>,

    /// The interface whose packets are recorded; `any` is all of them
    #[arg(short, long, value_name = "INTERFACE", default_value = "any", help_heading = "Packets")]
    pub(crate) interface: String,

    /// Bytes of each packet at most
    #[arg(long, value_name = "BYTES", default_value_t = 128, value_parser = clap::value_parser!(u32).range(64..=262_144), help_heading = "Packets")]
    pub(crate) snap: u32,

    /// Record what follows the TCP headers too, as far as --snap goes; without this no payload is stored
    #[arg(long, conflicts_with = "no_packets", help_heading = "Packets")]
    pub(crate) payload: bool,

    /// Record no packets, only what the kernel says of its sockets
    #[arg(long, help_heading = "Packets")]
    pub(crate) no_packets: bool,

    /// How long to record: 30s, 10m, 8h [default: until interrupted]
    #[arg(long = "for", value_name = "TIME", help_heading = "Recording")]
    pub(crate) duration: Option<Length>,

    /// End ten seconds after a limit has held a connection for nine tenths of TIME: `limit=send_buffer for 5s`. What came before
    /// is kept as far as --ring goes
    #[arg(long, value_name = "CONDITION", requires = "ring", help_heading = "Recording")]
    pub(crate) when: Option<Trigger>,

    /// How many times per second active connections are sampled, as far as --cpu allows
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=20), help_heading = "Recording")]
    pub(crate) rate: u16,

    /// How much of one processor sampling sockets may take; capturing packets comes on top
    #[arg(long, value_name = "SHARE", default_value = "1%", help_heading = "Recording")]
    pub(crate) cpu: CpuShare,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) words: LanguageArgs,

    /// Print nothing at the end but warnings
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// How long a recording is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Length(pub(crate) Duration);

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const MINUTE: f64 = 60.0;
        const HOUR: f64 = 60.0 * MINUTE;
        // Whoever wants more gives none.
        const LONGEST: f64 = 1000.0 * HOUR;
        let text = text.trim().to_ascii_lowercase();
        let units = [("min", MINUTE), ("m", MINUTE), ("h", HOUR)];
        let number = |(unit, length): (&str, f64)| Some(text.strip_suffix(unit)?.trim().parse::<f64>().ok()? * length);
        let seconds = match units.into_iter().find_map(number) {
            Some(seconds) => seconds,
            None => typed::seconds(&text).map_err(|_| "expected a time such as 30s, 10m or 8h".to_owned())?,
        };
        match seconds {
            _ if (0.001..=LONGEST).contains(&seconds) => Ok(Self(Duration::from_secs_f64(seconds))),
            _ => Err("expected a time from 1ms to 1000h".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        for (text, seconds) in [("30s", 30.0), ("10m", 600.0), ("1.5 min", 90.0), ("8h", 28_800.0), ("500ms", 0.5)] {
            assert_eq!(text.parse(), Ok(Length(Duration::from_secs_f64(seconds))), "{text}");
        }
        for bad in ["", "h", "0s", "5", "-1m", "nan h", "9999h", "5 days"] {
            assert!(bad.parse::<Length>().is_err(), "{bad}");
        }
    }
}
