//! All data that a run has collected.

use tcpwhy_model::Timestamp;

use super::blocked::BlockedFrom;
use super::counted::Counted;
use crate::EmulatorReport;
use crate::capture::Captured;
use crate::sampler::Sample;
use crate::work::Log;
use tcpwhy_scenario::Scenario;

/// All data that a run has collected.
#[derive(Debug)]
pub(crate) struct Notes<'a> {
    pub(crate) scenario: &'a Scenario,
    /// The logs of the sender and the receiver.
    pub(crate) logs: &'a [Log; 2],
    pub(crate) samples: &'a [Vec<Sample>; 2],
    pub(crate) blocked_from: BlockedFrom,
    pub(crate) captures: [Captured; 2],
    pub(crate) emulator: EmulatorReport,
    pub(crate) counted: Counted,
    /// Time of the first frame at either end.
    pub(crate) begun: Timestamp,
    pub(crate) kernel: String,
}
