//! A capture explained, for those who want the analysis itself rather than a report.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_capture::CaptureReader;

use crate::pipeline::{self, Delivery, Source};
use crate::progress::Progress;

/// All connections of the capture at `path`, numbered in order of first packet.
pub(super) fn connections(path: &Path) -> Result<Vec<Connection>> {
    let reader = CaptureReader::open(path)?;
    let mut connections = Vec::new();
    let mut progress = Progress::new(&path.display().to_string(), true);
    let outcome =
        pipeline::run(Source::Single(Box::new(reader)), Delivery::Numbered, &mut progress, |mut connection, number| {
            connection.id = number.unwrap_or(connection.id);
            connections.push(connection);
            Ok(())
        })
        .with_context(|| path.display().to_string())?;
    if let Some(failure) = outcome.ending.failures.into_iter().next() {
        return Err(failure.into());
    }
    connections.sort_by_key(|connection| connection.id);
    Ok(connections)
}

/// The direction with the most payload, of connection `number` or of all.
pub(super) fn largest_half(connections: &[Connection], number: Option<u64>) -> Result<(&Connection, &HalfConnection)> {
    let mut largest: Option<(&Connection, &HalfConnection)> = None;
    for connection in connections.iter().filter(|connection| number.is_none_or(|number| connection.id == number)) {
        for half in &connection.halves {
            // The first of equals, as a reader of the JSON would take it.
            if largest.is_none_or(|(_, other)| half.bytes > other.bytes) {
                largest = Some((connection, half));
            }
        }
    }
    match (largest, number) {
        (Some(largest), _) => Ok(largest),
        (None, Some(number)) => bail!("there is no connection {number} that carried payload"),
        (None, None) => bail!("no connection carried payload"),
    }
}
