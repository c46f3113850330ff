//! `tcpwhy lab` where it cannot be: it says so.

use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::Args;

use crate::exit::ExitStatus;

/// Under the help.
pub(crate) const EXAMPLES: &str = "\
It needs Linux: namespaces, TAP devices and the counters of its kernel. In a virtual machine it works as well.
What it found out can be read everywhere: the case book, https://github.com/tcpwhy/tcpwhy/tree/main/docs/cases";

/// Arguments of `tcpwhy lab`.
#[derive(Debug, Args)]
pub(crate) struct LabArgs {
    /// Whatever would be asked for on Linux
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// Says that it cannot be done here.
pub(crate) fn run(_: &LabArgs) -> Result<ExitStatus> {
    bail!("lab runs transfers on the Linux kernel, and this is not Linux; `tcpwhy lab --help` says more")
}
