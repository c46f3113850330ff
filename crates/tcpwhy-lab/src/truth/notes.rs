//! All that a run has noted.

use tcpwhy_model::Timestamp;

use super::blocked::BlockedFrom;
use super::counted::Counted;
use crate::EmulatorReport;
use crate::capture::Captured;
use crate::sampler::Sample;
use crate::work::Log;
use tcpwhy_scenario::Scenario;

/// All that a run has noted.
#[derive(Debug)]
pub(crate) struct Notes<'a> {
    pub(crate) scenario: &'a Scenario,
    /// The sender's and the receiver's.
    pub(crate) logs: &'a [Log; 2],
    pub(crate) samples: &'a [Vec<Sample>; 2],
    pub(crate) blocked_from: BlockedFrom,
    pub(crate) captures: [Captured; 2],
    pub(crate) emulator: EmulatorReport,
    pub(crate) counted: Counted,
    /// When the first frame passed either end.
    pub(crate) begun: Timestamp,
    pub(crate) kernel: String,
}
