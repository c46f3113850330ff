//! `tcpwhy lab` on systems without it: an error.

use std::ffi::OsString;

use clap::Args;

use crate::exit::ExitStatus;
use crate::message::failure;
use crate::wrong::{Result, bail};

/// Arguments of `tcpwhy lab`.
#[derive(Debug, Args)]
pub(crate) struct LabArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// Fails: this system does not support it.
pub(crate) fn run(_: &LabArgs) -> Result<ExitStatus> {
    bail!(failure("lab-elsewhere"))
}
