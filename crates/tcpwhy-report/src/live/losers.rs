//! The sentence about all listed connections: how many lose time, and which one loses the most.

use tcpwhy_analysis::{Role, leading_finding};
use tcpwhy_model::{Cause, OutcomeKind, Severity};
use tcpwhy_watch::{End, LiveConnection, Loser, Losers};

use super::{after_outcome, process_name};
use crate::kebab::kebab;
use crate::{Args, Site, Wording};

/// The effect of a key on the connection that the sentence names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The connection is selected on the screen: Enter shows it.
    Enter,
    /// The connection is not selected.
    None,
}

/// The sentence, such as `3 of 412 connections lose time; nginx :443 to 10.0.0.7 waits for its reader, 41.2
/// of 60.0 s`. Indexes in `losers` refer to `connections` and `sockets`.
pub fn losers_sentence(
    losers: &Losers,
    sockets: &[End],
    connections: &[&LiveConnection],
    reach: impl FnOnce(&LiveConnection) -> Reach,
    wording: Wording<'_>,
) -> Option<String> {
    let (words, units) = (wording.catalogue(), wording.units());
    let args = Args::new().number("count", losers.connections).number("losing", losers.losing);
    if losers.connections == 0 {
        return None;
    }
    // Failures are more severe than slowness.
    if let Some((index, kind, of_kind)) = losers.gravest.filter(|found| found.1.severity() == Severity::Critical) {
        let args = args
            .number("failed", losers.failed)
            .number("alike", of_kind)
            .text("who", who_failed(connections[index], kind, wording))
            .text("how", wording.outcome(kind));
        let id = match reach(connections[index]) {
            Reach::Enter => "live-losers-failed-enter",
            Reach::None => "live-losers-failed",
        };
        return Some(words.text(id, &args));
    }
    let (connection, args) = match losers.most {
        None => {
            let Some((index, nanos)) = losers.at_peer else { return Some(words.text("live-losers-none", &args)) };
            let watched = sockets[index].tally.watched();
            let args = args
                .text("who", who(connections[index], wording))
                .text("held", units.part_of(nanos as f64 / 1e9, watched as f64 / 1e9));
            return Some(words.text("live-losers-at-peer", &args));
        }
        Some(Loser::One { index, cause, nanos, of_limit }) => {
            let watched = sockets[index].tally.watched();
            // A sentence about a limit without a detail has the seconds of all its details.
            let (waits, held) = match waits_in_form(cause, wording) {
                Some(waits) => (waits, nanos),
                None => (words.word(&waits_id(cause)), of_limit),
            };
            let args = args
                .text("who", who(connections[index], wording))
                .text("waits", waits)
                .text("held", units.part_of(held as f64 / 1e9, watched as f64 / 1e9));
            (connections[index], args)
        }
        Some(Loser::Many { index, repeated }) => {
            let args = args
                .text("who", who(connections[index], wording))
                .number("repeated", repeated.connections)
                .text("handshakes", units.nanos(repeated.handshakes));
            let id = if repeated.asks_once() { "live-losers-requests" } else { "live-losers-many" };
            return Some(words.text(id, &args));
        }
    };
    let id = match reach(connection) {
        Reach::Enter => "live-losers-enter",
        Reach::None => "live-losers",
    };
    Some(words.text(id, &args))
}

/// The words for a failed connection. One that nobody accepted has no process, so its listener is named.
fn who_failed(connection: &LiveConnection, kind: OutcomeKind, wording: Wording<'_>) -> String {
    match connection.local().port {
        Some(port) if kind == OutcomeKind::NeverAccepted => {
            wording.catalogue().text("live-who-listener", &Args::new().text("port", port.to_string()))
        }
        _ => who(connection, wording),
    }
}

/// The next step for the connection that [`losers_sentence`] names.
pub fn next_step(losers: &Losers, connections: &[&LiveConnection], wording: Wording<'_>) -> Option<String> {
    let failed = losers.gravest.filter(|found| found.1.severity() == Severity::Critical);
    if let Some((index, ..)) = failed {
        let outcome = connections[index].outcome()?;
        return Some(after_outcome(connections[index], &outcome, wording));
    }
    let Some(Loser::One { index, .. }) = losers.most else { return None };
    let connection = connections[index];
    let whole = connection.conclude();
    let half = if connection.is_receiver() { whole.halves.last() } else { whole.halves.first() }?;
    let fix = leading_finding(half)?.fixes.first()?;
    let site = Site::of(&whole, Some(half.sender));
    let args = Args::new().text("fix", wording.fix_headline(fix, Some(&site))).text("place", wording.place(fix.place));
    Some(wording.catalogue().text("live-detail-fix", &args))
}

/// The words for a connection: `nginx :443 to 10.0.0.7`, `curl to 10.0.0.7:443`. A client's own port has no
/// meaning.
fn who(connection: &LiveConnection, wording: Wording<'_>) -> String {
    let address = |end: &tcpwhy_model::host::SocketAddress| {
        end.address.map_or_else(|| "*".to_owned(), |address| address.to_string())
    };
    let args = Args::new().text("process", process_name(connection, wording));
    let local = connection.local();
    match connection.role() {
        Role::Server => {
            let port = local.port.map_or_else(String::new, |port| format!(":{port}"));
            let args = args.text("port", port).text("peer", address(connection.peer()));
            wording.catalogue().text("live-who-server", &args)
        }
        Role::Client | Role::Unknown => {
            wording.catalogue().text("live-who-client", &args.text("peer", connection.peer().to_string()))
        }
    }
}

/// Message id of the wait under a limit: `waits for its reader`.
fn waits_id(cause: Cause) -> String {
    format!("live-waits-{}", kebab(cause.limit.id()))
}

/// The wait under this detail of the limit, if it has words of its own: `reads too slowly`.
fn waits_in_form(cause: Cause, wording: Wording<'_>) -> Option<String> {
    let id = format!("{}-{}", waits_id(cause), kebab(cause.detail?.id()));
    wording.catalogue().has(&id).then(|| wording.catalogue().word(&id))
}
