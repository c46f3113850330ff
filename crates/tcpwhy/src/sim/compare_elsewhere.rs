//! `tcpwhy sim compare` where the lab cannot be: it says so.

use super::args::CompareArgs;
use crate::exit::ExitStatus;
use crate::message::failure;
use crate::wrong::{Result, bail};

/// Says that it cannot be done here.
pub(super) fn run(_: &CompareArgs) -> Result<ExitStatus> {
    bail!(failure("lab-elsewhere"))
}
