//! `tcpwhy explain` as typed.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tcpwhy_files::FileId;
use tcpwhy_model::{Cause, Severity};
use tcpwhy_report::text::{GroupBy, Order};
use tcpwhy_report::{Catalogue, Zone};
use tcpwhy_view::svg::Theme;

use crate::anonymize::AnonymizeArgs;
use crate::expression::Expression;
use crate::gate::Gate;
use crate::host_pattern::HostPattern;
use crate::look_args::{LanguageArgs, LookArgs};
use crate::moment::Moment;
use crate::names;
use crate::output::file;
use crate::size::Size;
use crate::stretch::Stretch;
use crate::when::When;

/// Arguments of `tcpwhy explain`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("written").multiple(true))]
pub(crate) struct ExplainArgs {
    /// Captures to read; `-` is standard input: the first Ctrl-C stops reading and prints the report. With --interface a filter
    /// as that of --filter
    #[arg(value_name = "FILE", required_unless_present = "interface")]
    pub(crate) files: Vec<PathBuf>,

    /// Capture what passes this interface (`any`: all of them), headers only, until Ctrl-C, and report. Linux, CAP_NET_RAW
    #[arg(short, long, value_name = "INTERFACE", conflicts_with = "merge", help_heading = "Input")]
    pub(crate) interface: Option<String>,

    /// Keep what --interface captures in this file; one that is there stays unless --overwrite is given
    #[arg(
        short,
        long,
        value_name = "FILE",
        requires = "interface",
        conflicts_with = "anonymize",
        group = "written",
        help_heading = "Input"
    )]
    pub(crate) write: Option<PathBuf>,

    /// Merge the files by time into one capture (rotated files of one host)
    #[arg(long, help_heading = "Input")]
    pub(crate) merge: bool,

    /// Only connections of this host: an address, a CIDR prefix or the start of an address; repeatable
    #[arg(long, value_name = "ADDR[/LEN]", help_heading = "Selection")]
    pub(crate) host: Vec<HostPattern>,

    /// Only connections of this port; repeatable
    #[arg(long, value_name = "PORT", help_heading = "Selection")]
    pub(crate) port: Vec<u16>,

    /// Only connections that carried at least this much (1500, 64k, 10MB, 1GiB)
    #[arg(long, value_name = "SIZE", help_heading = "Selection")]
    pub(crate) min_bytes: Option<Size>,

    /// Only connections that match this filter, in the syntax of tcpdump: host, net, port, portrange, ip, ip6, and, or, not,
    /// parentheses. Either end counts: `host 10.0.0.1 and not port 22`
    #[arg(long, value_name = "EXPRESSION", help_heading = "Selection")]
    pub(crate) filter: Option<Expression>,

    /// Only connections whose verdict is this limit; repeatable: `send_buffer`, `receive_window/slow_reader` …
    #[arg(long, value_name = "LIMIT", help_heading = "Selection")]
    pub(crate) limit: Vec<Cause>,

    /// Only connections with a finding of this severity or worse
    #[arg(long, value_name = "SEVERITY", help_heading = "Selection")]
    pub(crate) severity: Option<SeverityChoice>,

    /// Which connections come first in the table
    #[arg(long, value_name = "BY", default_value = "saving", conflicts_with_all = ["json_form", "html", "svg", "annotate", "why"], help_heading = "Selection")]
    pub(crate) sort: SortChoice,

    /// One row for all connections of a server, of a port of the server, or of a cause
    #[arg(long, value_name = "BY", conflicts_with_all = ["json_form", "html", "svg", "annotate", "why"], help_heading = "Selection")]
    pub(crate) group: Option<GroupChoice>,

    /// Rows of the table when there are many connections
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Selection")]
    pub(crate) top: usize,

    /// Only connection number N, in detail
    #[arg(long, value_name = "N", help_heading = "Selection")]
    pub(crate) connection: Option<u64>,

    /// Only connections that were open at or after this time: seconds from the first packet of the capture (3.2, 150ms), a time
    /// of day (14:03:05) or a date and time (2026-11-22 14:03:05). All packets are analysed, whatever is shown: the SYN says
    /// what a window means. The report of one connection shows where its time went between --from and --to
    #[arg(long, value_name = "TIME", help_heading = "Selection")]
    pub(crate) from: Option<When>,

    /// Only connections that were open before this time; written as --from
    #[arg(long, value_name = "TIME", help_heading = "Selection")]
    pub(crate) to: Option<When>,

    /// One JSON document (see `tcpwhy schema`)
    #[arg(long, group = "json_form", help_heading = "Output")]
    pub(crate) json: bool,

    /// One JSON object per line, connections as they finish; for captures too large for memory
    #[arg(long, group = "json_form", help_heading = "Output")]
    pub(crate) jsonl: bool,

    /// Which words JSON has
    #[arg(long, value_name = "WORDS", default_value = "all", requires = "json_form", help_heading = "Output")]
    pub(crate) words: WordsChoice,

    /// Clock times in UTC [default: the local zone; TZ sets another one]. JSON is always in UTC
    #[arg(long, help_heading = "Output")]
    pub(crate) utc: bool,

    /// One self-contained page with interactive charts; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "jsonl"], group = "written", help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,

    /// Static charts of the --top connections, one SVG file each
    #[arg(long, value_name = "DIR", conflicts_with_all = ["json", "jsonl"], groups = ["replaceable", "written"], help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,

    /// Write the capture again as pcapng, with comments on its packets for Wireshark: what held a connection back on its first
    /// packet, and each limit where it begins. One capture; filters choose connections; `-` is standard output
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["json", "jsonl", "html", "why", "merge", "anonymize", "timeline"],
        groups = ["replaceable", "written"],
        help_heading = "Output"
    )]
    pub(crate) annotate: Option<PathBuf>,

    /// Background of the static charts; auto: as the reader's system prefers
    #[arg(long, value_name = "THEME", default_value = "auto", requires = "svg", help_heading = "Output")]
    pub(crate) svg_theme: ThemeChoice,

    /// Time range of the static charts, seconds from the connection's first packet: 1.2-1.4. An error if it lies outside
    #[arg(long, value_name = "FROM-TO", requires = "svg", help_heading = "Output")]
    pub(crate) svg_time: Option<Stretch>,

    /// Replace files that are there even if tcpwhy did not write them. Files that are read are never replaced
    #[arg(long, alias = "force", requires = "written", help_heading = "Output")]
    pub(crate) overwrite: bool,

    /// Every interval of time with its limit
    #[arg(long, help_heading = "Output")]
    pub(crate) timeline: bool,

    /// What limited the connection at this moment, and why: a time from the connection's first packet (3.2s, 3.2, 150ms). With
    /// --json and --jsonl, `timeline` has the interval of that moment alone
    #[arg(long, value_name = "TIME", conflicts_with_all = ["timeline", "html", "svg"], help_heading = "Output")]
    pub(crate) why: Option<Moment>,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) look: LookArgs,

    /// Names beside addresses, of both kinds or of one
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "all",
        conflicts_with_all = ["anonymize", "anonymize_key_file", "anonymize_key"], help_heading = "Output")]
    pub(crate) names: Option<NamesChoice>,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) anonymize: AnonymizeArgs,

    /// Exit with status 1 if a direction spent at least SHARE of its time (0.5, 50%) under LIMIT, or without SHARE if LIMIT
    /// is its verdict; repeatable. `send_buffer`, `receive_window/slow_reader` …
    #[arg(long, value_name = "LIMIT[:SHARE]", help_heading = "Output")]
    pub(crate) fail_on: Vec<Gate>,

    /// Only the first three lines; no progress, no warnings
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl ExplainArgs {
    /// The files that are read: no output replaces them.
    pub(crate) fn inputs(&self) -> Vec<FileId> {
        // With an interface the words are a filter.
        let captures = self.files.iter().filter(|_| self.interface.is_none());
        file::read_from(captures.chain(self.anonymize.key_file()))
    }

    /// The words, with sizes, times and names as typed.
    pub(crate) fn catalogue(&self) -> Catalogue {
        let names = matches!(self.names, Some(NamesChoice::All | NamesChoice::Dns)).then(names::of_this_machine);
        self.look.catalogue().with_zone(if self.utc { Zone::utc() } else { Zone::local() }).with_names(names)
    }

    /// These captures, and nothing asked for besides.
    pub(crate) fn of(files: Vec<PathBuf>) -> Self {
        Self {
            files,
            interface: None,
            write: None,
            merge: false,
            host: Vec::new(),
            port: Vec::new(),
            min_bytes: None,
            filter: None,
            limit: Vec::new(),
            severity: None,
            sort: SortChoice::Saving,
            group: None,
            top: 1,
            connection: None,
            from: None,
            to: None,
            json: false,
            jsonl: false,
            words: WordsChoice::All,
            utc: false,
            html: None,
            annotate: None,
            svg: None,
            svg_theme: ThemeChoice::Auto,
            svg_time: None,
            overwrite: false,
            timeline: false,
            why: None,
            look: LookArgs::in_language(LanguageArgs::default()),
            names: None,
            anonymize: AnonymizeArgs::default(),
            fail_on: Vec::new(),
            quiet: false,
        }
    }
}

/// `--severity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityChoice {
    /// Anything that held the connection back
    Info,
    /// Something that costs time
    Warning,
    /// The main reason why a transfer is slow, or failed
    Critical,
}

impl From<SeverityChoice> for Severity {
    fn from(choice: SeverityChoice) -> Self {
        match choice {
            SeverityChoice::Info => Self::Info,
            SeverityChoice::Warning => Self::Warning,
            SeverityChoice::Critical => Self::Critical,
        }
    }
}

/// `--sort`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortChoice {
    /// Largest potential saving first
    Saving,
    /// Most bytes first
    Bytes,
    /// Longest first
    Time,
    /// Most retransmissions first
    Retransmissions,
}

impl From<SortChoice> for Order {
    fn from(choice: SortChoice) -> Self {
        match choice {
            SortChoice::Saving => Self::Saving,
            SortChoice::Bytes => Self::Bytes,
            SortChoice::Time => Self::Time,
            SortChoice::Retransmissions => Self::Retransmissions,
        }
    }
}

/// `--group`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupChoice {
    /// By the server's address
    Host,
    /// By the server's port
    Port,
    /// By what held them back
    Cause,
}

impl From<GroupChoice> for GroupBy {
    fn from(choice: GroupChoice) -> Self {
        match choice {
            GroupChoice::Host => Self::Host,
            GroupChoice::Port => Self::Port,
            GroupChoice::Cause => Self::Cause,
        }
    }
}

/// `--names`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NamesChoice {
    /// Both
    All,
    /// What clients called their servers in the capture: the server name of TLS, the host of HTTP
    Sni,
    /// As this machine's resolver has them: it may ask others for them
    Dns,
}

impl NamesChoice {
    /// Whether the captures are searched for names.
    pub(crate) const fn is_of_captures(self) -> bool {
        matches!(self, Self::All | Self::Sni)
    }
}

/// `--words`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WordsChoice {
    /// Sentences, texts of fixes, lines to copy
    All,
    /// Numbers and ids only
    None,
}

/// `--svg-theme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeChoice {
    /// As the reader's system prefers
    Auto,
    /// Dark on light
    Light,
    /// Light on dark
    Dark,
}

impl From<ThemeChoice> for Theme {
    fn from(choice: ThemeChoice) -> Self {
        match choice {
            ThemeChoice::Auto => Self::Auto,
            ThemeChoice::Light => Self::Light,
            ThemeChoice::Dark => Self::Dark,
        }
    }
}
