//! How programs close their connection.

use tcpwhy_scenario::{End, Ending, Goodbye};

use super::parts::{READS, rest};
use crate::program::Step;

/// Steps of the program at `end` after all data was transferred; `client` is the end that sends requests.
pub(super) fn steps(ending: Option<Ending>, client: End, end: End) -> Vec<Step> {
    let to_end = Step::ReadAll { size: READS };
    let closes = || match end {
        End::Sender => vec![Step::Finish],
        End::Receiver => vec![to_end.clone()],
    };
    let closes_first = || match end {
        End::Sender => vec![Step::Finish],
        End::Receiver => vec![Step::Finish, to_end.clone()],
    };
    let closes_last = || match end {
        End::Sender => vec![to_end.clone(), Step::Finish],
        End::Receiver => vec![to_end.clone()],
    };
    match ending {
        // A reset has already ended the connection.
        None | Some(Ending::Reset(_)) => closes(),
        Some(Ending::Goodbye(Goodbye { by, after, bytes })) if by == end => {
            rest(after).into_iter().chain([Step::Write(bytes.0)]).chain(closes_first()).collect()
        }
        Some(Ending::Goodbye(Goodbye { bytes, .. })) => {
            [Step::Read { bytes: bytes.0, size: bytes.0 }].into_iter().chain(closes_last()).collect()
        }
        // The client waits for an answer that does not come.
        Some(Ending::Unanswered(unanswered)) if client == end => {
            [Step::Patience(unanswered.patience.0)].into_iter().chain(closes_first()).collect()
        }
        Some(Ending::Unanswered(_)) => closes_last(),
    }
}
