//! `--code`: the language or server for which the code of fixes is printed.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};
use tcpwhy_model::Program;
use tcpwhy_report::Code;

use crate::message::{Failure, failure};

/// The option of every subcommand that prints fixes.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct CodeArgs {
    #[arg(long, value_name = "PROGRAM", value_parser = CodeParser)]
    code: Option<CodeChoice>,
}

impl CodeArgs {
    /// The choice, by default the program that the capture suggests.
    pub(crate) fn code(self) -> Code {
        match self.code {
            None => Code::Suggested,
            Some(CodeChoice::All) => Code::All,
            Some(CodeChoice::For(program)) => Code::For(program),
        }
    }
}

/// The value of `--code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodeChoice {
    All,
    For(Program),
}

/// The code for the program that a client names.
pub(crate) fn code_for(name: &str) -> Result<Code, Failure> {
    Ok(CodeArgs { code: Some(a_choice(name)?) }.code())
}

/// The value that selects the code for all programs.
const ALL: &str = "all";

/// A choice, or an error on one line that names all of them.
fn a_choice(text: &str) -> Result<CodeChoice, Failure> {
    let text = text.to_ascii_lowercase();
    if text == ALL {
        return Ok(CodeChoice::All);
    }
    Program::from_id(&text).map(CodeChoice::For).ok_or_else(|| {
        let known: Vec<_> = names().collect();
        failure("code-unknown").with("known", known.join(", "))
    })
}

fn names() -> impl Iterator<Item = &'static str> {
    Program::ALL.iter().map(|program| program.id()).chain([ALL])
}

/// Shells complete the names; clap's own error would list them on a second line.
#[derive(Clone, Copy)]
struct CodeParser;

impl TypedValueParser for CodeParser {
    type Value = CodeChoice;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<CodeChoice, clap::Error> {
        TypedValueParser::parse_ref(&a_choice, command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_any_case_or_an_error_that_names_all() {
        assert_eq!(a_choice("Java"), Ok(CodeChoice::For(Program::Java)));
        assert_eq!(a_choice("all"), Ok(CodeChoice::All));
        for bad in ["", "jav", "cobol", "java,go"] {
            let error = a_choice(bad).unwrap_err().to_string();
            assert!(error.contains("nginx, ") && error.ends_with(", all") && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn nothing_typed_is_what_the_capture_suggests() {
        assert_eq!(CodeArgs::default().code(), Code::Suggested);
        assert_eq!(CodeArgs { code: Some(CodeChoice::For(Program::Go)) }.code(), Code::For(Program::Go));
    }
}
