//! What is typed for `tcpwhy live`.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::Path;

use clap::{Args, ValueEnum};

use crate::gate::Gate;
use crate::look_args::LookArgs;
use crate::size::RoundTrip;
use crate::watching::CpuShare;

use super::filter::Filter;

pub(crate) const EXAMPLES: &str = "\
Examples:
  tcpwhy live                                   what limits every connection of this host
  tcpwhy live process:nginx !port:22            only these connections
  tcpwhy live --once                            the list as text, after two seconds
  tcpwhy live --for 10s --json                  one document when the time is over
  tcpwhy live --for 10s --jsonl                 intervals and connections as they end
  tcpwhy live --once --fail-on send_buffer:50%  exit status 1 if that took half of the time
  tcpwhy live --check                           what works here, and what is missing
  tcpwhy live night.pcapng process:mysqld       what watching gave while it was recorded

Exit status: 0 watched, 1 a limit at or over --fail-on, 2 an error.";

/// Arguments of `tcpwhy live`.
#[derive(Debug, Args)]
pub(crate) struct LiveArgs {
    /// Only connections that match all of these: words in their line, process:NAME, port:N, peer:ADDR, local:ADDR, limit:ID,
    /// cgroup:PATH; ! before one negates it. FILE.pcapng (.gz, .zst) is a recording of `tcpwhy record`: what watching gave then
    #[arg(value_name = "FILTER", value_parser = Filter::typed)]
    pub(crate) filter: Vec<Filter>,

    /// The list as text, once
    #[arg(long, conflicts_with_all = ["json", "jsonl"], help_heading = "Output")]
    pub(crate) once: bool,

    /// One JSON document when the time of --for is over (see `tcpwhy schema live`)
    #[arg(long, conflicts_with = "jsonl", help_heading = "Output")]
    pub(crate) json: bool,

    /// One JSON object per line: intervals as they end, connections at their end
    #[arg(long, help_heading = "Output")]
    pub(crate) jsonl: bool,

    /// How long to watch [default: 2s with --once and --json, otherwise until interrupted]
    #[arg(long = "for", value_name = "TIME", help_heading = "Watching")]
    pub(crate) duration: Option<RoundTrip>,

    /// How the kernel is asked: bpf adds up each connection's time at every ACK and write (CAP_BPF and CAP_PERFMON), samples
    /// looks now and then; auto takes what works here
    #[arg(long, value_name = "MODE", value_enum, default_value = "auto", help_heading = "Watching")]
    pub(crate) mode: Mode,

    /// Do not watch which buffers applications set: where the kernel lets nothing hook into its functions, watching costs each
    /// system call of the host some 0.1 µs
    #[arg(long, help_heading = "Watching")]
    pub(crate) no_setsockopt: bool,

    /// How many times per second active connections are sampled, as far as --cpu allows
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=20), help_heading = "Watching")]
    pub(crate) rate: u16,

    /// How much of one processor sampling may take; what does not fit is sampled less often
    #[arg(long, value_name = "SHARE", default_value = "1%", help_heading = "Watching")]
    pub(crate) cpu: CpuShare,

    /// Look into the network namespaces of all processes (containers); needs root
    #[arg(long, help_heading = "Watching")]
    pub(crate) all_namespaces: bool,

    /// Say what works here, what does not and what that needs, then exit
    #[arg(long, conflicts_with_all = ["once", "json", "jsonl"], help_heading = "Watching")]
    pub(crate) check: bool,

    /// Group connections by this
    #[arg(long, value_name = "WHAT", value_enum, default_value = "none", conflicts_with_all = ["json", "jsonl"], help_heading = "Output")]
    pub(crate) by: Group,

    /// Rows of the list with --once
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Output")]
    pub(crate) top: usize,

    /// With --once, --json and --jsonl also connections on which nothing moved
    #[arg(long, help_heading = "Output")]
    pub(crate) idle: bool,

    /// Colours of the screen
    #[arg(long, value_name = "THEME", value_enum, default_value = "auto", help_heading = "Output")]
    pub(crate) theme: ThemeChoice,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) look: LookArgs,

    /// With --once, --json and --jsonl: exit with status 1 if a direction spent at least SHARE of the time watched (0.5, 50%)
    /// under LIMIT, or without SHARE if LIMIT is its verdict; repeatable
    #[arg(long, value_name = "LIMIT[:SHARE]", help_heading = "Output")]
    pub(crate) fail_on: Vec<Gate>,
}

impl LiveArgs {
    /// The recording to show instead of this host.
    pub(crate) fn recording(&self) -> Option<&Path> {
        self.filter.iter().find_map(Filter::recording)
    }

    /// The filter as it was typed; a recording is none.
    pub(crate) fn filter_words(&self) -> Vec<String> {
        self.filter.iter().filter(|word| word.recording().is_none()).map(ToString::to_string).collect()
    }
}

/// How the kernel is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Accounts where they are to be had
    #[default]
    Auto,
    /// Accounts, or an error
    Bpf,
    /// Samples
    Samples,
}

/// `--theme`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeChoice {
    /// None where NO_COLOR is set, else by COLORFGBG, else those for dark and light ground alike
    #[default]
    Auto,
    /// For dark ground
    Dark,
    /// For light ground
    Light,
    /// Letters and bold text instead of colours
    None,
}

/// What connections are told together by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    /// Each connection by itself
    #[default]
    None,
    /// Name of the process
    Process,
    /// The listening port, else the peer's
    Port,
    /// The peer's address
    Peer,
    /// Control group
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
