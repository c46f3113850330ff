//! Command-line arguments of `tcpwhy live`.

use std::path::Path;

use clap::{Args, ValueEnum};

use crate::look_args::LookArgs;
use crate::number::within;
use crate::predicate::Gate;
use crate::size::RoundTrip;
use crate::watching::{CpuShare, Mode};

use crate::predicate::Word;

/// Arguments of `tcpwhy live`.
#[derive(Debug, Args)]
pub(crate) struct LiveArgs {
    #[arg(value_name = "FILTER", value_parser = Word::typed)]
    pub(crate) filter: Vec<Word>,

    #[arg(long, conflicts_with_all = ["json", "jsonl"], help_heading = "output")]
    pub(crate) once: bool,

    #[arg(long, conflicts_with = "jsonl", help_heading = "output")]
    pub(crate) json: bool,

    #[arg(long, help_heading = "output")]
    pub(crate) jsonl: bool,

    #[arg(long = "for", value_name = "TIME", help_heading = "watching")]
    pub(crate) duration: Option<RoundTrip>,

    #[arg(long, value_name = "MODE", value_enum, default_value = "auto", help_heading = "watching")]
    pub(crate) mode: Mode,

    #[arg(long, help_heading = "watching")]
    pub(crate) no_setsockopt: bool,

    #[arg(long, value_name = "N", default_value_t = 10, value_parser = within::<u16>(1..=20), help_heading = "watching")]
    pub(crate) rate: u16,

    #[arg(long, value_name = "SHARE", default_value = "1%", help_heading = "watching")]
    pub(crate) cpu: CpuShare,

    #[arg(long, help_heading = "watching")]
    pub(crate) all_namespaces: bool,

    #[arg(long, conflicts_with_all = ["once", "json", "jsonl"], help_heading = "watching")]
    pub(crate) check: bool,

    #[arg(long, value_name = "WHAT", value_enum, default_value = "none", conflicts_with_all = ["json", "jsonl"], help_heading = "output")]
    pub(crate) by: Group,

    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "output")]
    pub(crate) top: usize,

    #[arg(long, help_heading = "output")]
    pub(crate) idle: bool,

    #[arg(long, value_name = "THEME", value_enum, default_value = "auto", help_heading = "output")]
    pub(crate) theme: ThemeChoice,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) look: LookArgs,

    #[arg(long, value_name = "LIMIT[:SHARE]", help_heading = "output")]
    pub(crate) fail_on: Vec<Gate>,
}

impl LiveArgs {
    /// The recording to show instead of this host.
    pub(crate) fn recording(&self) -> Option<&Path> {
        self.filter.iter().find_map(Word::recording)
    }

    /// The words of the filter, without the name of a recording.
    pub(crate) fn filter_words(&self) -> Vec<String> {
        self.filter.iter().filter(|word| word.recording().is_none()).map(ToString::to_string).collect()
    }
}

/// `--theme`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeChoice {
    #[default]
    Auto,
    Dark,
    Light,
    None,
}

/// The property by which connections are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    #[default]
    None,
    Process,
    Port,
    Peer,
    Cgroup,
}

impl Group {
    pub(crate) const ALL: [Self; 5] = [Self::None, Self::Process, Self::Port, Self::Peer, Self::Cgroup];

    /// Message id of its name.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::None => "live-group-none",
            Self::Process => "live-group-process",
            Self::Port => "live-group-port",
            Self::Peer => "live-group-peer",
            Self::Cgroup => "live-group-cgroup",
        }
    }
}
