//! The command line as typed.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use tcpwhy_model::HostPattern;

use crate::anonymize::AnonymizeArgs;
use crate::audit::AuditArgs;
use crate::buffers::BuffersArgs;
use crate::compare::CompareArgs;
use crate::explain_args::{ExplainArgs, NamesChoice};
use crate::lab::LabArgs;
use crate::look_args::{LanguageArgs, LookArgs};
use crate::mcp::McpArgs;
use crate::number::within;
use crate::overwrite_args::OverwriteArgs;
use crate::predicate::Expression;
use crate::predicate::a_host;
use crate::predict::PredictArgs;
use crate::sim::SimArgs;
use crate::size::Size;

/// The complete command line.
#[derive(Debug, Parser)]
#[command(
    name = "tcpwhy",
    version,
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

/// The subcommand.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Explain(Box<ExplainArgs>),
    Serve(Box<ServeArgs>),
    Compare(Box<CompareArgs>),
    Rules(RulesArgs),
    Buffers(Box<BuffersArgs>),
    Audit(Box<AuditArgs>),
    Lab(Box<LabArgs>),
    Sim(Box<SimArgs>),
    Predict(Box<PredictArgs>),
    Live(Box<crate::live::LiveArgs>),
    Record(Box<crate::record::RecordArgs>),
    Export(Box<crate::export::ExportArgs>),
    Mcp(McpArgs),
    Schema {
        #[arg(default_value = "explain")]
        of: SchemaChoice,
    },
    Completions {
        shell: Shell,

        #[command(flatten)]
        words: LanguageArgs,
    },
    Man {
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,

        #[command(flatten)]
        overwrite: OverwriteArgs,

        #[command(flatten)]
        words: LanguageArgs,

        #[arg(short, long)]
        quiet: bool,
    },
}

/// Arguments of `tcpwhy serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,

    #[arg(long)]
    pub(crate) merge: bool,

    #[arg(long, value_name = "ADDR[/LEN]", value_parser = a_host)]
    pub(crate) host: Vec<HostPattern>,

    #[arg(long, value_name = "PORT", value_parser = within::<u16>(0..=65535))]
    pub(crate) port: Vec<u16>,

    #[arg(long, value_name = "SIZE")]
    pub(crate) min_bytes: Option<Size>,

    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) filter: Option<Expression>,

    #[command(flatten)]
    pub(crate) words: LanguageArgs,

    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "all",
        conflicts_with_all = ["anonymize", "anonymize_key_file", "anonymize_key"])]
    pub(crate) names: Option<NamesChoice>,

    #[command(flatten)]
    pub(crate) anonymize: AnonymizeArgs,

    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl ServeArgs {
    /// The equivalent arguments of `tcpwhy explain`.
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

/// Arguments of `tcpwhy rules`.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    pub(crate) id: Option<String>,

    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// The output whose JSON Schema is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaChoice {
    Explain,
    Compare,
    Buffers,
    Audit,
    Lab,
    Sim,
    Predict,
    Live,
    Tables,
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

/// Only on Linux, where all subcommands exist.
#[cfg(all(test, target_os = "linux"))]
mod paths {
    use std::collections::BTreeSet;

    use clap::builder::ValueParser;
    use clap::{Arg, CommandFactory as _};

    use super::Cli;
    use crate::output::options::{READ, WRITTEN};

    /// Whether the value of `arg` is a path: by its type, or by what the help calls it.
    fn is_path(arg: &Arg) -> bool {
        let paths = [ValueParser::path_buf().type_id(), ValueParser::os_string().type_id()];
        let names = arg.get_value_names().unwrap_or_default();
        let is_called_path = |name: &str| ["FILE", "DIR", "PATH", "FOLDER"].iter().any(|word| name.starts_with(word));
        let is_hint = arg.get_value_hint() != clap::ValueHint::Unknown;
        arg.get_action().takes_values()
            && (paths.contains(&arg.get_value_parser().type_id()) || is_hint || names.iter().any(|n| is_called_path(n)))
    }

    /// Collects every option of `command` and its subcommands whose value is a path, with the words of its
    /// command.
    fn paths(command: &clap::Command, words: &str, into: &mut BTreeSet<(String, String)>) {
        let name = |arg: &Arg| match (arg.get_long(), arg.get_value_names().unwrap_or_default()) {
            (Some(long), _) => format!("--{long}"),
            (None, [first, ..]) => first.to_string(),
            (None, []) => arg.get_id().to_string(),
        };
        into.extend(command.get_arguments().filter(|arg| is_path(arg)).map(|arg| (words.to_owned(), name(arg))));
        // `explain` has the same options as the program itself.
        for below in command.get_subcommands().filter(|below| below.get_name() != "explain") {
            paths(below, format!("{words} {}", below.get_name()).trim_start(), into);
        }
    }

    /// A new option that writes a file fails this test until it is in the table, and then `tests/outputs.rs`
    /// until that tries it.
    #[test]
    fn every_option_with_a_path_is_known_to_read_or_to_write() {
        let mut found = BTreeSet::new();
        paths(&Cli::command(), "", &mut found);
        let all = READ.iter().chain(WRITTEN).map(|(command, option)| ((*command).to_owned(), (*option).to_owned()));
        let known: BTreeSet<(String, String)> = all.collect();
        assert_eq!(known.len(), READ.len() + WRITTEN.len(), "one is in both");
        let (new, gone): (Vec<_>, Vec<_>) = (found.difference(&known).collect(), known.difference(&found).collect());
        assert!(new.is_empty() && gone.is_empty(), "src/output/options.rs lacks {new:?}, and has too many: {gone:?}");
    }

    /// Every command that writes a named file has `--overwrite`.
    #[test]
    fn every_command_that_writes_has_the_same_option() {
        let mut command = Cli::command();
        command.build();
        // `audit --save` needs an empty folder, so it replaces nothing.
        for (words, _) in WRITTEN.iter().filter(|(words, _)| *words != "audit") {
            let start = Some(&command);
            let found = words.split_whitespace().fold(start, |at, word| at?.find_subcommand(word)).unwrap();
            let names = |wanted: &str| {
                found.get_arguments().any(|arg| {
                    arg.get_long() == Some(wanted) || arg.get_all_aliases().unwrap_or_default().contains(&wanted)
                })
            };
            assert!(names("overwrite"), "{words}");
            assert_eq!(names("force"), ["", "record", "buffers"].contains(words), "{words}");
        }
    }
}
