//! Words for failures of live connections.

use tcpwhy_model::OutcomeKind;
use tcpwhy_watch::{LiveConnection, LiveOutcome};

use super::process_name;
use crate::{Args, Wording};

/// The message id of the words.
fn word(kind: OutcomeKind) -> String {
    format!("live-outcome-{}", kind.id().replace('_', "-"))
}

impl Wording<'_> {
    /// A word or two for a failure.
    pub fn outcome(self, kind: OutcomeKind) -> String {
        self.catalogue().word(&word(kind))
    }
}

/// The failure of `connection` as a sentence with its numbers.
pub(crate) fn about_outcome(connection: &LiveConnection, outcome: &LiveOutcome, wording: Wording<'_>) -> String {
    let form = if outcome.queue.is_some() { "queued" } else { "about" };
    sentence(form, connection, outcome, wording)
}

/// The next step after the failure.
pub(crate) fn after_outcome(connection: &LiveConnection, outcome: &LiveOutcome, wording: Wording<'_>) -> String {
    sentence("next", connection, outcome, wording)
}

fn sentence(form: &str, connection: &LiveConnection, outcome: &LiveOutcome, wording: Wording<'_>) -> String {
    let units = wording.units();
    let [sent, received] = outcome.moved.map(|bytes| units.bytes(bytes));
    let queue = outcome.queue.unwrap_or_default();
    let args = Args::new()
        .text("process", process_name(connection, wording))
        .text("peer", connection.peer().to_string())
        .text("port", connection.local().port.map_or_else(|| "-".to_owned(), |port| port.to_string()))
        .text("time", units.nanos(outcome.after))
        .text("sent", sent)
        .text("received", received)
        .text("waiting", units.bytes(outcome.under_way))
        .text("unread", units.bytes(connection.socket().receive_queue))
        .number("timeouts", outcome.timeouts)
        .number("queued", queue.waiting)
        .number("most", queue.most);
    wording.catalogue().text(&format!("{}-{form}", word(outcome.kind)), &args)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;
    use tcpwhy_model::host::{SocketSample, TcpState};
    use tcpwhy_model::live::{KernelSample, SocketKey};
    use tcpwhy_watch::{AcceptQueue, LiveHost};

    use super::*;
    use crate::{Catalogue, Language};

    /// Each sentence contains its numbers, each next step is short, and no word is missing.
    #[test]
    fn each_outcome_has_sentences() {
        let mut host = LiveHost::new();
        let socket = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
        host.observe(KernelSample { time: Timestamp::ZERO, key: SocketKey::default(), socket });
        let connection = host.connections().next().unwrap();
        let queue = Some(AcceptQueue { waiting: 5, most: 128 });
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            let wording = Wording::new(&catalogue);
            let all =
                OutcomeKind::ALL.map(|kind| (kind, None)).into_iter().chain([(OutcomeKind::NeverAccepted, queue)]);
            for (kind, queue) in all {
                let (after, moved, under_way) = (2_500_000_000, [1000, 2000], 300);
                let outcome = LiveOutcome { kind, after, moved, under_way, timeouts: 4, queue };
                let about = about_outcome(connection, &outcome, wording);
                let next = after_outcome(connection, &outcome, wording);
                assert!(about.chars().any(|c| c.is_ascii_digit()), "{about}");
                assert!(about.contains("128") == queue.is_some(), "{about}");
                for text in [&about, &next, &wording.outcome(kind)] {
                    assert!(!text.contains(['⟨', '{']) && text.split_whitespace().count() <= 30, "{text}");
                }
            }
        }
    }
}
