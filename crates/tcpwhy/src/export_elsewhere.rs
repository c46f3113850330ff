//! `tcpwhy export` on systems without it: an error.

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

/// Fails: this system does not support it.
pub(crate) fn run(_: &ExportArgs) -> Result<ExitStatus> {
    bail!(failure("export-elsewhere"))
}
