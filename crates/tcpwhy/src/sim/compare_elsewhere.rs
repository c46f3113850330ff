//! `tcpwhy sim compare` on systems without the lab: an error.

use super::args::CompareArgs;
use crate::exit::ExitStatus;
use crate::message::failure;
use crate::wrong::{Result, bail};

/// Fails: this system does not support it.
pub(super) fn run(_: &CompareArgs) -> Result<ExitStatus> {
    bail!(failure("lab-elsewhere"))
}
