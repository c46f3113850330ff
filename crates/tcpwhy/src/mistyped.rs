//! Misspelt names of commands, which would otherwise be reported as missing files.

use std::ffi::OsStr;
use std::path::Path;

use clap::CommandFactory as _;
use tcpwhy_model::foreign::visible_name;

use crate::args::Cli;
use crate::letters::errors;
use crate::message::{Failure, failure};

/// One typing error for so many letters of the command: one in `lvie`, two in `epxlian`.
const LETTERS_PER_ERROR: usize = 3;

/// The error for `word` in the place of a command, if it resembles a command and is not a file.
pub(crate) fn command(word: &OsStr, is_file: impl Fn(&Path) -> bool) -> Option<Failure> {
    let text = word.to_str()?.to_lowercase();
    let command = Cli::command();
    let names: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
    if text.starts_with('-') || names.contains(&text.as_str()) || is_file(Path::new(word)) {
        return None;
    }
    let near = |name: &&&str| errors(&text, name) <= name.len() / LETTERS_PER_ERROR;
    let meant = names.iter().filter(near).min_by_key(|name| errors(&text, name))?;
    Some(failure("command-similar").with("word", visible_name(word)).with("near", (*meant).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(word: &str, is_file: bool) -> Option<String> {
        command(OsStr::new(word), |_| is_file).map(|failure| failure.to_string())
    }

    #[test]
    fn a_command_typed_wrongly_is_asked_for() {
        for (word, meant) in [
            ("explian", "explain"),
            ("Explane", "explain"),
            ("lvie", "live"),
            ("audti", "audit"),
            ("record2", "record"),
            ("buffer", "buffers"),
            ("servee", "serve"),
            ("expotr", "export"),
            ("lib", "lab"),
        ] {
            let said = said(word, false).unwrap_or_default();
            assert!(said.contains(&format!("`{meant}`")), "{word}: {said}");
        }
    }

    #[test]
    fn files_and_other_words_are_left_alone() {
        assert_eq!(said("explian", true), None);
        for word in ["explain", "live", "a.pcap", "mop3", "--json", "-", "capture", "/tmp/lib", "live.pcap"] {
            assert_eq!(said(word, false), None, "{word}");
        }
    }
}
