//! From a source to finished connections, on all processors.
//!
//! A [`crew`] of threads reads batches of segments and analyses them, each part of the connections (by a hash of the
//! four-tuple) on its own; the caller's thread presents connections as they finish. What waits anywhere is bounded, so memory
//! stays bounded too.

mod crew;
mod dealer;

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use tcpwhy_analysis::Connection;
use tcpwhy_capture::{CaptureError, CaptureReader, CaptureSummary, MergedReader};
use tcpwhy_model::Segment;

use crate::numbering::Numbering;
use crate::progress::Progress;
use crew::{Crew, Event, Worker};

/// Segments read at a time.
pub(crate) const BATCH: usize = 4096;
/// Captures under this size are not worth parts.
const SMALL: u64 = 4 << 20;
/// Threads beyond this would wait for the one that reads.
const MAX_THREADS: usize = 8;
/// Without news for so long, progress is looked after.
const LULL: Duration = Duration::from_millis(200);
/// Messages that may wait for the presenting thread.
const MESSAGES: usize = 32;

/// Where segments come from.
pub(crate) enum Source {
    /// One capture.
    Single(Box<CaptureReader>),
    /// Several, merged by time.
    Merged(MergedReader),
}

/// What the readers of a source say at its end.
#[derive(Default)]
pub(crate) struct Ending {
    /// What they counted.
    pub(crate) summaries: Vec<CaptureSummary>,
    /// Why they could not read on.
    pub(crate) failures: Vec<CaptureError>,
}

/// When connections are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// In any order; their numbers are known at the end.
    Bulk,
    /// With their numbers.
    Numbered,
    /// With their numbers, and as soon as both ends are done: what may come late is not waited for.
    Prompt,
}

/// What is left to say at the end of a source.
pub(crate) struct Outcome {
    /// Of its readers.
    pub(crate) ending: Ending,
    /// Numbers of the connections.
    pub(crate) numbering: Numbering,
    /// Connections in all.
    pub(crate) connections: u64,
}

impl Source {
    /// Appends up to `max` segments; false at the end.
    pub(crate) fn read_batch(&mut self, out: &mut Vec<Segment>, max: usize) -> bool {
        match self {
            Self::Single(reader) => reader.read_batch(out, max),
            Self::Merged(reader) => reader.read_batch(out, max),
        }
    }

    /// Bytes of the input read.
    pub(crate) fn bytes_read(&self) -> u64 {
        match self {
            Self::Single(reader) => reader.bytes_read(),
            Self::Merged(_) => 0,
        }
    }

    /// Bytes of the input in all, if it is a file.
    pub(crate) fn bytes_total(&self) -> Option<u64> {
        match self {
            Self::Single(reader) => reader.bytes_total(),
            Self::Merged(_) => None,
        }
    }

    /// What there is to say once it is read.
    pub(crate) fn end(self) -> Ending {
        match self {
            Self::Single(reader) => {
                Ending { summaries: vec![reader.summary()], failures: reader.into_error().into_iter().collect() }
            }
            Self::Merged(reader) => Ending { summaries: reader.summaries(), failures: reader.into_errors() },
        }
    }

    /// In how many parts the connections are analysed by `threads`. The packet numbers of merged captures do not order
    /// their connections.
    fn parts(&self, delivery: Delivery, threads: usize) -> usize {
        let is_small = self.bytes_total().is_some_and(|total| total < SMALL);
        if delivery != Delivery::Bulk || is_small || matches!(self, Self::Merged(_)) { 1 } else { 2 * threads }
    }
}

/// Runs `source` through the analysis and hands every connection to `present` as it finishes, with its number if that is
/// known by then.
pub(crate) fn run(
    source: Source,
    delivery: Delivery,
    progress: &mut Progress,
    mut present: impl FnMut(Connection, Option<u64>) -> io::Result<()>,
) -> io::Result<Outcome> {
    // Two at least: one may wait for input while the other works.
    let threads = thread::available_parallelism().map_or(2, usize::from).clamp(2, MAX_THREADS);
    let parts = source.parts(delivery, threads);
    let crew = Crew::new(source, parts, delivery);
    let (numbering, connections) = thread::scope(|scope| {
        let (events_in, events) = sync_channel(MESSAGES);
        for index in 0..threads {
            let events_in = events_in.clone();
            let crew = &crew;
            let work = move || crew.work(Worker { index, of: threads }, &events_in);
            match thread::Builder::new().spawn_scoped(scope, work) {
                // Each does what is to be done, so those that there are suffice.
                Err(_) if index > 0 => break,
                started => started.map_err(|error| no_thread(&error))?,
            };
        }
        drop(events_in);
        let presented = receive(&events, &crew, parts, progress, &mut present);
        // When nobody listens any more, as after a failed presentation, the crew stops.
        drop(events);
        progress.clear();
        presented
    })?;
    Ok(Outcome { ending: crew.into_ending(), numbering, connections })
}

/// Of a thread that could not be started.
pub(crate) fn no_thread(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot start a thread: {error}"))
}

fn receive(
    finished: &Receiver<Event>,
    crew: &Crew,
    parts: usize,
    progress: &mut Progress,
    present: &mut impl FnMut(Connection, Option<u64>) -> io::Result<()>,
) -> io::Result<(Numbering, u64)> {
    let mut first_packets = Vec::new();
    let mut connections = 0;
    loop {
        match finished.recv_timeout(LULL) {
            Err(RecvTimeoutError::Disconnected) => break,
            // What was analysed since the last batch is told while the next one is waited for.
            Err(RecvTimeoutError::Timeout) | Ok(Event::Progress) => {
                let (read, total) = crew.read();
                progress.count(crew.seen());
                progress.advance(read, total);
            }
            Ok(Event::Finished(batch)) => {
                for connection in batch {
                    connections += 1;
                    let number = (parts == 1).then_some(connection.id);
                    if parts > 1 {
                        first_packets.push(connection.first_packet);
                    }
                    present(connection, number)?;
                }
            }
        }
    }
    let numbering = if parts == 1 { Numbering::Final } else { Numbering::by_first_packet(first_packets) };
    Ok((numbering, connections))
}
