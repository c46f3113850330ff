//! Usage errors in the user's language: clap's own texts are English.

use std::error::Error;
use std::net::AddrParseError;
use std::num::ParseIntError;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use tcpwhy_model::{Explained, Message};
use tcpwhy_report::{Args, Catalogue};

use crate::message::Failure;

/// The message of `error` with hints, usage and a reference to the help; `None` for kinds that are not
/// messages (help, version).
pub(crate) fn text(error: &clap::Error, catalogue: &Catalogue) -> Option<String> {
    let words = Words { catalogue, error };
    // Filled in afterwards, because the sentence may have several lines.
    let frame = catalogue.text("usage-error", &Args::new().text("what", "{what}"));
    let mut text = format!("{}\n", frame.replacen("{what}", &words.sentence()?, 1));
    for hint in words.hints() {
        text.push_str("\n  ");
        text.push_str(&catalogue.text("usage-error-hint", &Args::new().text("hint", hint)));
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let usage = usage.to_string();
        // Clap's own heading.
        let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).trim_end();
        let frame = catalogue.text("help-usage", &Args::new().text("usage", "{usage}"));
        text.push('\n');
        text.push_str(&frame.replacen("{usage}", usage, 1));
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&catalogue.word("usage-error-more"));
    text.push('\n');
    Some(text)
}

/// Whether the error's reason is a text of the standard library.
pub(crate) fn is_of_standard_library(error: &clap::Error) -> bool {
    error.source().is_some_and(|why| why.is::<ParseIntError>() || why.is::<AddrParseError>())
}

/// The error of a value's parser, which clap keeps without its type.
fn typed(error: &(dyn Error + 'static)) -> String {
    known(error).unwrap_or_else(|| error.to_string())
}

fn known(error: &(dyn Error + 'static)) -> Option<String> {
    let by_type: [fn(&(dyn Error + 'static)) -> Option<String>; 4] =
        [said::<Message>, said::<Failure>, said::<ParseIntError>, said::<AddrParseError>];
    by_type.iter().find_map(|said| said(error))
}

fn said<E: Explained + Error + 'static>(error: &(dyn Error + 'static)) -> Option<String> {
    error.downcast_ref::<E>().map(crate::message::words)
}

#[derive(Clone, Copy)]
struct Words<'a> {
    catalogue: &'a Catalogue,
    error: &'a clap::Error,
}

impl Words<'_> {
    fn sentence(self) -> Option<String> {
        let named = || Args::new().text("argument", self.one(ContextKind::InvalidArg));
        let valued = || named().text("value", self.one(ContextKind::InvalidValue));
        let command = || Args::new().text("command", self.one(ContextKind::InvalidSubcommand));
        let counted = |wanted: &'static str, kind| {
            named().text(wanted, self.one(kind)).text("given", self.one(ContextKind::ActualNumValues))
        };
        let say = |id: &str, args: Args| self.catalogue.text(&format!("usage-error-{id}"), &args);
        Some(match self.error.kind() {
            ErrorKind::InvalidValue if self.one(ContextKind::InvalidValue).is_empty() => {
                format!("{}{}", say("no-value", named()), self.choices())
            }
            ErrorKind::InvalidValue => format!("{}{}", say("invalid-value", valued()), self.choices()),
            ErrorKind::ValueValidation => match self.error.source() {
                Some(why) => say("invalid-value-why", valued().text("why", typed(why))),
                None => say("invalid-value", valued()),
            },
            ErrorKind::UnknownArgument => say("unknown-argument", named()),
            ErrorKind::InvalidSubcommand => say("unknown-subcommand", command()),
            ErrorKind::MissingSubcommand => {
                let names = self.joined(ContextKind::ValidSubcommand, "").unwrap_or_default();
                let known = say("subcommands", Args::new().text("names", names));
                format!("{}\n  {known}", say("missing-subcommand", command()))
            }
            ErrorKind::NoEquals => say("no-equals", named()),
            ErrorKind::TooManyValues => say("too-many-values", valued()),
            ErrorKind::TooFewValues => say("too-few-values", counted("least", ContextKind::MinValues)),
            ErrorKind::WrongNumberOfValues => {
                say("wrong-number-of-values", counted("expected", ContextKind::ExpectedNumValues))
            }
            ErrorKind::ArgumentConflict => match self.joined(ContextKind::PriorArg, "'") {
                None => say("conflict-with-others", named()),
                Some(other) if other == self.one(ContextKind::InvalidArg) => say("twice", named()),
                Some(others) => say("conflict", named().text("others", others)),
            },
            ErrorKind::MissingRequiredArgument => {
                let missing = list(self.error.get(ContextKind::InvalidArg)).join("\n  ");
                format!("{}\n  {missing}", say("missing-arguments", Args::new()))
            }
            ErrorKind::InvalidUtf8 => say("not-utf-8", Args::new()),
            _ => return None,
        })
    }

    /// The possible values, if there are few.
    fn choices(self) -> String {
        self.joined(ContextKind::ValidValue, "").map_or_else(String::new, |values| {
            format!("\n  {}", self.catalogue.text("help-values", &Args::new().text("values", values)))
        })
    }

    /// Hints at similar names.
    fn hints(self) -> Vec<String> {
        let kinds = [
            (ContextKind::SuggestedSubcommand, "usage-error-similar-subcommand"),
            (ContextKind::SuggestedArg, "usage-error-similar-argument"),
            (ContextKind::SuggestedValue, "usage-error-similar-value"),
        ];
        let near = kinds.into_iter().filter_map(|(kind, id)| {
            let names = self.joined(kind, "'")?;
            Some(self.catalogue.text(id, &Args::new().text("names", names)))
        });
        near.collect()
    }

    fn one(self, kind: ContextKind) -> String {
        shown(self.error.get(kind)).unwrap_or_default()
    }

    /// The names of `kind`, if any, joined by separators with `quote` around them.
    fn joined(self, kind: ContextKind, quote: &str) -> Option<String> {
        let names = list(self.error.get(kind));
        let separator = format!("{quote}{}{quote}", self.catalogue.word("help-separator"));
        (!names.is_empty()).then(|| names.join(&separator))
    }
}

fn shown(value: Option<&ContextValue>) -> Option<String> {
    match value? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(" ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn list(value: Option<&ContextValue>) -> Vec<String> {
    match value {
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStrs(texts)) => texts.iter().map(StyledStr::to_string).collect(),
        other => shown(other).into_iter().filter(|text| !text.is_empty()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory as _};

    use super::*;
    use crate::args::Cli;

    /// A parser whose error is not in the catalogues would print English in every language.
    #[test]
    fn every_wrong_value_has_words() {
        fn check(root: &Command, command: &Command, path: &[String], refused: &mut usize) {
            for long in command.get_arguments().filter_map(clap::Arg::get_long) {
                let typed = path.iter().cloned().chain([format!("--{long}=@?")]);
                let Err(error) = root.clone().try_get_matches_from(typed) else { continue };
                if error.kind() == ErrorKind::ValueValidation {
                    let why = error.source().unwrap();
                    assert!(known(why).is_some(), "{path:?} --{long}: {why}");
                    *refused += 1;
                }
            }
            for below in command.get_subcommands() {
                check(root, below, &[path, &[below.get_name().to_owned()]].concat(), refused);
            }
        }
        let (root, mut refused) = (Cli::command(), 0);
        check(&root, &root, &["tcpwhy".to_owned()], &mut refused);
        assert!(refused > 40, "{refused}");
    }
}
