//! `tcpwhy lab list`.

use std::io::{Write as _, stdout};
use std::process::ExitCode;

use anyhow::Result;
use tcpwhy_lab::scenario::bundled;

use super::args::ListArgs;
use crate::environment;

/// Lists the bundled scenarios.
pub(super) fn run(args: &ListArgs) -> Result<ExitCode> {
    let language = environment::language(args.output.lang);
    let mut out = stdout().lock();
    for scenario in bundled::all() {
        writeln!(out, "{:<24} {}", scenario.name, scenario.story.words(language.tag()).title)?;
    }
    Ok(ExitCode::SUCCESS)
}
