//! Runs every option of every command and checks its output.
//!
//! The list of options comes from `tcpwhy completions bash`, which clap generates from the command line. An
//! option that no table here contains fails [`every_option_is_run`], and so does one in a table that no
//! longer exists.
//!
//! Rows that need namespaces or the lab run only if these are permitted, as in `tests/record.rs` and
//! `tests/lab.rs`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[path = "options/mod.rs"]
mod options;
#[allow(dead_code, reason = "not all captures are used here")]
mod support;

use std::collections::BTreeSet;

use options::{Row, captures, commands, host, lab, socket};
use support::tcpwhy;

/// Every command with its long and short options.
fn command_line() -> BTreeSet<(String, String)> {
    let script = tcpwhy().args(["completions", "bash"]).output().unwrap();
    let script = String::from_utf8(script.stdout).unwrap();
    let mut all = BTreeSet::new();
    let mut command = None;
    for line in script.lines().map(str::trim) {
        // Parses `tcpwhy__subcmd__lab__subcmd__run)`, followed by `opts="-q -h --out … list show"`.
        if let Some(name) = line.strip_suffix(')').filter(|name| name.starts_with("tcpwhy") && !name.contains(',')) {
            let words: Vec<_> = name.split("__subcmd__").skip(1).collect();
            command = Some(words.join(" "));
        } else if let Some(options) = line.strip_prefix("opts=\"").and_then(|rest| rest.strip_suffix('"')) {
            let Some(command) = command.take() else { continue };
            let options = options.split_whitespace().filter(|word| word.starts_with('-'));
            all.extend(options.map(|option| (command.clone(), option.to_owned())));
        }
    }
    all
}

/// Commands that the program starts itself as processes of the lab; they have no help.
const INTERNAL: [&str; 2] = ["lab cell", "lab guardian"];

fn rows() -> Vec<Row> {
    let tables = [captures::rows(), commands::rows(), host::rows(), lab::rows(), socket::rows()];
    tables.into_iter().flatten().collect()
}

#[test]
fn every_option_is_run() {
    let wanted: BTreeSet<_> =
        command_line().into_iter().filter(|(command, _)| !INTERNAL.contains(&command.as_str())).collect();
    assert!(wanted.len() > 300, "{wanted:?}");
    let mut run = BTreeSet::new();
    for row in rows() {
        for command in row.commands() {
            run.extend(row.options().map(|option| (command.to_owned(), option.to_owned())));
        }
    }
    // `every_help_names_its_options` runs these options for each command.
    for (command, _) in &wanted {
        run.extend(["-h", "--help"].map(|option| (command.clone(), option.to_owned())));
    }
    let lacking: Vec<_> = wanted.difference(&run).collect();
    assert!(lacking.is_empty(), "no test runs {lacking:#?}");
    let gone: Vec<_> = run.difference(&wanted).collect();
    assert!(gone.is_empty(), "there is no {gone:#?}");
}

/// The command line of a row contains the options that the row claims to test.
#[test]
fn rows_run_what_they_claim() {
    for row in rows() {
        for option in row.options() {
            let is_there = row.arguments.split_whitespace().any(|word| word.split('=').next() == Some(option));
            assert!(is_there, "{}: {option}", row.arguments);
        }
    }
}

/// Hidden options for scripts, which the help of other options describes.
const NOT_IN_HELP: [&str; 3] = ["--anonymize-key", "--os", "--version"];

#[test]
fn every_help_names_its_options() {
    let all = command_line();
    let commands: BTreeSet<_> = all.iter().map(|(command, _)| command.clone()).collect();
    assert!(commands.len() > 20, "{commands:?}");
    for command in &commands {
        let help = |option: &str| {
            let output = tcpwhy().args(command.split_whitespace()).arg(option).output().unwrap();
            assert!(output.status.success() && output.stderr.is_empty(), "{command} {option}: {output:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        let (short, long) = (help("-h"), help("--help"));
        for text in [&short, &long] {
            assert!(text.contains("Usage: tcpwhy"), "{command}: {text}");
        }
        if INTERNAL.contains(&command.as_str()) {
            continue;
        }
        for (_, option) in all.iter().filter(|(of, option)| of == command && option.starts_with("--")) {
            assert!(long.contains(option.as_str()) || NOT_IN_HELP.contains(&option.as_str()), "{command}: {option}");
        }
    }
}

#[test]
fn options_of_explain() {
    options::run(&captures::rows());
}

#[test]
fn options_of_commands_without_rights() {
    options::run(&commands::rows());
}

#[test]
fn options_about_this_host() {
    options::run(&host::rows());
}

#[test]
fn options_that_listen() {
    options::run(&socket::rows());
}

#[test]
fn options_of_the_lab() {
    options::run(&lab::rows());
}
