//! Parses the command line.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory as _, FromArgMatches as _, ValueEnum as _};
use tcpwhy_model::foreign::visible_name;
use tcpwhy_report::{Catalogue, Language};

use crate::args::Cli;
use crate::explain_args::FormatChoice;
use crate::look_args::LanguageChoice;
use crate::message::Failure;
use crate::output::address;
use crate::{environment, help, message, mistyped};

impl Cli {
    /// Parses the process's arguments. Errors quote them with hidden characters escaped, because a shell
    /// pattern may expand to a file name chosen by others.
    pub(crate) fn from_command_line() -> Result<Self, Refused> {
        let typed = without_help_word(environment::typed().collect(), |name| Path::new(name).exists());
        let language = language_of(&typed);
        message::speak(language);
        let mut address = None;
        let parsed = Self::parse_and(&typed, language, |command, matches| address = address::refusal(command, matches));
        let word = match &parsed {
            Ok(cli) => cli.first_file(),
            // An option of another command is unknown to `explain`, so the word may be a misspelt command.
            Err(error) if error.use_stderr() => typed.get(1).map(OsString::as_os_str),
            Err(_) => None,
        };
        if let Some(failure) = word.and_then(|word| mistyped::command(word, Path::exists)) {
            return Err(Refused::Mistyped(failure));
        }
        if let Some(failure) = address {
            return Err(Refused::Mistyped(failure));
        }
        parsed.map_err(|error| {
            let shown: Vec<_> = typed.iter().map(|word| visible_name(word)).collect();
            let is_plain = typed.iter().zip(&shown).all(|(typed, shown)| typed.as_os_str() == OsStr::new(shown));
            let shown: Vec<_> = shown.into_iter().map(OsString::from).collect();
            // The escaped words normally produce the same error; otherwise its kind is enough.
            let error = if is_plain {
                error
            } else {
                Self::parse(&shown, language).err().unwrap_or_else(|| clap::Error::new(error.kind()))
            };
            Refused::Usage(Usage { error, language })
        })
    }

    /// The first file argument, if there is no command and the words are not a filter.
    fn first_file(&self) -> Option<&OsStr> {
        let has_files = self.command.is_none() && self.explain.interface.is_none();
        self.explain.files.first().filter(|_| has_files).map(|file| file.as_os_str())
    }

    fn parse(typed: &[OsString], language: Language) -> Result<Self, clap::Error> {
        Self::parse_and(typed, language, |_, _| {})
    }

    /// Parses `typed`. The help texts are built only for help or an error. `look` gets the matches if parsing
    /// succeeds.
    fn parse_and(
        typed: &[OsString],
        language: Language,
        look: impl FnOnce(&Command, &ArgMatches),
    ) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        let matches = command.try_get_matches_from_mut(typed);
        let matches = matches.and_then(|matches| {
            if let Some(error) = format_conflict(&command, &matches) {
                return Err(error);
            }
            look(&command, &matches);
            Ok(matches)
        });
        matches.and_then(|mut matches| Self::from_arg_matches_mut(&mut matches)).map_err(|error| {
            if error.kind() == ErrorKind::DisplayVersion {
                return error;
            }
            let mut worded = help::command(&Catalogue::new(language));
            worded.try_get_matches_from_mut(typed).err().unwrap_or_else(|| error.format(&mut worded))
        })
    }
}

/// Parses `words`, the program's name first, for callers other than the command line. The error is one line.
pub(crate) fn command_of<C: clap::Parser>(
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<C, Failure> {
    C::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        message::failure("not-understood").with("text", line)
    })
}

/// The error for an option that the chosen `--format` does not support.
fn format_conflict(command: &Command, matches: &ArgMatches) -> Option<clap::Error> {
    let matches = match matches.subcommand() {
        Some(("explain", matches)) => matches,
        Some(_) => return None,
        None => matches,
    };
    let is_typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    if !is_typed(&"format") {
        return None;
    }
    let format = *matches.get_one::<FormatChoice>("format")?;
    let id = format.lacks().iter().copied().find(is_typed)?;
    // `explain` has the same options as the program itself.
    let option = command.get_arguments().find(|arg| arg.get_id() == id)?.to_string();
    let name = format.to_possible_value()?;
    let mut error = clap::Error::new(ErrorKind::ArgumentConflict).with_cmd(command);
    error.insert(ContextKind::InvalidArg, ContextValue::String(option));
    error.insert(ContextKind::PriorArg, ContextValue::String(format!("--format {}", name.get_name())));
    Some(error)
}

/// The reason why no command runs.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Help, the version, or an error of usage.
    Usage(Usage),
    /// The first word is neither a command nor a file, or an output is an address.
    Mistyped(Failure),
}

/// Help, the version or a usage error, and the language to print it in.
#[derive(Debug)]
pub(crate) struct Usage {
    pub(crate) error: clap::Error,
    language: Language,
}

impl Usage {
    /// The text of the error. `None` if clap's own English text is to be used, which names values and
    /// options well. Its texts about numbers and addresses come from the standard library and do not show
    /// what to type.
    pub(crate) fn text(&self) -> Option<String> {
        if self.language == Language::English && !help::is_of_standard_library(&self.error) {
            return None;
        }
        help::error_text(&self.error, &Catalogue::new(self.language))
    }
}

/// The language requested by `typed`, found before parsing because help and errors need it.
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
    environment::language(choice.map(Into::into))
}

/// Rewrites `help` and `help COMMAND` to `--help`, unless a file of that name exists.
fn without_help_word(mut typed: Vec<OsString>, is_file: impl Fn(&OsStr) -> bool) -> Vec<OsString> {
    if typed.get(1).is_some_and(|word| word == "help") && typed.len() <= 4 && !is_file(OsStr::new("help")) {
        typed.remove(1);
        typed.push("--help".into());
    }
    typed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `--format json` and `--json` are the same, and conflict with the same options.
    #[test]
    fn a_format_has_the_conflicts_of_its_own_option() {
        let parse = |typed: &str| {
            let typed: Vec<_> = typed.split(' ').map(OsString::from).collect();
            Cli::parse(&typed, Language::English)
        };
        let format = |typed: &str| parse(typed).unwrap().explain.format();
        assert_eq!(format("tcpwhy a"), FormatChoice::Text);
        for (name, choice) in [("json", FormatChoice::Json), ("jsonl", FormatChoice::Jsonl)] {
            assert_eq!(format(&format!("tcpwhy a --{name}")), choice);
            assert_eq!(format(&format!("tcpwhy a --format {name}")), choice);
            for option in [
                "--sort bytes",
                "--group host",
                "--words none",
                "--exchanges",
                "--timeline",
                "--why 1s",
                "--html x",
                "--svg x",
                "--annotate x",
                "--parquet x",
                "--arrow",
                "--fail-on loss_recovery",
            ] {
                let [own, other] = [format!("--{name}"), format!("--format={name}")]
                    .map(|form| parse(&format!("tcpwhy explain a {option} {form}")).map(|_| ()).map_err(|e| e.kind()));
                let kinds = |kind: &Result<(), ErrorKind>| kind.is_ok();
                assert_eq!(kinds(&own), kinds(&other), "{name} {option}: {own:?} {other:?}");
            }
        }
        for option in [
            "--sort bytes",
            "--group host",
            "--words none",
            "--exchanges",
            "--timeline",
            "--html x",
            "--svg x",
            "--annotate x",
            "--parquet x",
            "--arrow",
            "--json",
            "--jsonl",
        ] {
            let error = parse(&format!("tcpwhy a {option} --format markdown")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ArgumentConflict, "{option}: {error}");
        }
        for option in ["--why 1s", "--top 3", "--code go", "--names", "--anonymize", "--merge", "-q", "--utc"] {
            assert_eq!(format(&format!("tcpwhy a {option} --format markdown")), FormatChoice::Markdown);
        }
        assert!(parse("tcpwhy a --sort bytes --format text").is_ok());
        let error = parse("tcpwhy a --sort bytes --format markdown").unwrap_err().to_string();
        assert!(
            error.starts_with("error: the argument '--sort <BY>' cannot be used with '--format markdown'\n"),
            "{error}"
        );
        let error = parse("tcpwhy a --exchanges").unwrap_err().to_string();
        assert!(error.contains("--jsonl") && error.contains("--format"), "{error}");
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
}
