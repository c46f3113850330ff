//! How a connection had to end, and what the analysis reports of it.

use tcpwhy_analysis::{Connection, Ending, HalfConnection};
use tcpwhy_lab::scenario::ExpectedOutcome;
use tcpwhy_report::lab::{LabEnding, LabOutcome, ReportedEnding};

/// What is reported of the end of `connection`, whose direction in question is `half`, beside what the
/// scenario expects.
pub(crate) fn compared(expected: ExpectedOutcome, connection: &Connection, half: &HalfConnection) -> LabOutcome {
    let expected = match expected {
        ExpectedOutcome::Closed => LabEnding::Closed,
        ExpectedOutcome::ResetBySender => LabEnding::ResetBySender,
        ExpectedOutcome::ResetByReceiver => LabEnding::ResetByReceiver,
        ExpectedOutcome::Unanswered => LabEnding::Unanswered,
    };
    let reported = match (expected, connection.ending) {
        // The analysis knows unanswered SYNs, and no unanswered requests.
        (LabEnding::Unanswered, _) => ReportedEnding::NotReported,
        (_, Ending::Reset(side)) if side == half.sender => ReportedEnding::Ended(LabEnding::ResetBySender),
        (_, Ending::Reset(_)) => ReportedEnding::Ended(LabEnding::ResetByReceiver),
        (_, Ending::Closed) => ReportedEnding::Ended(LabEnding::Closed),
        (_, Ending::HalfClosed | Ending::Open | Ending::Unanswered | Ending::Refused) => ReportedEnding::Open,
    };
    LabOutcome { expected, reported }
}
