//! Reads captures again for the packets of a few connections.

use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use tcpwhy_model::Segment;
use tcpwhy_view::{Gatherer, Recorded, Wanted};

use crate::inputs::Inputs;
use crate::pipeline::{BATCH, no_thread};
use crate::progress::Progress;

/// Batches that may wait.
const QUEUE: usize = 32;

/// Records what is wanted, each with the index of its source; in the same order, `None` for what did not come again. A failure
/// to read is one here too unless it is known from the first look: then what came before it is all there is.
pub(crate) fn gather(
    inputs: &Inputs,
    wanted: &[(usize, Wanted)],
    is_failure_known: bool,
    is_quiet: bool,
) -> io::Result<Vec<Option<Recorded>>> {
    let mut all: Vec<Option<Recorded>> = wanted.iter().map(|_| None).collect();
    for source in 0..inputs.len() {
        let here: Vec<usize> = (0..wanted.len()).filter(|&i| wanted[i].0 == source).collect();
        if here.is_empty() {
            continue;
        }
        let of_source: Vec<Wanted> = here.iter().map(|&i| wanted[i].1).collect();
        let gatherer = Gatherer::new(&of_source);
        let recorded = run(inputs, source, gatherer, is_failure_known, is_quiet, &AtomicBool::new(false))?;
        for (index, recording) in here.into_iter().zip(recorded) {
            all[index] = recording;
        }
    }
    Ok(all)
}

/// Shows `gatherer` the packets of one source, as many as it wants. Failures to read as for [`gather`]; fails soon after
/// `is_unwanted` is set.
pub(crate) fn run(
    inputs: &Inputs,
    source: usize,
    mut gatherer: Gatherer,
    is_failure_known: bool,
    is_quiet: bool,
    is_unwanted: &AtomicBool,
) -> io::Result<Vec<Option<Recorded>>> {
    let mut progress = Progress::new(&inputs.name(source), is_quiet);
    let mut reader = inputs.open(source).map_err(io::Error::other)?;
    let length = inputs.length(source);
    let failure = thread::scope(|scope| {
        let (queue, batches) = sync_channel::<(Vec<Segment>, u64, Option<u64>)>(QUEUE);
        let read = move || {
            loop {
                let mut batch = Vec::new();
                let has_more = reader.read_batch(&mut batch, BATCH);
                // Nobody listens any more once all that is wanted has passed.
                if queue.send((batch, reader.bytes_read(), reader.bytes_total().or(length))).is_err() {
                    return None;
                }
                if !has_more {
                    return reader.end().failures.into_iter().next();
                }
            }
        };
        let reading = thread::Builder::new().spawn_scoped(scope, read).map_err(|error| no_thread(&error))?;
        for (batch, read, total) in batches {
            progress.advance(read, total);
            if is_unwanted.load(Ordering::Relaxed) || !batch.iter().all(|segment| gatherer.observe(segment)) {
                return Ok(None);
            }
        }
        io::Result::Ok(reading.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    progress.clear();
    if is_unwanted.load(Ordering::Relaxed) {
        return Err(io::ErrorKind::Interrupted.into());
    }
    if let Some(failure) = failure.filter(|_| !is_failure_known) {
        return Err(io::Error::other(failure));
    }
    Ok(gatherer.finish())
}
