//! A capture explained, for those who want the analysis itself rather than a report.

use std::path::Path;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_capture::CaptureReader;
use tcpwhy_certainty::sensitivity;
use tcpwhy_engine::{Delivery, Plan, Source};
use tcpwhy_lab::address;
use tcpwhy_model::Segment;
use tcpwhy_report::principal_half;
use tcpwhy_scenario::{End, Scenario};

use crate::ProofError;
use crate::headline::Transfer;

/// Number of segments that are read at once.
const BATCH: usize = 1024;

/// All connections of the capture at `path`, numbered in order of first packet.
///
/// # Errors
/// [`ProofError::Capture`] if it cannot be opened or read to its end, [`ProofError::Look`] if it cannot be
/// examined.
pub fn connections(path: &Path) -> Result<Vec<Connection>, ProofError> {
    connections_of(CaptureReader::open(path)?, path)
}

/// The connections of a capture that is open already; errors name it `path`.
pub(crate) fn connections_of(reader: CaptureReader, path: &Path) -> Result<Vec<Connection>, ProofError> {
    let mut connections = Vec::new();
    let source = Source::Single(Box::new(reader));
    let mut present = |mut connection: Connection, number: Option<u64>| {
        connection.id = number.unwrap_or(connection.id);
        connections.push(connection);
        Ok(())
    };
    let outcome = tcpwhy_engine::run(source, Delivery::Numbered, &Plan::default(), &mut |_| {}, &mut present)
        .map_err(|cause| ProofError::Look { path: path.display().to_string(), cause })?;
    if let Some(failure) = outcome.ending.failures.into_iter().next() {
        return Err(failure.into());
    }
    connections.sort_by_key(|connection| connection.id);
    Ok(connections)
}

/// Whether some chosen number, moved by a third, names another cause of `half`. That is a direction of
/// `connection` in the capture at `path`. `None` if its packets alone do not give its verdict.
///
/// # Errors
/// [`ProofError::Capture`] if the capture cannot be opened.
pub(crate) fn is_flipped(
    path: &Path,
    connection: &Connection,
    half: &HalfConnection,
) -> Result<Option<bool>, ProofError> {
    let mut reader = CaptureReader::open(path)?;
    let mut segments = Vec::new();
    while reader.read_batch(&mut segments, BATCH) {}
    let is_of_it = |segment: &Segment| {
        let ends = [segment.source, segment.destination];
        ends == connection.endpoints || ends == [connection.endpoints[1], connection.endpoints[0]]
    };
    segments.retain(is_of_it);
    let place = connection.halves.iter().position(|other| other.sender == half.sender);
    let examined = sensitivity::examine(&segments, connection.first_packet);
    let examined = examined.zip(place).and_then(|(all, place)| all.into_iter().nth(place));
    Ok(examined.filter(|examined| examined.cause == half.verdict.cause).map(|examined| !examined.flips.is_empty()))
}

/// The direction with the most payload from the scenario's sender. The scenario is about it even if the
/// answers are larger than the requests.
pub(crate) fn in_question<'a>(connections: &'a [Connection], scenario: &Scenario) -> Option<Transfer<'a>> {
    let sender = address(scenario.ip_version, End::Sender);
    let of_sender =
        halves(connections).filter(|(connection, half)| connection.endpoints[half.sender.index()].address == sender);
    of_sender.max_by_key(|(_, half)| half.bytes)
}

/// The direction with the most payload.
pub(crate) fn largest_half(connections: &[Connection]) -> Option<Transfer<'_>> {
    // The first of several equal ones, as in the JSON report.
    halves(connections).rev().max_by_key(|(_, half)| half.bytes)
}

fn halves(connections: &[Connection]) -> impl DoubleEndedIterator<Item = Transfer<'_>> {
    connections.iter().flat_map(|connection| connection.halves.iter().map(move |half| (connection, half)))
}

/// The direction that a report describes first: that of connection `number`, or of the connection with the
/// most payload in one direction.
///
/// # Errors
/// [`ProofError::NoConnection`] and [`ProofError::NoPayload`] if there is none.
pub fn principal(
    connections: &[Connection],
    number: Option<u64>,
) -> Result<(&Connection, &HalfConnection), ProofError> {
    let largest = |connection: &&Connection| connection.halves.iter().map(|half| half.bytes).max();
    let mut wanted = connections.iter().rev().filter(|connection| number.is_none_or(|number| connection.id == number));
    let found = match number {
        Some(_) => wanted.next(),
        None => wanted.max_by_key(largest),
    };
    let principal = found.and_then(|connection| Some((connection, principal_half(connection)?)));
    match (principal, number) {
        (Some(principal), _) => Ok(principal),
        (None, Some(number)) => Err(ProofError::NoConnection(number)),
        (None, None) => Err(ProofError::NoPayload),
    }
}
