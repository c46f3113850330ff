//! `tcpwhy export` where it cannot be: it says so.

use std::ffi::OsString;

use clap::Args;

use crate::exit::ExitStatus;
use crate::message::failure;
use crate::wrong::{Result, bail};

/// Arguments of `tcpwhy export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// Says that it cannot be done here.
pub(crate) fn run(_: &ExportArgs) -> Result<ExitStatus> {
    bail!(failure("export-elsewhere"))
}
