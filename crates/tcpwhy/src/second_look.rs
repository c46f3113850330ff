//! Reads captures again for the packets of a few connections.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use tcpwhy_model::Segment;
use tcpwhy_view::{Gatherer, Recorded, Wanted};

use crate::inputs::Inputs;
use crate::pipeline::BATCH;
use crate::progress::Progress;

/// Batches that may wait.
const QUEUE: usize = 32;

/// Records what is wanted, each with the index of its source; in the same order, `None` for what did not come again.
pub(crate) fn gather(inputs: &Inputs, wanted: &[(usize, Wanted)], is_quiet: bool) -> io::Result<Vec<Option<Recorded>>> {
    let mut all: Vec<Option<Recorded>> = wanted.iter().map(|_| None).collect();
    for source in 0..inputs.len() {
        let here: Vec<usize> = (0..wanted.len()).filter(|&i| wanted[i].0 == source).collect();
        if here.is_empty() {
            continue;
        }
        let of_source: Vec<Wanted> = here.iter().map(|&i| wanted[i].1).collect();
        let recorded = run(inputs, source, Gatherer::new(&of_source), is_quiet, &AtomicBool::new(false))?;
        for (index, recording) in here.into_iter().zip(recorded) {
            all[index] = recording;
        }
    }
    Ok(all)
}

/// Shows `gatherer` the packets of one source, as many as it wants. Fails soon after `is_unwanted` is set.
pub(crate) fn run(
    inputs: &Inputs,
    source: usize,
    mut gatherer: Gatherer,
    is_quiet: bool,
    is_unwanted: &AtomicBool,
) -> io::Result<Vec<Option<Recorded>>> {
    let mut progress = Progress::new(&inputs.name(source), is_quiet);
    let mut reader = inputs.open(source).map_err(io::Error::other)?;
    let length = inputs.length(source);
    thread::scope(|scope| {
        let (queue, batches) = sync_channel::<(Vec<Segment>, u64, Option<u64>)>(QUEUE);
        scope.spawn(move || {
            loop {
                let mut batch = Vec::new();
                let has_more = reader.read_batch(&mut batch, BATCH);
                // Nobody listens any more once all that is wanted has passed.
                if queue.send((batch, reader.bytes_read(), reader.bytes_total().or(length))).is_err() || !has_more {
                    return;
                }
            }
        });
        for (batch, read, total) in batches {
            progress.advance(read, total);
            if is_unwanted.load(Ordering::Relaxed) || !batch.iter().all(|segment| gatherer.observe(segment)) {
                break;
            }
        }
    });
    progress.clear();
    if is_unwanted.load(Ordering::Relaxed) {
        return Err(io::ErrorKind::Interrupted.into());
    }
    Ok(gatherer.finish())
}
