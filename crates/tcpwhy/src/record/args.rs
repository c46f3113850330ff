//! Command-line arguments of `tcpwhy record`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use tcpwhy_model::typed;

use crate::look_args::LanguageArgs;
use crate::message::{Failure, failure};
use crate::number::within;
use crate::size::Size;
use crate::watching::CpuShare;

use crate::predicate::Trigger;

/// Arguments of `tcpwhy record`.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    #[arg(value_name = "FILTER")]
    pub(crate) filter: Vec<String>,

    #[arg(short, long, value_name = "FILE.pcapng", help_heading = "output")]
    pub(crate) output: PathBuf,

    #[arg(long, alias = "force", help_heading = "output")]
    pub(crate) overwrite: bool,

    #[arg(long, value_name = "SIZE", help_heading = "output")]
    pub(crate) ring: Option<Size>,

    #[arg(short, long, value_name = "INTERFACE", default_value = "any", help_heading = "packets")]
    pub(crate) interface: String,

    #[arg(long, value_name = "BYTES", default_value_t = 128, value_parser = within::<u32>(64..=262_144), help_heading = "packets")]
    pub(crate) snap: u32,

    #[arg(long, conflicts_with = "no_packets", help_heading = "packets")]
    pub(crate) payload: bool,

    #[arg(long, help_heading = "packets")]
    pub(crate) no_packets: bool,

    #[arg(long = "for", value_name = "TIME", help_heading = "recording")]
    pub(crate) duration: Option<Length>,

    #[arg(long, value_name = "CONDITION", requires = "ring", help_heading = "recording")]
    pub(crate) when: Option<Trigger>,

    #[arg(long, value_name = "N", default_value_t = 10, value_parser = within::<u16>(1..=20), help_heading = "recording")]
    pub(crate) rate: u16,

    #[arg(long, value_name = "SHARE", default_value = "1%", help_heading = "recording")]
    pub(crate) cpu: CpuShare,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) words: LanguageArgs,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}

/// The length of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Length(pub(crate) Duration);

impl FromStr for Length {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        const MINUTE: f64 = 60.0;
        const HOUR: f64 = 60.0 * MINUTE;
        // Without a length, a recording has no end.
        const LONGEST: f64 = 1000.0 * HOUR;
        let text = text.trim().to_ascii_lowercase();
        let units = [("min", MINUTE), ("m", MINUTE), ("h", HOUR)];
        let number = |(unit, length): (&str, f64)| Some(text.strip_suffix(unit)?.trim().parse::<f64>().ok()? * length);
        let seconds = match units.into_iter().find_map(number) {
            Some(seconds) => seconds,
            None => typed::seconds(&text).map_err(|_| failure("length-expected"))?,
        };
        match seconds {
            _ if (0.001..=LONGEST).contains(&seconds) => Ok(Self(Duration::from_secs_f64(seconds))),
            _ => Err(failure("length-range")),
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
