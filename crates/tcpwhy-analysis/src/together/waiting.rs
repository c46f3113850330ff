//! Waiting time of open connections for an answer or the remaining transfer. It lasts until the end of the
//! capture, which their own packets do not show.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::diagnosis::rules::{stopped, unanswered};
use crate::outcome::{Connection, OpenWait, Role};
use crate::seen::Awaited;
use crate::thresholds::{AWAITED_MOST, CAPTURE_GAP};

/// Number of stretches that are kept. The earliest stay.
const MOST_STRETCHES: usize = 10_000;

/// The rule about requests without an answer.
const UNANSWERED_RULE: &str = "request-unanswered";

/// Times at which packets were captured.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// Start and end of stretches without a long gap, nanoseconds.
    stretches: BTreeMap<i64, i64>,
}

impl Waiting {
    /// Records that packets were captured while `connection` lasted.
    pub(super) fn note(&mut self, connection: &Connection) {
        let (mut from, mut until) = (connection.span.start().as_nanos(), connection.span.end().as_nanos());
        let reach = until.saturating_add(CAPTURE_GAP.get());
        let near =
            self.stretches.range(..=reach).rev().take_while(|(_, end)| from.saturating_sub(**end) <= CAPTURE_GAP.get());
        let near: Vec<_> = near.map(|(&start, &end)| (start, end)).collect();
        for (start, end) in near {
            self.stretches.remove(&start);
            (from, until) = (from.min(start), until.max(end));
        }
        self.stretches.insert(from, until);
        if self.stretches.len() > MOST_STRETCHES {
            self.stretches.pop_last();
        }
    }

    /// Adds findings about the waits of `connections` that were too long by the end of the capture.
    pub(super) fn settle<'a>(&self, connections: impl Iterator<Item = &'a mut Connection>) {
        for connection in connections {
            let Some(wait) = connection.awaited.take() else { continue };
            let OpenWait(awaited) = *wait;
            let awaited = awaited.until(self.until(connection.span.end().as_nanos()));
            if awaited.is_overdue() && is_of_exchanges(connection, &awaited) && is_comparable(connection, &awaited) {
                report(connection, &awaited);
            }
        }
    }

    /// Returns the time until which packets were captured after `time`.
    fn until(&self, time: i64) -> i64 {
        self.stretches.range(..=time).next_back().map_or(time, |(_, &until)| until.max(time))
    }
}

/// Whether other connections may show the waiting time of `connection`.
pub(super) fn is_open(connection: &Connection) -> bool {
    connection.awaited.is_some()
}

/// Whether the requesting end of `connection` waits for this answer, as far as other connections show. Nobody
/// waits for the answer to news.
fn is_of_exchanges(connection: &Connection, awaited: &Awaited) -> bool {
    let exchanges = connection.exchanges.as_ref();
    match awaited {
        Awaited::Answer(request) => {
            // If the capture started mid-connection, the last messages alone do not show the requesting end.
            let is_shown = connection.initiator.is_some() || is_reported(connection);
            is_shown
                && request.asker != connection.server()
                && exchanges.is_none_or(|exchanges| exchanges.count == 0 || exchanges.is_request_response())
        }
        Awaited::Rest(_) => true,
    }
}

/// Whether the usual time of `awaited` is known here, from its own packets or from an earlier answer. A poll
/// may be delayed for some seconds, but nobody waits longer than [`AWAITED_MOST`].
fn is_comparable(connection: &Connection, awaited: &Awaited) -> bool {
    match awaited {
        Awaited::Answer(request) => {
            // The turns of a TLS handshake are not exchanges.
            let is_answered = connection.exchanges.as_ref().is_some_and(|exchanges| exchanges.count > 0);
            is_reported(connection) || is_answered || request.until - request.since >= AWAITED_MOST
        }
        Awaited::Rest(_) => true,
    }
}

/// Whether the connection's own packets show that it waits.
fn is_reported(connection: &Connection) -> bool {
    connection.findings.iter().any(|finding| finding.rule == UNANSWERED_RULE)
}

/// Replaces the finding about `awaited` that contained a shorter time.
fn report(connection: &mut Connection, awaited: &Awaited) {
    let finding = match awaited {
        Awaited::Answer(request) => unanswered(request),
        Awaited::Rest(transfer) => {
            let client = connection.server().peer();
            let party = Role::of(transfer.sender, Some(client)).id().unwrap_or_default();
            stopped(transfer, party)
        }
    };
    connection.findings.retain(|other| other.rule != finding.rule);
    connection.findings.push(finding);
    connection.findings.sort_by_key(|finding| Reverse(finding.severity));
}

#[cfg(test)]
mod terms;
