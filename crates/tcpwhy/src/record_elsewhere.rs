//! `tcpwhy record` on systems without it: an error.

use std::ffi::OsString;

use clap::Args;

use crate::exit::ExitStatus;
use crate::message::failure;
use crate::wrong::{Result, bail};

/// Arguments of `tcpwhy record`.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// Fails: this system does not support it.
pub(crate) fn run(_: &RecordArgs) -> Result<ExitStatus> {
    bail!(failure("record-elsewhere"))
}
