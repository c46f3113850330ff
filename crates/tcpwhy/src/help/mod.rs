//! Help and usage errors in the user's language.
//!
//! The arguments have no help texts in the code. The catalogues have them: `command-NAME` for a command
//! (`-long`, `-after`), `option-NAME` for an option, and `value-OPTION-VALUE` for a value. `-in-COMMAND` is
//! appended where one command needs other words. A test compares the command line with the catalogues in both
//! directions.

mod errors;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, CommandFactory as _};
use tcpwhy_report::{Args, Catalogue, Language};

use crate::args::Cli;

pub(crate) use errors::{is_of_standard_library, text as error_text};

/// The complete command line with its help. It cannot parse, because values with help texts have no types.
pub(crate) fn command(catalogue: &Catalogue) -> Command {
    Help { catalogue }.command(Cli::command(), ROOT)
}

/// A manual page with its headings in the language of `catalogue`; the other text comes from [`command`].
pub(crate) fn manual(page: String, catalogue: &Catalogue) -> String {
    /// Headings that `clap_mangen` writes itself.
    const HEADINGS: [&str; 7] = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SUBCOMMANDS", "EXTRA", "VERSION"];
    HEADINGS.iter().fold(page, |page, heading| {
        let words = catalogue.word(&format!("manual-heading-{}", heading.to_ascii_lowercase()));
        page.replace(&format!("\n.SH {heading}\n"), &format!("\n.SH {words}\n"))
    })
}

/// The program itself, among the names of commands.
const ROOT: &str = "tcpwhy";
/// The option whose values are languages; each value is named in its own language.
const LANGUAGE: &str = "lang";

/// Options that few users need: `-h` leaves them out, `--help` has them.
const RARE: [&str; 24] = [
    "allow-host",
    "anonymize-key",
    "anonymize-key-file",
    "arrow",
    "code",
    "device",
    "jobs",
    "max-series",
    "max-unpacked",
    "names",
    "no-setsockopt",
    "part",
    "problem",
    "resume",
    "shard",
    "skb-overhead",
    "svg-theme",
    "svg-time",
    "table",
    "units",
    "user",
    "width",
    "window-clamp",
    "words",
];

/// Help texts by the names of commands, options and values.
#[derive(Clone, Copy)]
struct Help<'a> {
    catalogue: &'a Catalogue,
}

impl Help<'_> {
    /// Adds help to `command`, whose full name is `name`, such as `lab-run`.
    fn command(self, command: Command, name: &str) -> Command {
        // Options without a subcommand belong to `explain`.
        let of_options = if name == ROOT { "explain" } else { name };
        let has_version = command.get_version().is_some();
        let mut command = command
            .mut_args(|arg| self.argument(arg, of_options))
            .mut_subcommands(|sub| {
                let inner = if name == ROOT { sub.get_name().to_owned() } else { format!("{name}-{}", sub.get_name()) };
                self.command(sub, &inner)
            })
            .about(self.catalogue.word(&format!("command-{name}")));
        if let Some(text) = self.optional(&format!("command-{name}-long")) {
            command = command.long_about(text);
        }
        if let Some(text) = self.here(&format!("command-{of_options}-after")) {
            command = command.after_help(text);
        }
        if self.has_words_of_clap() { command } else { self.reworded(command, has_version) }
    }

    /// Replaces clap's own texts, which are English and created too late to be changed.
    fn reworded(self, command: Command, has_version: bool) -> Command {
        let word = |id| self.catalogue.word(id);
        let usage = self.catalogue.text("help-usage", &Args::new().text("usage", "{usage}"));
        let flag = |name: &'static str, short, action, id| {
            Arg::new(name).short(short).long(name).action(action).help(word(id)).help_heading(word("help-options"))
        };
        let command = command
            .help_template(format!("{{before-help}}{{about-with-newline}}\n{usage}\n\n{{all-args}}{{after-help}}"))
            .subcommand_help_heading(word("help-commands"))
            .subcommand_value_name(word("help-commands"))
            .disable_help_flag(true)
            .arg(flag("help", 'h', ArgAction::Help, "help-help"));
        if has_version {
            return command.disable_version_flag(true).arg(flag("version", 'V', ArgAction::Version, "help-version"));
        }
        command
    }

    fn has_words_of_clap(self) -> bool {
        self.catalogue.language() == Language::English
    }

    fn argument(self, arg: Arg, command: &str) -> Arg {
        let id = kebab(arg.get_id().as_str());
        let help = match self.in_command_or_none(&format!("option-{id}"), command) {
            Some(help) => help,
            // The hidden argument that accepts all options where a command does not work.
            None if arg.is_hide_set() => return arg,
            None => self.catalogue.word(&format!("option-{id}")),
        };
        let heading = arg.get_help_heading().map(|heading| format!("heading-option-{heading}"));
        let values = if arg.get_action().takes_values() { arg.get_possible_values() } else { Vec::new() };
        let meanings: Vec<_> = values
            .iter()
            .map(|value| match Language::from_tag(value.get_name()).filter(|_| id == LANGUAGE) {
                Some(language) => Some(Catalogue::new(language).word("viewer-language-name")),
                None => self.in_command_or_none(&format!("value-{id}-{}", kebab(value.get_name())), command),
            })
            .collect();
        let arg = if meanings.iter().any(Option::is_some) {
            let values = values.iter().cloned().zip(&meanings).map(|(value, meaning)| match meaning {
                Some(meaning) => value.help(meaning),
                None => value,
            });
            arg.value_parser(PossibleValuesParser::new(values))
        } else {
            arg
        };
        let arg = if RARE.contains(&id.as_str()) { arg.hide_short_help(true) } else { arg };
        if self.has_words_of_clap() {
            let arg = arg.help(brief(&help)).long_help(help);
            return match heading {
                Some(heading) => arg.help_heading(self.catalogue.word(&heading)),
                None => arg,
            };
        }
        let usual = if arg.is_positional() { "help-arguments" } else { "help-options" };
        let arg = arg.help_heading(self.catalogue.word(heading.as_deref().unwrap_or(usual)));
        self.with_values(arg, &help)
    }

    /// Adds the default and the values after the help, because clap would add them in English.
    fn with_values(self, arg: Arg, help: &str) -> Arg {
        if !arg.get_action().takes_values() {
            return arg.help(brief(help)).long_help(help.to_owned());
        }
        let values = arg.get_possible_values();
        let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
        let defaults: Vec<_> =
            arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
        let names: Vec<_> = values.iter().map(|value| value.get_name().to_owned()).collect();
        let lists = format!("{}{}", self.listed("help-default", &defaults), self.listed("help-values", &names));
        let arg = arg.hide_default_value(true).hide_possible_values(true);
        let arg = arg.help(format!("{}{lists}", brief(help))).long_help(format!("{help}{lists}"));
        if values.iter().all(|value| value.get_help().is_none()) {
            return arg;
        }
        let help = format!("{help}{}", self.listed("help-default", &defaults));
        let list = values.iter().map(|value| match value.get_help() {
            Some(meaning) => {
                let args = Args::new().text("name", value.get_name()).text("meaning", meaning.to_string());
                format!("\n{}", self.catalogue.text("help-value", &args))
            }
            None => format!("\n- {}", value.get_name()),
        });
        let list: String = list.collect();
        arg.long_help(format!("{help}\n\n{}{list}", self.catalogue.word("help-values-heading")))
    }

    /// ` [default: auto]`; empty without values.
    fn listed(self, id: &str, values: &[String]) -> String {
        if values.is_empty() {
            return String::new();
        }
        let values = values.join(&self.catalogue.word("help-separator"));
        format!(" {}", self.catalogue.text(id, &Args::new().text("values", values)))
    }

    /// The text of `command` for `id`, else that of all commands.
    fn in_command_or_none(self, id: &str, command: &str) -> Option<String> {
        self.optional(&format!("{id}-in-{command}")).or_else(|| self.optional(id))
    }

    /// The text for this system.
    fn here(self, id: &str) -> Option<String> {
        let elsewhere = if cfg!(target_os = "linux") { None } else { self.optional(&format!("{id}-elsewhere")) };
        elsewhere.or_else(|| self.optional(id))
    }

    fn optional(self, id: &str) -> Option<String> {
        self.catalogue.has(id).then(|| self.catalogue.word(id))
    }
}

/// The text of `-h`: the first part of `help`, and its default. `--help` has all of it.
fn brief(help: &str) -> String {
    const ENDS: [&str; 6] = ["; ", ". ", ": ", "；", "。", "："];
    let (text, default) = match help.rfind('[') {
        Some(at) if help.ends_with(']') => help.split_at(at),
        _ => (help, ""),
    };
    let mut depth = 0;
    let end = text.char_indices().find_map(|(at, sign)| {
        match sign {
            '(' | '[' | '（' => depth += 1,
            ')' | ']' | '）' => depth -= 1,
            _ => {}
        }
        (depth == 0 && ENDS.iter().any(|end| text[at..].starts_with(end))).then_some(at)
    });
    let text = text[..end.unwrap_or(text.len())].trim_end();
    if default.is_empty() { text.to_owned() } else { format!("{text} {default}") }
}

/// A name of clap in the form of message ids.
fn kebab(name: &str) -> String {
    name.replace('_', "-").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    use std::collections::BTreeSet;

    use super::*;

    /// Collects the message ids for the help of `command` and its subcommands; of alternatives the first that
    /// exists.
    #[cfg(target_os = "linux")]
    fn needed(command: &Command, name: &str, catalogue: &Catalogue, into: &mut BTreeSet<String>) {
        let (is_root, of_options) = (name == ROOT, if name == ROOT { "explain" } else { name });
        into.insert(format!("command-{name}"));
        for part in ["long", "after"] {
            let id = format!("command-{name}-{part}");
            into.extend(catalogue.has(&id).then_some(id));
        }
        let first = |id: String| {
            let own = format!("{id}-in-{of_options}");
            if catalogue.has(&own) { own } else { id }
        };
        for arg in command.get_arguments() {
            let id = kebab(arg.get_id().as_str());
            into.insert(first(format!("option-{id}")));
            into.extend(arg.get_help_heading().map(|heading| format!("heading-option-{heading}")));
            if arg.get_action().takes_values() {
                let values = arg.get_possible_values();
                let ids = values.iter().map(|value| first(format!("value-{id}-{}", kebab(value.get_name()))));
                into.extend(ids.filter(|id| catalogue.has(id)));
            }
        }
        for below in command.get_subcommands() {
            let inner = if is_root { below.get_name().to_owned() } else { format!("{name}-{}", below.get_name()) };
            needed(below, &inner, catalogue, into);
        }
    }

    /// The command line and the catalogues must have the same options.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_command_line_has_all_of_its_words_and_no_others() {
        let catalogue = Catalogue::new(Language::English);
        let mut needed_ids = BTreeSet::new();
        needed(&Cli::command(), ROOT, &catalogue, &mut needed_ids);
        let missing: Vec<_> = needed_ids.iter().filter(|id| !catalogue.has(id)).collect();
        assert!(missing.is_empty() && needed_ids.len() > 200, "locales/*/help.ftl lacks {missing:#?}");
        let is_of_help = |id: &str| {
            let families = ["command-", "option-", "value-", "heading-option-"];
            families.iter().any(|family| id.starts_with(family)) && !id.ends_with("-elsewhere")
        };
        let all = catalogue.templates(is_of_help);
        let stale: Vec<_> = all.keys().filter(|id| !needed_ids.contains(*id)).collect();
        assert!(stale.is_empty(), "locales/*/help.ftl has what nothing needs: {stale:#?}");
    }

    /// A user who looks for an option reads two screens at most.
    #[test]
    fn short_help_has_a_hundred_lines_at_most() {
        for language in Language::ALL {
            let mut command = command(&Catalogue::new(language)).term_width(100);
            let lines = command.render_help().to_string().lines().count();
            assert!(lines <= 100, "{language:?}: {lines} lines");
        }
    }

    /// An option that was renamed would come back to `-h`.
    #[test]
    #[cfg(target_os = "linux")]
    fn rare_options_exist() {
        fn ids(command: &Command, into: &mut BTreeSet<String>) {
            into.extend(command.get_arguments().map(|arg| kebab(arg.get_id().as_str())));
            command.get_subcommands().for_each(|sub| ids(sub, into));
        }
        let mut known = BTreeSet::new();
        ids(&Cli::command(), &mut known);
        assert_eq!(RARE.iter().find(|id| !known.contains(**id)), None);
    }

    #[test]
    fn short_help_is_the_first_part_and_the_default() {
        assert_eq!(brief("Only these; repeatable"), "Only these");
        assert_eq!(brief("Round trip. More of it [default: 20ms]"), "Round trip [default: 20ms]");
        assert_eq!(brief("In UTC [default: local]. JSON always is"), "In UTC [default: local]");
        assert_eq!(brief("This one (`any`: all), now"), "This one (`any`: all), now");
        assert_eq!(brief("应为时间；可重复"), "应为时间");
        assert_eq!(brief("Everything"), "Everything");
    }

    /// If one value of an option has a help text, all have.
    #[test]
    #[cfg(target_os = "linux")]
    fn values_have_words_together() {
        fn check(command: &Command) {
            for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let have: BTreeSet<bool> =
                    arg.get_possible_values().iter().map(|value| value.get_help().is_some()).collect();
                assert!(have.len() < 2, "{}: {}", command.get_name(), arg.get_id());
            }
            command.get_subcommands().for_each(check);
        }
        check(&command(&Catalogue::new(Language::English)));
    }

    /// Options and settings that one language names must be in the other, too.
    #[test]
    fn options_are_named_in_every_language() {
        let is_of_help = |id: &str| ["command-", "option-", "value-"].iter().any(|family| id.starts_with(family));
        let texts = |language| Catalogue::new(language).templates(is_of_help);
        let english = texts(Language::English);
        for language in Language::ALL {
            let others = texts(language);
            for (id, text) in &english {
                let other = &others[id];
                for part in text.split(|sign: char| !(sign.is_ascii_alphanumeric() || "-_".contains(sign))) {
                    assert!(!part.starts_with("--") || other.contains(part), "{id}: {part} is not in {other}");
                }
            }
        }
    }

    /// Clap wraps longer lines within aligned columns.
    #[test]
    fn examples_fit_the_screen() {
        const WIDEST: usize = 100;
        fn wide(command: &Command, into: &mut Vec<String>) {
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let columns = |line: &str| line.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum::<usize>();
            into.extend(after.lines().filter(|line| columns(line) > WIDEST).map(str::to_owned));
            command.get_subcommands().for_each(|command| wide(command, into));
        }
        for language in Language::ALL {
            let mut lines = Vec::new();
            wide(&command(&Catalogue::new(language)), &mut lines);
            assert!(lines.is_empty(), "{lines:#?}");
        }
    }

    #[test]
    fn help_is_consistent() {
        for language in Language::ALL {
            command(&Catalogue::new(language)).debug_assert();
        }
    }
}
