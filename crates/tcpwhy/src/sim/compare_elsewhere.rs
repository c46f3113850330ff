//! `tcpwhy sim compare` where the lab cannot be: it says so.

use anyhow::{Result, bail};

use super::args::CompareArgs;
use crate::exit::ExitStatus;
use crate::message::failure;

/// Says that it cannot be done here.
pub(super) fn run(_: &CompareArgs) -> Result<ExitStatus> {
    bail!(failure("lab-elsewhere"))
}
