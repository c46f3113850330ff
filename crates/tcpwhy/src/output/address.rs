//! Rejects output paths that are addresses. As a path, `s3://bucket/x` would be a local folder `s3:`, but the
//! user expects the file in a store.

use clap::{Arg, ArgMatches, Command};
use tcpwhy_model::foreign::visible_name;

use super::options::WRITTEN;
use crate::message::{Failure, failure};

/// Least letters of a scheme: a single letter is a Windows drive.
const SCHEME_LEAST: usize = 2;

/// The error for the first output in the `matches` of `command` that is an address.
pub(crate) fn refusal(command: &Command, matches: &ArgMatches) -> Option<Failure> {
    refusal_below(command, matches, "")
}

fn refusal_below(command: &Command, matches: &ArgMatches, words: &str) -> Option<Failure> {
    let is_output = |arg: &&Arg| WRITTEN.iter().any(|(at, name)| *at == words && is_called(arg, name));
    let values = command.get_arguments().filter(is_output).filter_map(|arg| {
        let values = matches.try_get_raw(arg.get_id().as_str()).ok().flatten();
        values.and_then(|mut values| values.find(|value| value.to_str().is_some_and(is_address)))
    });
    if let Some(value) = values.into_iter().next() {
        return Some(failure("output-address").with("address", visible_name(value)));
    }
    let (name, matches) = matches.subcommand()?;
    // `explain` has the same options as the program itself.
    let below = if name == "explain" { words.to_owned() } else { format!("{words} {name}").trim_start().to_owned() };
    refusal_below(command.find_subcommand(name)?, matches, &below)
}

/// Whether `arg` has this name in [`WRITTEN`].
fn is_called(arg: &Arg, name: &str) -> bool {
    match (name.strip_prefix("--"), arg.get_long()) {
        (Some(long), Some(own)) => own == long,
        (None, None) => arg.get_value_names().and_then(<[_]>::first).is_some_and(|first| first.as_str() == name),
        _ => false,
    }
}

/// Whether `path` begins with a scheme (RFC 3986 §3.1) and a slash. The tables have their own check.
fn is_address(path: &str) -> bool {
    path.split_once(":/").is_some_and(|(scheme, _)| {
        scheme.len() >= SCHEME_LEAST
            && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|other| other.is_ascii_alphanumeric() || "+-.".contains(other))
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn a_scheme_and_a_slash_are_an_address() {
        for address in ["s3://x/y", "hdfs:/x", "gs://b", "file:///t", "S3:/x", "abfs+x://y"] {
            assert!(is_address(address), "{address}");
        }
        for path in ["t", "-", "/a:/b", "s3:", "C:/x", "a/b://c", "./s3://x", "://x", "2a:/x", "a b:/c", "s3:x"] {
            assert!(!is_address(path), "{path}");
        }
    }

    /// Each option that writes rejects an address, and no other option does.
    #[test]
    fn each_output_refuses_an_address() {
        for (words, name) in WRITTEN {
            // Required arguments are omitted here.
            let mut command = Cli::command().ignore_errors(true);
            command.build();
            let start = Some(&command);
            let found = words.split_whitespace().fold(start, |at, word| at?.find_subcommand(word)).unwrap();
            let arg = found.get_arguments().find(|arg| is_called(arg, name));
            let arg = arg.unwrap_or_else(|| panic!("{words} {name}"));
            let value = |path: &str| match arg.get_long() {
                Some(long) => vec![format!("--{long}={path}")],
                None => vec![path.to_owned()],
            };
            let refused = |path: &str| {
                let typed = words.split_whitespace().map(str::to_owned).chain(value(path));
                let typed: Vec<_> = std::iter::once("tcpwhy".to_owned()).chain(typed).collect();
                let matches = command.clone().try_get_matches_from(typed).unwrap();
                refusal(&command, &matches).map(|failure| failure.to_string())
            };
            let said = refused("s3://bucket/x").unwrap_or_else(|| panic!("{words} {name} is written"));
            assert!(said.contains("s3://bucket/x") && !said.contains('\n'), "{said}");
            assert_eq!(refused("x"), None, "{words} {name}");
        }
    }
}
