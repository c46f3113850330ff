//! How a connection failed, in words.

use tcpwhy_model::OutcomeKind;
use tcpwhy_watch::{LiveConnection, LiveOutcome};

use super::process_name;
use crate::{Args, Wording};

/// The id of its words.
fn word(kind: OutcomeKind) -> String {
    format!("live-outcome-{}", kind.id().replace('_', "-"))
}

impl Wording<'_> {
    /// A word or two for how a connection failed.
    pub fn outcome(self, kind: OutcomeKind) -> String {
        self.catalogue().word(&word(kind))
    }
}

/// How `connection` failed, as a sentence with its numbers.
pub(crate) fn about_outcome(connection: &LiveConnection, outcome: &LiveOutcome, wording: Wording<'_>) -> String {
    let form = if outcome.queue.is_some() { "queued" } else { "about" };
    sentence(form, connection, outcome, wording)
}

/// What to do next about it.
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
