//! Keeps the analysis of the latest capture, because a client asks several questions about the same file.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use tcpwhy_analysis::Connection;
use tcpwhy_engine::recorded::RecordedSockets;
use tcpwhy_engine::{Delivery, Outcome};

use super::work::Work;
use crate::inputs::Inputs;
use crate::message;
use crate::wrong::{Result, Wrong};

/// Most connections that are kept, about 5 kB each. A larger capture is analysed again for each question.
const MOST_CONNECTIONS: usize = 10_000;

/// The analysis of one capture.
#[derive(Default)]
pub(super) struct Kept {
    last: Mutex<Option<Last>>,
}

/// The latest capture.
#[derive(Clone)]
struct Last {
    file: Mark,
    /// `None` if it has too many connections.
    analysis: Option<Arc<Analysis>>,
}

/// Identity and state of a file: a file that was written to or replaced has another mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    length: u64,
    modified: SystemTime,
    /// Device, inode, and time of the last status change (`st_ctim`), seconds and nanoseconds.
    #[cfg(unix)]
    state: (u64, u64, i64, i64),
}

impl Mark {
    /// The mark of a file; `None` if the system reports no modification time.
    fn of(file: &File) -> Option<Self> {
        let metadata = file.metadata().ok()?;
        Some(Self {
            length: metadata.len(),
            modified: metadata.modified().ok()?,
            #[cfg(unix)]
            state: {
                use std::os::unix::fs::MetadataExt as _;
                (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
            },
        })
    }
}

/// The connections of a capture, in the order of their numbers, and the end of its reading.
struct Analysis {
    connections: Vec<Connection>,
    outcome: Arc<Outcome>,
}

/// Receives a connection, with its number if that is known by then.
pub(super) type Take<'t> = &'t mut (dyn FnMut(Cow<'_, Connection>, Option<u64>) + Send);

impl Kept {
    /// Passes every connection of the first of `inputs` to `take`, from memory if that file is the latest
    /// one. `delivery` applies to files with too many connections.
    pub(super) fn read(
        &self,
        inputs: &Inputs,
        work: &Work,
        delivery: Delivery,
        take: Take<'_>,
    ) -> Result<Arc<Outcome>> {
        let mark = inputs.held_file(0).and_then(Mark::of);
        let analysis = if let Some(last) = self.known(mark) {
            last.analysis
        } else {
            let analysis = Analysis::of(inputs, work)?.map(Arc::new);
            // A file that was written to during the read has another mark now and is not kept.
            let last = mark.filter(|_| inputs.held_file(0).and_then(Mark::of) == mark);
            let last = last.map(|file| Last { file, analysis: analysis.clone() });
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = last;
            analysis
        };
        let Some(analysis) = analysis else { return stream(inputs, work, delivery, take).map(Arc::new) };
        for connection in &analysis.connections {
            take(Cow::Borrowed(connection), Some(connection.id));
        }
        Ok(Arc::clone(&analysis.outcome))
    }

    /// The latest capture, if it has this mark.
    fn known(&self, mark: Option<Mark>) -> Option<Last> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().filter(|last| Some(last.file) == mark).cloned()
    }
}

impl Analysis {
    /// Reads the first of `inputs`; `None` if it has too many connections.
    fn of(inputs: &Inputs, work: &Work) -> Result<Option<Self>> {
        let mut connections = Vec::new();
        let mut is_too_much = false;
        let outcome = try_stream(inputs, work, Delivery::Bulk, &mut |connection, _| {
            connections.push(connection);
            is_too_much = connections.len() > MOST_CONNECTIONS;
            // Any error ends the read; this one is not reported.
            if is_too_much { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
        });
        if is_too_much {
            return Ok(None);
        }
        let outcome = outcome?;
        for connection in &mut connections {
            connection.id = outcome.numbering.number(connection, 0);
        }
        connections.sort_unstable_by_key(|connection| connection.id);
        Ok(Some(Self { connections, outcome: Arc::new(outcome) }))
    }
}

/// Reads the first of `inputs` without keeping it.
fn stream(inputs: &Inputs, work: &Work, delivery: Delivery, take: Take<'_>) -> Result<Outcome> {
    try_stream(inputs, work, delivery, &mut |connection, number| {
        take(Cow::Owned(connection), number);
        Ok(())
    })
}

fn try_stream(
    inputs: &Inputs,
    work: &Work,
    delivery: Delivery,
    take: &mut (dyn FnMut(Connection, Option<u64>) -> io::Result<()> + Send),
) -> Result<Outcome> {
    let mut sockets = RecordedSockets::default();
    let source = inputs.open_with(0, |reader| sockets.follow(reader)).map_err(|error| unreadable(&error))?;
    let mut present = |connection, number| sockets.present(connection, number, take);
    let outcome =
        tcpwhy_engine::run(source, delivery, &work.plan(), &mut |reached| work.advance(reached), &mut present)
            .map_err(Wrong::from)?;
    sockets.conclude(take)?;
    Ok(outcome)
}

/// The error of an opened input, if it cannot be read at all.
fn unreadable(error: &dyn tcpwhy_model::Explained) -> Wrong {
    io::Error::other(message::catalogue().message(&error.message())).into()
}

#[cfg(test)]
mod tests;
