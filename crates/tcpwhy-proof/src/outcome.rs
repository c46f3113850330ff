//! The expected end of a connection, and the reported one.

use tcpwhy_analysis::{Connection, Ending, HalfConnection};
use tcpwhy_report::lab::{LabEnding, LabOutcome, ReportedEnding};
use tcpwhy_scenario::ExpectedOutcome;

/// The reported end of `connection`, whose direction `half` is examined, together with the end that the
/// scenario expects.
pub(crate) fn compared(expected: ExpectedOutcome, connection: &Connection, half: &HalfConnection) -> LabOutcome {
    let expected = match expected {
        ExpectedOutcome::Closed => LabEnding::Closed,
        ExpectedOutcome::ResetBySender => LabEnding::ResetBySender,
        ExpectedOutcome::ResetByReceiver => LabEnding::ResetByReceiver,
        ExpectedOutcome::Unanswered => LabEnding::Unanswered,
    };
    let is_unanswered = connection.failure().is_some_and(|finding| finding.rule == "request-unanswered");
    let reported = match connection.ending {
        // A request without an answer ends by a close from both ends, so it is checked first.
        _ if is_unanswered => ReportedEnding::Ended(LabEnding::Unanswered),
        Ending::Reset(side) if side == half.sender => ReportedEnding::Ended(LabEnding::ResetBySender),
        Ending::Reset(_) => ReportedEnding::Ended(LabEnding::ResetByReceiver),
        Ending::Closed => ReportedEnding::Ended(LabEnding::Closed),
        Ending::HalfClosed | Ending::Open | Ending::Unanswered | Ending::Refused | Ending::Incomplete => {
            ReportedEnding::Open
        }
    };
    LabOutcome { expected, reported }
}
