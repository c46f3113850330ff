//! Command-line arguments of `tcpwhy explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tcpwhy_files::FileId;
use tcpwhy_inputs::{Depth, Place, Shard};
use tcpwhy_model::{Cause, HostPattern, Severity};
use tcpwhy_report::text::{GroupBy, Order};
use tcpwhy_report::{Catalogue, Zone};
use tcpwhy_view::svg::Theme;

use crate::anonymize::AnonymizeArgs;
use crate::code_args::CodeArgs;
use crate::look_args::{LanguageArgs, LookArgs};
use crate::message::{Failure, failure};
use crate::moment::Moment;
use crate::names;
use crate::number::within;
use crate::output::file;
use crate::predicate::Expression;
use crate::predicate::Gate;
use crate::predicate::a_host;
use crate::size::Size;
use crate::stretch::Stretch;
use crate::when::When;

/// Arguments of `tcpwhy explain`.
#[derive(Clone, Debug, Args)]
#[command(group = clap::ArgGroup::new("written").multiple(true))]
pub(crate) struct ExplainArgs {
    #[arg(value_name = "FILE", required_unless_present = "interface")]
    pub(crate) files: Vec<PathBuf>,

    #[arg(short, long, value_name = "INTERFACE", conflicts_with = "merge", help_heading = "input")]
    pub(crate) interface: Option<String>,

    #[arg(
        short,
        long,
        value_name = "FILE",
        requires = "interface",
        conflicts_with = "anonymize",
        group = "written",
        help_heading = "input"
    )]
    pub(crate) write: Option<PathBuf>,

    #[arg(long, help_heading = "input")]
    pub(crate) merge: bool,

    #[arg(short, long, conflicts_with = "interface", help_heading = "input")]
    pub(crate) recursive: bool,

    #[arg(long, value_name = "N", value_parser = within::<usize>(1..=1024), help_heading = "input")]
    pub(crate) jobs: Option<usize>,

    #[arg(long, value_name = "SIZE", conflicts_with = "interface", help_heading = "input")]
    pub(crate) max_unpacked: Option<Size>,

    #[arg(long, value_name = "I/N", value_parser = a_shard, conflicts_with = "interface", help_heading = "input")]
    pub(crate) shard: Option<Shard>,

    #[arg(long, value_name = "ADDR[/LEN]", value_parser = a_host, help_heading = "selection")]
    pub(crate) host: Vec<HostPattern>,

    #[arg(long, value_name = "PORT", value_parser = within::<u16>(0..=65535), help_heading = "selection")]
    pub(crate) port: Vec<u16>,

    #[arg(long, value_name = "SIZE", help_heading = "selection")]
    pub(crate) min_bytes: Option<Size>,

    #[arg(long, value_name = "EXPRESSION", help_heading = "selection")]
    pub(crate) filter: Option<Expression>,

    #[arg(long, value_name = "LIMIT", value_parser = a_limit, help_heading = "selection")]
    pub(crate) limit: Vec<Cause>,

    #[arg(long, value_name = "SEVERITY", help_heading = "selection")]
    pub(crate) severity: Option<SeverityChoice>,

    #[arg(
        long,
        value_name = "BY",
        default_value = "saving",
        conflicts_with_all = ["json_form", "tables", "html", "svg", "annotate", "why"],
        help_heading = "selection"
    )]
    pub(crate) sort: SortChoice,

    #[arg(
        long,
        value_name = "BY",
        conflicts_with_all = ["json_form", "tables", "html", "svg", "annotate", "why"],
        help_heading = "selection"
    )]
    pub(crate) group: Option<GroupChoice>,

    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "selection")]
    pub(crate) top: usize,

    #[arg(long, value_name = "N", help_heading = "selection")]
    pub(crate) connection: Option<u64>,

    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "selection")]
    pub(crate) problem: Option<u64>,

    #[arg(long, value_name = "TIME", help_heading = "selection")]
    pub(crate) from: Option<When>,

    #[arg(long, value_name = "TIME", help_heading = "selection")]
    pub(crate) to: Option<When>,

    /// Read it with [`Self::format`]; `command_line.rs` rejects the options that a form does not have.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        conflicts_with_all = ["json_form", "tables", "html", "svg", "annotate"],
        groups = ["worded", "lines"],
        help_heading = "output"
    )]
    pub(crate) format: FormatChoice,

    #[arg(long, groups = ["json_form", "worded"], help_heading = "output")]
    pub(crate) json: bool,

    #[arg(long, groups = ["json_form", "worded", "lines"], help_heading = "output")]
    pub(crate) jsonl: bool,

    #[arg(
        long,
        value_name = "DIR",
        groups = ["tables", "worded"],
        conflicts_with_all = ["json_form", "html", "svg", "annotate", "why", "merge"],
        help_heading = "tables"
    )]
    pub(crate) parquet: Option<PathBuf>,

    #[arg(
        long,
        groups = ["tables", "worded"],
        conflicts_with_all = ["json_form", "html", "svg", "annotate", "why", "merge"],
        help_heading = "tables"
    )]
    pub(crate) arrow: bool,

    #[arg(long, value_name = "NAME", requires = "arrow", help_heading = "tables")]
    pub(crate) table: Option<String>,

    #[arg(long, value_name = "NAME", value_parser = a_part, requires = "parquet", help_heading = "tables")]
    pub(crate) part: Option<String>,

    #[arg(
        long,
        requires = "parquet",
        conflicts_with_all = ["interface", "from", "to", "problem"],
        help_heading = "tables"
    )]
    pub(crate) resume: bool,

    #[arg(long, value_name = "WORDS", requires = "worded", help_heading = "output")]
    pub(crate) words: Option<WordsChoice>,

    #[arg(long, requires = "lines", help_heading = "output")]
    pub(crate) exchanges: bool,

    #[arg(long, help_heading = "output")]
    pub(crate) no_sim: bool,

    #[arg(long, help_heading = "output")]
    pub(crate) utc: bool,

    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "jsonl"], group = "written", help_heading = "output")]
    pub(crate) html: Option<PathBuf>,

    #[arg(long, value_name = "DIR", conflicts_with_all = ["json", "jsonl"], groups = ["replaceable", "written"], help_heading = "output")]
    pub(crate) svg: Option<PathBuf>,

    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["json", "jsonl", "html", "why", "merge", "anonymize", "timeline"],
        groups = ["replaceable", "written"],
        help_heading = "output"
    )]
    pub(crate) annotate: Option<PathBuf>,

    #[arg(long, value_name = "THEME", default_value = "auto", requires = "svg", help_heading = "output")]
    pub(crate) svg_theme: ThemeChoice,

    #[arg(long, value_name = "FROM-TO", requires = "svg", help_heading = "output")]
    pub(crate) svg_time: Option<Stretch>,

    #[arg(long, alias = "force", requires = "written", help_heading = "output")]
    pub(crate) overwrite: bool,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) code: CodeArgs,

    #[arg(long, help_heading = "output")]
    pub(crate) timeline: bool,

    #[arg(long, value_name = "TIME", conflicts_with_all = ["timeline", "html", "svg"], help_heading = "output")]
    pub(crate) why: Option<Moment>,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) look: LookArgs,

    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "all",
        conflicts_with_all = ["anonymize", "anonymize_key_file", "anonymize_key"], help_heading = "output")]
    pub(crate) names: Option<NamesChoice>,

    #[command(flatten, next_help_heading = "output")]
    pub(crate) anonymize: AnonymizeArgs,

    #[arg(long, value_name = "LIMIT[:SHARE]", help_heading = "output")]
    pub(crate) fail_on: Vec<Gate>,

    #[arg(short, long, help_heading = "output")]
    pub(crate) quiet: bool,
}

/// Parses the name of a part, with which its file names begin.
fn a_part(text: &str) -> Result<String, Failure> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.=".contains(&byte);
    let is_name =
        !text.is_empty() && text.len() <= 100 && !text.starts_with(['.', '-', '_']) && text.bytes().all(is_plain);
    is_name.then(|| text.to_owned()).ok_or(failure("part-expected"))
}

fn a_limit(text: &str) -> Result<Cause, Failure> {
    Ok(text.parse::<Cause>()?)
}

/// `3/16`: part 3 of 16.
fn a_shard(text: &str) -> Result<Shard, Failure> {
    let part = || {
        let (number, of) = text.split_once('/')?;
        Shard::new(number.parse().ok()?, of.parse().ok()?)
    };
    part().ok_or(failure("shard-expected"))
}

impl ExplainArgs {
    /// The places of the captures; empty if the words are a filter.
    pub(crate) fn places(&self) -> Vec<Place> {
        self.files.iter().filter(|_| self.interface.is_none()).map(|file| Place::of(file)).collect()
    }

    /// The output format, which any of three options may select.
    pub(crate) const fn format(&self) -> FormatChoice {
        match (self.json, self.jsonl) {
            (true, _) => FormatChoice::Json,
            (_, true) => FormatChoice::Jsonl,
            _ => self.format,
        }
    }

    /// Whether the output is tables.
    pub(crate) const fn has_tables(&self) -> bool {
        self.arrow || self.parquet.is_some()
    }

    /// Bytes to which any compressed file may expand; `None` for the default.
    pub(crate) fn most_unpacked(&self) -> Option<u64> {
        self.max_unpacked.map(|size| size.0)
    }

    /// How deep folders are searched for captures.
    pub(crate) const fn depth(&self) -> Depth {
        if self.recursive { Depth::AllLevels } else { Depth::OneLevel }
    }

    /// The input files, which no output may replace.
    pub(crate) fn inputs(&self) -> Vec<FileId> {
        // With an interface the words are a filter.
        let captures = self.files.iter().filter(|_| self.interface.is_none());
        file::read_from(captures.chain(self.anonymize.key_file()))
    }

    /// The catalogue, with the requested units, time zone and names.
    pub(crate) fn catalogue(&self) -> Catalogue {
        let names = matches!(self.names, Some(NamesChoice::All | NamesChoice::Dns)).then(names::of_this_machine);
        let zone = if self.utc { Zone::utc() } else { Zone::local() };
        self.look.catalogue().with_zone(zone).with_names(names).with_code(self.code.code())
    }

    /// The default arguments for these captures.
    pub(crate) fn of(files: Vec<PathBuf>) -> Self {
        Self {
            files,
            interface: None,
            write: None,
            merge: false,
            recursive: false,
            jobs: None,
            max_unpacked: None,
            shard: None,
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
            problem: None,
            from: None,
            to: None,
            format: FormatChoice::Text,
            json: false,
            jsonl: false,
            parquet: None,
            arrow: false,
            table: None,
            part: None,
            resume: false,
            words: None,
            exchanges: false,
            no_sim: false,
            utc: false,
            html: None,
            annotate: None,
            svg: None,
            svg_theme: ThemeChoice::Auto,
            svg_time: None,
            overwrite: false,
            code: CodeArgs::default(),
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

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    Text,
    Json,
    Jsonl,
    Markdown,
}

impl FormatChoice {
    /// Ids of the options that this format does not support. Clap can only declare conflicts between options,
    /// not with a value.
    pub(crate) const fn lacks(self) -> &'static [&'static str] {
        match self {
            Self::Text => &["words", "exchanges"],
            Self::Json => &["sort", "group", "exchanges"],
            Self::Jsonl => &["sort", "group"],
            Self::Markdown => &["sort", "group", "words", "exchanges", "timeline"],
        }
    }
}

/// `--severity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityChoice {
    Info,
    Warning,
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
    Saving,
    Bytes,
    Time,
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
    Host,
    Port,
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
    All,
    Sni,
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
    All,
    None,
}

/// `--svg-theme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeChoice {
    Auto,
    Light,
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
