//! The command line as typed.
#![allow(clippy::doc_markdown, reason = "clap shows these comments as they are")]

use std::ffi::{OsStr, OsString};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::{Args, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use tcpwhy_model::foreign::visible_name;
use tcpwhy_model::{Cause, Severity};
use tcpwhy_report::text::{GroupBy, Look, Order};
use tcpwhy_report::{Catalogue, Language, SizeSteps, Zone};
use tcpwhy_view::svg::Theme;

use crate::anonymize::AnonymizeArgs;
use crate::audit::AuditArgs;
use crate::buffers::BuffersArgs;
use crate::compare::CompareArgs;
use crate::environment;
use crate::expression::Expression;
use crate::filter::HostPattern;
use crate::gate::Gate;
use crate::help;
use crate::lab::LabArgs;
use crate::message;
use crate::moment::Moment;
use crate::names;
use crate::size::Size;
use crate::stretch::Stretch;
use crate::when::When;

pub(crate) const ABOUT: &str =
    "Says what held a TCP connection back, for how long, on what evidence, and what to change";

pub(crate) const LONG_ABOUT: &str = "\
Says what held a TCP connection back, for how long, on what evidence, and what to change.

tcpwhy reads packet captures (pcap, pcapng; plain, gzip or zstd). Every instant of every connection that carried data has \
one limit: send buffer, receive window, congestion window, slow start, loss recovery, path, application, delayed \
ACKs … The answer names the limit to act on first, what it cost, what to change and what that would save.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tcpwhy slow.pcap                              what held the transfer back, and what to change
  tcpwhy big.pcapng --top 20                    the 20 connections with the largest potential saving
  tcpwhy big.pcapng --connection 17             one of them in detail
  tcpwhy big.pcapng --limit send_buffer         those that the send buffer held back
  tcpwhy big.pcapng --filter 'net 10.0.0.0/8 and not port 22'
  tcpwhy big.pcapng --host 10.0.0.0/8 --port 22 only these connections
  tcpwhy big.pcapng --from 14:03 --to 14:05     those that were open in these two minutes
  tcpwhy slow.pcap --why 3.2s                   what held it back at that moment, and why
  tcpwhy -i eth0 port 443                       captures until Ctrl-C and reports; -w FILE keeps it (root)
  tcpdump -i eth0 -s 96 -w - tcp | tcpwhy -     from a pipe; Ctrl-C stops reading and prints the report
  tcpwhy slow.pcap --html report.html           a page with charts, to keep or to send
  tcpwhy serve huge.pcapng                      the same on a local port, for captures of any size
  tcpwhy --fail-on send_buffer:50% ci.pcap      exit status 1 if that took half of the time
  tcpwhy --json slow.pcap | jq '.connections[].halves[].verdict'

Exit status: 0 analysed (of a damaged file what could be read, with a warning),
1 a limit at or over --fail-on, 2 nothing readable, a read error (what came before it is
analysed) or wrong use.";

/// Everything typed.
#[derive(Debug, Parser)]
#[command(
    name = "tcpwhy",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) explain: ExplainArgs,
}

impl Cli {
    /// What was typed. An error quotes it with hidden characters shown: a pattern of the shell may have brought the name of a file
    /// that somebody else chose.
    pub(crate) fn from_command_line() -> Result<Self, Usage> {
        let typed = without_help_word(environment::typed().collect(), |name| Path::new(name).exists());
        let language = language_of(&typed);
        message::speak(language);
        Self::parse(&typed, language).map_err(|error| {
            let shown: Vec<_> = typed.iter().map(|word| visible_name(word)).collect();
            let is_plain = typed.iter().zip(&shown).all(|(typed, shown)| typed.as_os_str() == OsStr::new(shown));
            let shown: Vec<_> = shown.into_iter().map(OsString::from).collect();
            // What is wrong with it stays wrong; if not, the kind of the error says enough.
            let error = if is_plain {
                error
            } else {
                Self::parse(&shown, language).err().unwrap_or_else(|| clap::Error::new(error.kind()))
            };
            Usage { error, language }
        })
    }

    fn parse(typed: &[OsString], language: Language) -> Result<Self, clap::Error> {
        let mut command = help::command(language);
        let mut matches = command.try_get_matches_from_mut(typed)?;
        Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
    }
}

/// What `--help` and `--version` ask for, or what is wrong with what was typed, and in which language that is said.
#[derive(Debug)]
pub(crate) struct Usage {
    pub(crate) error: clap::Error,
    language: Language,
}

impl Usage {
    /// What is wrong, if Chinese was asked for: clap's own words are English.
    pub(crate) fn text(&self) -> Option<String> {
        (self.language == Language::SimplifiedChinese).then(|| help::error_text(&self.error)).flatten()
    }
}

/// The language that `typed` asks for, before it is understood: help and errors need it.
fn language_of(typed: &[OsString]) -> Language {
    let mut words = typed.iter().skip(1).take_while(|word| *word != "--").map(|word| word.to_string_lossy());
    let mut choice = None;
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--lang") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('=').map(|value| value.to_owned().into()),
            None => None,
        };
        choice = value.and_then(|value| LanguageChoice::from_str(&value, false).ok()).or(choice);
    }
    environment::language(choice)
}

/// `help` where a file could stand, and `help COMMAND`, are what `--help` says, unless there is a file of that name.
fn without_help_word(mut typed: Vec<OsString>, is_file: impl Fn(&OsStr) -> bool) -> Vec<OsString> {
    if typed.get(1).is_some_and(|word| word == "help") && typed.len() <= 4 && !is_file(OsStr::new("help")) {
        typed.remove(1);
        typed.push("--help".into());
    }
    typed
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explain captures (the default: `tcpwhy FILE` is `tcpwhy explain FILE`)
    #[command(after_help = EXAMPLES)]
    Explain(Box<ExplainArgs>),
    /// Show the page of --html on a local port, with every detail of large captures
    Serve(Box<ServeArgs>),
    /// Compare two captures, two connections, or what the two ends of one connection captured
    #[command(after_help = crate::compare::EXAMPLES)]
    Compare(Box<CompareArgs>),
    /// List the rules that findings come from, or explain one
    Rules(RulesArgs),
    /// Compute what socket buffers come to: SO_SNDBUF, SO_RCVBUF, sysctls, windows, rates
    #[command(after_help = crate::buffers::EXAMPLES)]
    Buffers(Box<BuffersArgs>),
    /// Check a host: settings, error counters, buffers that applications set
    #[command(after_help = crate::audit::EXAMPLES)]
    Audit(Box<AuditArgs>),
    /// Run transfers with a known cause on this kernel, and explain them
    #[command(after_help = crate::lab::EXAMPLES)]
    Lab(Box<LabArgs>),
    /// Show what limits every connection of this host, currently and over time
    #[command(after_help = crate::live::EXAMPLES)]
    Live(Box<crate::live::LiveArgs>),
    /// Record packets together with what the kernel says of its sockets
    #[command(after_help = crate::record::EXAMPLES)]
    Record(Box<crate::record::RecordArgs>),
    /// Tell Prometheus what limits the connections of this host
    #[command(after_help = crate::export::EXAMPLES)]
    Export(Box<crate::export::ExportArgs>),
    /// Print the JSON Schema of --json (a line of --jsonl is its definition `Record`)
    Schema {
        /// Of which command
        #[arg(default_value = "explain")]
        of: SchemaChoice,
    },
    /// Print a completion script
    Completions {
        /// The shell it is for
        shell: Shell,

        #[command(flatten)]
        words: LanguageArgs,
    },
    /// Print the manual page (troff), or write those of all commands
    Man {
        /// Where to write them: tcpwhy.1, tcpwhy-explain.1 …
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,

        #[command(flatten)]
        words: LanguageArgs,
    },
}

/// Arguments of `tcpwhy explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Captures to read; `-` is standard input: the first Ctrl-C stops reading and prints the report. With --interface a filter
    /// as that of --filter
    #[arg(value_name = "FILE", required_unless_present = "interface")]
    pub(crate) files: Vec<PathBuf>,

    /// Capture what passes this interface (`any`: all of them), headers only, until Ctrl-C, and report. Linux, CAP_NET_RAW
    #[arg(short, long, value_name = "INTERFACE", conflicts_with = "merge", help_heading = "Input")]
    pub(crate) interface: Option<String>,

    /// Keep what --interface captures in a new file
    #[arg(
        short,
        long,
        value_name = "FILE",
        requires = "interface",
        conflicts_with = "anonymize",
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
    #[arg(long, value_name = "BY", default_value = "saving", conflicts_with_all = ["json_form", "html", "svg", "why"], help_heading = "Selection")]
    pub(crate) sort: SortChoice,

    /// One row for all connections of a server, of a port of the server, or of a cause
    #[arg(long, value_name = "BY", conflicts_with_all = ["json_form", "html", "svg", "why"], help_heading = "Selection")]
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "jsonl"], help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,

    /// Static charts of the --top connections, one SVG file each
    #[arg(long, value_name = "DIR", conflicts_with_all = ["json", "jsonl"], help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,

    /// Background of the static charts; auto: as the reader's system prefers
    #[arg(long, value_name = "THEME", default_value = "auto", requires = "svg", help_heading = "Output")]
    pub(crate) svg_theme: ThemeChoice,

    /// Time range of the static charts, seconds from the connection's first packet: 1.2-1.4. An error if it lies outside
    #[arg(long, value_name = "FROM-TO", requires = "svg", help_heading = "Output")]
    pub(crate) svg_time: Option<Stretch>,

    /// Overwrite pictures of other captures in the folder of --svg
    #[arg(long, requires = "svg", help_heading = "Output")]
    pub(crate) force: bool,

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

/// Arguments of `tcpwhy serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Captures to read; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Where to listen; port 0: any free port. Other hosts can reach it only if the address is not loopback. The printed address
    /// is the key: only who has it sees the captures
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,

    /// Merge the files by time into one capture (rotated files of one host)
    #[arg(long)]
    pub(crate) merge: bool,

    /// Only connections of this host: an address, a CIDR prefix or the start of an address; repeatable
    #[arg(long, value_name = "ADDR[/LEN]")]
    pub(crate) host: Vec<HostPattern>,

    /// Only connections of this port; repeatable
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Vec<u16>,

    /// Only connections that carried at least this much (1500, 64k, 10MB, 1GiB)
    #[arg(long, value_name = "SIZE")]
    pub(crate) min_bytes: Option<Size>,

    /// Only connections that match this filter, in the syntax of tcpdump; either end counts: `host 10.0.0.1 and not port 22`
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) filter: Option<Expression>,

    #[command(flatten)]
    pub(crate) words: LanguageArgs,

    /// Names beside addresses, of both kinds or of one
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "all",
        conflicts_with_all = ["anonymize", "anonymize_key_file", "anonymize_key"])]
    pub(crate) names: Option<NamesChoice>,

    #[command(flatten)]
    pub(crate) anonymize: AnonymizeArgs,

    /// No progress, no warnings
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl ServeArgs {
    /// What `tcpwhy explain` would be asked for the same captures.
    pub(crate) fn as_explain(&self) -> ExplainArgs {
        ExplainArgs {
            merge: self.merge,
            host: self.host.clone(),
            port: self.port.clone(),
            min_bytes: self.min_bytes,
            filter: self.filter.clone(),
            look: LookArgs::in_language(self.words),
            names: self.names,
            anonymize: self.anonymize.clone(),
            quiet: self.quiet,
            ..ExplainArgs::of(self.files.clone())
        }
    }
}

impl ExplainArgs {
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
            svg: None,
            svg_theme: ThemeChoice::Auto,
            svg_time: None,
            force: false,
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

/// In which language the answer is written: the same for every subcommand that answers with words.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct LanguageArgs {
    /// Language of the words [default: from the locale]
    #[arg(long, value_name = "LANG")]
    lang: Option<LanguageChoice>,
}

impl LanguageArgs {
    /// The language typed, else the one of the locale.
    pub(crate) fn language(self) -> Language {
        environment::language(self.lang)
    }
}

/// How the answer is written: the same for every subcommand whose text has colours, and lines that are broken.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LookArgs {
    #[command(flatten)]
    pub(crate) words: LanguageArgs,

    /// Colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,

    /// Columns of the output [default: those of the terminal, else 80]; prose takes at most 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..))]
    pub(crate) width: Option<u16>,

    /// Units of printed sizes; typed sizes name theirs (64k, 64KiB)
    #[arg(long, value_name = "UNITS", default_value = "si")]
    pub(crate) units: UnitsChoice,
}

impl LookArgs {
    /// For what is not a terminal.
    pub(crate) const fn in_language(words: LanguageArgs) -> Self {
        Self { words, color: ColorChoice::Never, width: None, units: UnitsChoice::Si }
    }

    /// The language typed, else the one of the locale.
    pub(crate) fn language(self) -> Language {
        self.words.language()
    }

    /// The words, and sizes in the units typed.
    pub(crate) fn catalogue(self) -> Catalogue {
        Catalogue::new(self.language()).with_sizes(self.units.into())
    }

    /// How text is to look on standard output.
    pub(crate) fn look(self) -> Look {
        environment::look(self.color, self.width)
    }
}

/// Arguments of `tcpwhy rules`.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// The rule to explain
    pub(crate) id: Option<String>,

    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// Whose JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaChoice {
    /// Of `tcpwhy explain --json`
    Explain,
    /// Of `tcpwhy compare --json`
    Compare,
    /// Of `tcpwhy buffers --json`
    Buffers,
    /// Of `tcpwhy audit --json`
    Audit,
    /// Of `tcpwhy lab run --json` and `tcpwhy lab compare --json`
    Lab,
    /// Of `tcpwhy live --json` (a line of --jsonl is its definition `LiveRecord`)
    Live,
}

/// `--lang`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageChoice {
    /// English
    #[value(name = "en")]
    English,
    /// 简体中文
    #[value(name = "zh-CN", alias = "zh", alias = "zh_CN")]
    SimplifiedChinese,
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// When standard output is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
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

/// `--units`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnitsChoice {
    /// kB, MB: powers of 1000
    Si,
    /// KiB, MiB: powers of 1024
    Iec,
}

impl From<UnitsChoice> for SizeSteps {
    fn from(choice: UnitsChoice) -> Self {
        match choice {
            UnitsChoice::Si => Self::Decimal,
            UnitsChoice::Iec => Self::Binary,
        }
    }
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_is_a_word_unless_it_is_a_file() {
        let read = |typed: &[&str], has_file: bool| {
            let typed = typed.iter().map(OsString::from).collect();
            let read = without_help_word(typed, |_| has_file);
            read.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read(&["tcpwhy", "help"], false), "tcpwhy --help");
        assert_eq!(read(&["tcpwhy", "help", "lab", "run"], false), "tcpwhy lab run --help");
        assert_eq!(read(&["tcpwhy", "help"], true), "tcpwhy help");
        assert_eq!(read(&["tcpwhy", "a.pcap", "help"], false), "tcpwhy a.pcap help");
    }

    #[test]
    fn explain_is_the_default() {
        let cli = Cli::try_parse_from(["tcpwhy", "a.pcap", "--json"]).unwrap();
        assert!(cli.command.is_none() && cli.explain.json);
        let cli = Cli::try_parse_from(["tcpwhy", "explain", "a.pcap"]).unwrap();
        assert!(matches!(cli.command, Some(Command::Explain(e)) if e.files.len() == 1));
        let cli = Cli::try_parse_from(["tcpwhy", "./rules"]).unwrap();
        assert!(cli.command.is_none());
        let cli = Cli::try_parse_from(["tcpwhy", "rules"]).unwrap();
        assert!(matches!(cli.command, Some(Command::Rules(_))));
    }
}
