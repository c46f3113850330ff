//! `tcpwhy`: from a capture to the cause. The command line around the tcpwhy crates.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod args;
mod audit;
mod buffers;
mod environment;
mod exit;
mod explain;
mod filter;
mod gate;
mod inputs;
mod lab;
mod numbering;
mod original;
mod output;
mod pipeline;
mod progress;
mod reference;
mod second_look;
mod serve;
mod size;
mod stretch;

use crate::exit::ExitStatus;
use std::io;

use clap::Parser as _;

use crate::args::{Cli, Command};

/// The system's own makes threads wait for each other where one frees what another allocated, and grows a thread's heap by a
/// page at a time: a fourth of the time on a capture of thousands of connections with glibc 2.36. This one asks for huge pages: a
/// tenth of the time there was spent on fresh small ones. Its version 3 takes a larger block than it is asked for whenever the
/// size is no power of two (`mi_malloc_is_naturally_aligned`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Exit status of an error; 1 is `--fail-on`'s.
const EXIT_ERROR: u8 = 2;

fn main() -> ! {
    let cli = Cli::parse();
    let result = match &cli.command {
        None => explain::run(&cli.explain),
        Some(Command::Explain(args)) => explain::run(args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Rules(args)) => reference::rules(args),
        Some(Command::Buffers(args)) => buffers::run(args),
        Some(Command::Audit(args)) => audit::run(args),
        Some(Command::Lab(args)) => lab::run(args),
        Some(Command::Schema { of }) => reference::schema(*of),
        Some(Command::Completions { shell }) => reference::completions(*shell),
        Some(Command::Man) => reference::man(),
    };
    let status = match result {
        Ok(status) => status,
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitStatus::SUCCESS,
        Err(error) => {
            eprintln!("tcpwhy: {error:#}");
            ExitStatus::from(EXIT_ERROR)
        }
    };
    status.leave()
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io_error = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json_error = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io_error.or(json_error) == Some(io::ErrorKind::BrokenPipe)
    })
}
