//! Reading, analysing and presenting, each in its own thread.
//!
//! One thread decodes batches of segments; one or two analyse, each the connections that a symmetric hash of the four-tuple
//! gives it; the caller's thread presents finished connections. All channels are bounded, so memory stays bounded too.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use tcpwhy_analysis::{Analyzer, Connection};
use tcpwhy_capture::{CaptureReader, CaptureSummary, MergedReader};
use tcpwhy_model::{Endpoint, FlowKey, Segment};

use crate::numbering::Numbering;
use crate::progress::Progress;

/// Segments handed on at a time.
const BATCH: usize = 512;
/// Batches that may wait for a worker.
const QUEUE: usize = 32;
/// Captures under this size are not worth a second worker.
const SMALL: u64 = 4 << 20;
/// Analysis workers for large captures.
const WORKERS: usize = 2;

/// Where segments come from.
pub(crate) enum Source {
    /// One capture.
    Single(Box<CaptureReader>),
    /// Several, merged by time.
    Merged(MergedReader),
}

/// What is left to say at the end of a source.
pub(crate) struct Outcome {
    /// What the readers counted.
    pub(crate) summaries: Vec<CaptureSummary>,
    /// Numbers of the connections.
    pub(crate) numbering: Numbering,
    /// Connections in all.
    pub(crate) connections: u64,
}

impl Source {
    /// Appends what comes next; false at the end.
    pub(crate) fn read_batch(&mut self, out: &mut Vec<Segment>) -> bool {
        match self {
            Self::Single(reader) => reader.read_batch(out, BATCH),
            Self::Merged(reader) => reader.read_batch(out, BATCH),
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

    fn summaries(&self) -> Vec<CaptureSummary> {
        match self {
            Self::Single(reader) => vec![reader.summary()],
            Self::Merged(reader) => reader.summaries(),
        }
    }

    /// How many analysis workers pay off. The packet numbers of merged captures do not order their connections.
    fn workers(&self, must_number_at_once: bool) -> usize {
        let is_small = self.bytes_total().is_some_and(|total| total < SMALL);
        if must_number_at_once || is_small || matches!(self, Self::Merged(_)) { 1 } else { WORKERS }
    }
}

/// Runs `source` through the analysis and hands every connection to `present` as it finishes, with its number if that is
/// known by then (`must_number_at_once`: always).
pub(crate) fn run(
    mut source: Source,
    must_number_at_once: bool,
    progress: &mut Progress,
    mut present: impl FnMut(Connection, Option<u64>) -> io::Result<()>,
) -> io::Result<Outcome> {
    let workers = source.workers(must_number_at_once);
    thread::scope(|scope| {
        let (finished_in, finished) = sync_channel::<Event>(QUEUE * workers);
        let mut queues = Vec::with_capacity(workers);
        for _ in 0..workers {
            let (queue, batches) = sync_channel(QUEUE);
            queues.push(queue);
            let finished_in = finished_in.clone();
            scope.spawn(move || analyse(&batches, &finished_in));
        }
        let reader = scope.spawn(move || {
            read(&mut source, &queues, &finished_in);
            source.summaries()
        });
        let presented = receive(&finished, workers, progress, &mut present);
        // Nobody listens any more: a failed presentation ends the other threads too.
        drop(finished);
        progress.clear();
        let (numbering, connections) = presented?;
        let summaries = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok(Outcome { summaries, numbering, connections })
    })
}

/// What the threads tell the presenting one.
enum Event {
    Finished(Vec<Connection>),
    Progress { read: u64, total: Option<u64> },
}

fn receive(
    finished: &Receiver<Event>,
    workers: usize,
    progress: &mut Progress,
    present: &mut impl FnMut(Connection, Option<u64>) -> io::Result<()>,
) -> io::Result<(Numbering, u64)> {
    let mut first_packets = Vec::new();
    let mut connections = 0;
    for event in finished {
        match event {
            Event::Progress { read, total } => progress.advance(read, total),
            Event::Finished(batch) => {
                for connection in batch {
                    connections += 1;
                    let number = (workers == 1).then_some(connection.id);
                    if workers > 1 {
                        first_packets.push(connection.first_packet);
                    }
                    present(connection, number)?;
                }
            }
        }
    }
    let numbering = if workers == 1 { Numbering::Final } else { Numbering::by_first_packet(first_packets) };
    Ok((numbering, connections))
}

fn read(source: &mut Source, queues: &[SyncSender<Vec<Segment>>], events: &SyncSender<Event>) {
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        batch.clear();
        let has_more = source.read_batch(&mut batch);
        if deal(&mut batch, queues).is_err() || !has_more {
            return;
        }
        // Progress may be dropped, work may not.
        let _ = events.try_send(Event::Progress { read: source.bytes_read(), total: source.bytes_total() });
    }
}

/// Gives every worker the segments of its connections. An error says that the workers have stopped.
fn deal(batch: &mut Vec<Segment>, queues: &[SyncSender<Vec<Segment>>]) -> Result<(), ()> {
    if let [only] = queues {
        let full = std::mem::replace(batch, Vec::with_capacity(BATCH));
        return if full.is_empty() { Ok(()) } else { only.send(full).map_err(drop) };
    }
    let mut parts: Vec<Vec<Segment>> = queues.iter().map(|_| Vec::with_capacity(batch.len())).collect();
    // Neighbours often belong to one connection.
    let mut last: Option<(Endpoint, Endpoint, usize)> = None;
    for segment in batch.drain(..) {
        let part = match last {
            Some((source, destination, part)) if segment.source == source && segment.destination == destination => part,
            _ => FlowKey::of(&segment).shard(queues.len()),
        };
        last = Some((segment.source, segment.destination, part));
        parts[part].push(segment);
    }
    for (queue, part) in queues.iter().zip(parts) {
        if !part.is_empty() {
            queue.send(part).map_err(drop)?;
        }
    }
    Ok(())
}

fn analyse(batches: &Receiver<Vec<Segment>>, finished: &SyncSender<Event>) {
    let mut analyzer = Analyzer::new();
    for batch in batches {
        for segment in &batch {
            analyzer.observe(segment);
        }
        let connections = analyzer.take_finished();
        if !connections.is_empty() && finished.send(Event::Finished(connections)).is_err() {
            return;
        }
    }
    // The receiver is gone only when nobody wants the rest.
    let _ = finished.send(Event::Finished(analyzer.finish()));
}
