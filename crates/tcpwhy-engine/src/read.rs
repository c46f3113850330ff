use std::io;

use tcpwhy_capture::CaptureError;
use tcpwhy_model::Segment;

use crate::plan::Plan;
use crate::source::{OrderedSource, Source};

/// Passes the segments of `source` to `observe`, batch by batch and in order, until it returns false.
/// `progress` gets the bytes of the input read so far with each batch, and their total if known.
///
/// Returns the errors that ended the reading of the source early. Fails if no thread can be started, and with
/// [`Interrupted`](io::ErrorKind::Interrupted) if it was stopped.
pub fn read(
    source: Source,
    plan: &Plan<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
    observe: &mut dyn FnMut(&[Segment]) -> bool,
) -> io::Result<Vec<CaptureError>> {
    let ordered = OrderedSource::new(source, plan.seams.batch());
    let failures = batches(ordered, plan, |batch| {
        progress(batch.read, batch.total);
        !plan.is_stopped() && observe(&batch.segments)
    })?;
    plan.check()?;
    Ok(failures)
}

/// Segments, and the position in the input after them.
#[derive(Default)]
struct Batch {
    segments: Vec<Segment>,
    read: u64,
    total: Option<u64>,
}

impl Batch {
    /// Reads the next batch in place of this one; false at the end of `ordered`.
    fn fill(&mut self, ordered: &mut OrderedSource) -> bool {
        let given = ordered.read_batch(&mut self.segments);
        (self.read, self.total) = (ordered.source.bytes_read(), ordered.source.bytes_total());
        given.has_more
    }
}

/// Reads ahead on a thread of its own.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
fn batches(ordered: OrderedSource, plan: &Plan<'_>, show: impl FnMut(&Batch) -> bool) -> io::Result<Vec<CaptureError>> {
    use std::panic::resume_unwind;
    use std::sync::mpsc::sync_channel;
    use std::thread;

    use crate::thread_error::no_thread;

    /// Most batches that may wait.
    const QUEUE: usize = 32;

    if plan.threads.get() == 1 {
        return Ok(batches_alone(ordered, show));
    }
    let mut ordered = ordered;
    let mut show = show;
    thread::scope(|scope| {
        let (queue, batches) = sync_channel::<Batch>(QUEUE);
        let read = move || {
            loop {
                let mut batch = Batch::default();
                let has_more = batch.fill(&mut ordered);
                // The receiver is gone after it has got everything that it wants.
                if queue.send(batch).is_err() {
                    return Vec::new();
                }
                if !has_more {
                    return ordered.source.end().failures;
                }
            }
        };
        let reading = thread::Builder::new().spawn_scoped(scope, read).map_err(|error| no_thread(&error))?;
        for batch in batches {
            if !show(&batch) {
                return Ok(Vec::new());
            }
        }
        Ok(reading.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
#[allow(clippy::unnecessary_wraps, reason = "threads may fail to start")]
fn batches(ordered: OrderedSource, _: &Plan<'_>, show: impl FnMut(&Batch) -> bool) -> io::Result<Vec<CaptureError>> {
    Ok(batches_alone(ordered, show))
}

fn batches_alone(mut ordered: OrderedSource, mut show: impl FnMut(&Batch) -> bool) -> Vec<CaptureError> {
    let mut batch = Batch::default();
    loop {
        let has_more = batch.fill(&mut ordered);
        if !show(&batch) {
            return Vec::new();
        }
        if !has_more {
            return ordered.source.end().failures;
        }
    }
}
