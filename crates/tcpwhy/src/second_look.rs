//! A further pass over captures, for the packets of a few connections.

use std::io;
use std::sync::atomic::AtomicBool;

use tcpwhy_engine::recorded::RecordedSockets;
use tcpwhy_engine::{Plan, Reached};
use tcpwhy_view::{Gatherer, Recorded, Wanted};

use crate::inputs::Inputs;
use crate::progress::Progress;

/// Records the `wanted` connections, each with the index of its source, in the same order; `None` for one
/// that was not found again. A read failure is an error. If the first pass had it already, the data before it
/// is returned.
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

/// Passes the packets of one source to `gatherer` until it has enough. Read failures as for [`gather`]. Fails
/// soon after `is_unwanted` is set.
pub(crate) fn run(
    inputs: &Inputs,
    source: usize,
    mut gatherer: Gatherer,
    is_failure_known: bool,
    is_quiet: bool,
    is_unwanted: &AtomicBool,
) -> io::Result<Vec<Option<Recorded>>> {
    let mut progress = Progress::new(&inputs.name(source), is_quiet);
    let mut sockets = RecordedSockets::where_wanted(gatherer.charted_ports(), gatherer.wants_kernel());
    let listen = |reader: &mut _| {
        if let Some(sockets) = &mut sockets {
            sockets.follow(reader);
        }
    };
    let captures = inputs.open_with(source, listen).map_err(io::Error::other)?;
    let length = inputs.length(source);
    let plan = Plan { stop: is_unwanted, ..Plan::default() };
    let mut advance = |read, total: Option<u64>| {
        progress.advance(Reached { read, total: total.or(length), connections: 0 });
    };
    let failures = tcpwhy_engine::read(captures, &plan, &mut advance, &mut |batch| gatherer.observe_all(batch));
    progress.clear();
    let failures = failures?;
    let mut recorded = gatherer.finish();
    if let Some(sockets) = sockets {
        for recorded in recorded.iter_mut().flatten() {
            recorded.add_sockets(sockets.points(&recorded.connection));
        }
        sockets.complete(recorded.iter_mut().flatten().map(|recorded| &mut recorded.connection));
    }
    match failures.into_iter().next().filter(|_| !is_failure_known) {
        Some(failure) => Err(io::Error::other(failure)),
        None => Ok(recorded),
    }
}
