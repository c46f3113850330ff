//! Replacement on systems that cannot watch the host.

use tcpwhy_report::{Anonymizer, Catalogue};

use super::host_calls::{AuditCall, LiveCall};
use super::work::Work;
use crate::message::failure;
use crate::wrong::{Result, bail};

/// Never created on this system.
pub(super) enum HostProcess {}

impl HostProcess {
    /// Whether this system can be watched.
    pub(super) const IS_POSSIBLE: bool = false;

    pub(super) fn start(_: &Catalogue, _: Option<&Anonymizer>) -> Result<Self> {
        bail!(failure("live-elsewhere"))
    }

    pub(super) fn live(&self, _: &LiveCall, _: &Work) -> Result<String> {
        match *self {}
    }

    pub(super) fn audit(&self, _: &AuditCall, _: &Work) -> Result<String> {
        match *self {}
    }
}
