//! `tcpwhy`: finds the cause of a limit in a capture. This crate is the command line around the tcpwhy
//! crates.

#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, reason = "they panic when the stream cannot be written")
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod anonymize;
mod args;
mod audit;
mod buffers;
mod certainty;
mod code_args;
mod command_line;
mod compare;
mod damage;
mod environment;
mod exit;
mod explain;
mod explain_args;
mod explainer;
#[cfg(target_os = "linux")]
mod export;
#[cfg(not(target_os = "linux"))]
#[path = "export_elsewhere.rs"]
mod export;
mod gates;
mod help;
mod http;
mod inputs;
#[cfg(target_os = "linux")]
mod interface;
#[cfg(not(target_os = "linux"))]
#[path = "interface_elsewhere.rs"]
mod interface;
#[cfg(unix)]
mod interruptible;
#[cfg(not(unix))]
#[path = "interruptible_elsewhere.rs"]
mod interruptible;
#[cfg(target_os = "linux")]
mod lab;
#[cfg(not(target_os = "linux"))]
#[path = "lab_elsewhere.rs"]
mod lab;
mod last_word;
mod letters;
#[cfg(target_os = "linux")]
mod live;
#[cfg(not(target_os = "linux"))]
#[path = "live_elsewhere.rs"]
mod live;
mod look_args;
mod many;
mod mcp;
#[cfg(feature = "fast-memory")]
mod memory;
mod message;
mod mistyped;
mod moment;
mod names;
mod number;
mod original;
mod output;
mod overwrite_args;
mod pool;
mod predicate;
mod predict;
mod progress;
#[cfg(target_os = "linux")]
mod record;
#[cfg(not(target_os = "linux"))]
#[path = "record_elsewhere.rs"]
mod record;
mod reference;
mod rights;
mod scenarios;
mod second_look;
mod serve;
mod sim;
mod size;
mod standard_output;
mod stretch;
mod value;
#[cfg(target_os = "linux")]
mod watching;
mod when;
mod wrong;

use std::io::{self, Write as _};

use crate::args::{Cli, Command};
use crate::command_line::{Refused, Usage};
use crate::exit::{EXIT_ERROR, ExitStatus};
#[cfg(feature = "fast-memory")]
use crate::memory::Memory;
use crate::standard_output::{check_open, named, stdout};
use crate::wrong::Result;

#[cfg(feature = "fast-memory")]
#[global_allocator]
static MEMORY: Memory = Memory;

fn main() -> ! {
    outlive_full_files();
    let result = match Cli::from_command_line() {
        Ok(cli) => run(&cli).and_then(|status| {
            // Unwritten output would otherwise be lost without an error.
            stdout().flush()?;
            Ok(status)
        }),
        Err(Refused::Usage(said)) => say_usage(&said),
        Err(Refused::Mistyped(failure)) => Err(failure.into()),
    };
    let status = match result {
        Ok(status) => status,
        // The reader closed the pipe, for example `head`.
        Err(error) if error.io_kind() == Some(io::ErrorKind::BrokenPipe) => ExitStatus::SUCCESS,
        Err(error) => {
            last_word::take();
            message::say(error.sentence());
            ExitStatus::from(EXIT_ERROR)
        }
    };
    status.leave()
}

/// Turns the file size limit (`ulimit -f`) into an error of the write, `EFBIG`. By default its signal ends
/// the process without a message or an exit status of tcpwhy. The signal is handled and not ignored, because
/// started programs would inherit an ignored one.
fn outlive_full_files() {
    #[cfg(unix)]
    {
        // Without the handler, everything else still works.
        let _ = signal_hook::flag::register(libc::SIGXFSZ, std::sync::Arc::default());
    }
}

fn run(cli: &Cli) -> Result<ExitStatus> {
    match &cli.command {
        None => explain::run(&cli.explain),
        Some(Command::Explain(args)) => explain::run(args),
        Some(Command::Compare(args)) => compare::run(args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Rules(args)) => reference::rules(args),
        Some(Command::Buffers(args)) => buffers::run(args),
        Some(Command::Audit(args)) => audit::run(args),
        Some(Command::Lab(args)) => lab::run(args),
        Some(Command::Sim(args)) => sim::run(args),
        Some(Command::Predict(args)) => predict::run(args),
        Some(Command::Live(args)) => live::run(args),
        Some(Command::Record(args)) => record::run(args),
        Some(Command::Export(args)) => export::run(args),
        Some(Command::Mcp(args)) => mcp::run(args),
        Some(Command::Schema { of }) => reference::schema(*of),
        Some(Command::Completions { shell, words }) => reference::completions(*shell, words.language()),
        Some(Command::Man { folder, overwrite, words, quiet }) => {
            reference::man(folder.as_deref(), overwrite.overwrite, words.language(), *quiet)
        }
    }
}

/// Prints help, the version or a usage error.
fn say_usage(said: &Usage) -> Result<ExitStatus> {
    if said.error.use_stderr() {
        // An unwritable message is no reason to fail differently.
        let _ = match said.text() {
            Some(text) => io::stderr().write_all(text.as_bytes()),
            None => said.error.print(),
        };
        return Ok(ExitStatus::from(EXIT_ERROR));
    }
    check_open()?;
    said.error.print().map_err(named)?;
    Ok(ExitStatus::SUCCESS)
}
