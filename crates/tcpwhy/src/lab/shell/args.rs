//! Command-line arguments of `tcpwhy lab shell`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use crate::lab::output_args::PlainOutputArgs;
use crate::lab::permission::PermissionArgs;

/// Arguments of `tcpwhy lab shell`.
#[derive(Debug, Args)]
pub(crate) struct ShellArgs {
    #[arg(value_name = "SCENARIO")]
    pub(crate) target: String,

    #[arg(long, value_name = "END", default_value = "sender", help_heading = "run")]
    pub(crate) end: ShellEnd,

    #[arg(long, value_name = "USER", help_heading = "run")]
    pub(crate) user: Option<String>,

    #[command(flatten)]
    pub(crate) permission: PermissionArgs,

    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,

    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// An end of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShellEnd {
    Sender,
    Receiver,
}

impl From<ShellEnd> for tcpwhy_scenario::End {
    fn from(typed: ShellEnd) -> Self {
        match typed {
            ShellEnd::Sender => Self::Sender,
            ShellEnd::Receiver => Self::Receiver,
        }
    }
}
