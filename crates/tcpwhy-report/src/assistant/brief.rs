//! A connection in brief, for lists.

use serde::Serialize;
use tcpwhy_analysis::Connection;

use super::fit::short;
use super::ground::Ground;
use crate::Wording;
use crate::dto::{Id, rounded};
use crate::text::Line;

/// A connection in brief.
#[derive(Debug, Serialize)]
pub(super) struct BriefEntry {
    pub(super) connection: u64,
    pub(super) packet: u64,
    /// Sender and receiver of most of the data; client and server if no data was sent.
    pub(super) ends: [String; 2],
    pub(super) bytes: u64,
    pub(super) duration_s: f64,
    /// How the connection ended, if it carried no data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ending: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<Id>,
    /// Share of such limits or failures that are right, from 0 to 1; absent without either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) confidence: Option<f64>,
    /// Seconds that a change could save.
    pub(super) lost_s: f64,
    pub(super) ground: Ground,
}

impl BriefEntry {
    /// The entry for a connection with data.
    pub(super) fn new(line: &Line, wording: Wording<'_>) -> Self {
        let connection = &line.connection;
        Self {
            connection: connection.id,
            packet: connection.first_packet,
            ends: [line.sender, line.sender.peer()].map(|side| wording.end(connection, side)),
            bytes: line.bytes,
            duration_s: short(line.span.seconds()),
            ending: None,
            limit: line.cause.map(|cause| cause.limit.id().into()),
            detail: line.cause.and_then(|cause| cause.detail).map(|detail| detail.id().into()),
            confidence: line.cause.map(|_| rounded(line.confidence)),
            lost_s: short(line.lost as f64 / 1e9),
            ground: Ground::Inferred,
        }
    }

    /// The entry for any connection. `number` replaces the connection's own id.
    pub(super) fn of(number: u64, connection: &Connection, wording: Wording<'_>) -> Self {
        if let Some(line) = Line::new(connection) {
            return Self { connection: number, ..Self::new(&line, wording) };
        }
        let server = connection.server();
        Self {
            connection: number,
            packet: connection.first_packet,
            ends: [server.peer(), server].map(|side| wording.end(connection, side)),
            bytes: 0,
            duration_s: short(connection.span.seconds()),
            ending: Some(connection.ending.id().into()),
            limit: None,
            detail: None,
            confidence: connection.failure().map(|failure| rounded(failure.confidence)),
            lost_s: 0.0,
            ground: Ground::Exact,
        }
    }
}
