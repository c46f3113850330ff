//! A pool that analyses small captures in parallel, each on one thread.

use std::io;
use std::mem;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use tcpwhy_analysis::Connection;
use tcpwhy_engine::{Delivery, Outcome, Plan, Source, run};

/// Connections per batch, so that a channel operation is rare.
const BATCH: usize = 64;

/// Batches of a capture that are buffered until its turn; then its thread waits, too.
const BATCHES: usize = 16;

/// A connection, with its number if that is known.
type Numbered = (Connection, Option<u64>);
/// Presents a connection, with its number if that is known.
pub(crate) type Present<'a> = dyn FnMut(Connection, Option<u64>) -> io::Result<()> + Send + 'a;

/// Threads that analyse captures.
pub(crate) struct Pool {
    jobs: SyncSender<Job>,
}

struct Job {
    source: Source,
    form: Form,
    events: SyncSender<Event>,
}

/// The options for the analysis of every capture.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// The time when connections are passed on.
    pub(crate) delivery: Delivery,
    /// As [`Plan::keeps_exchanges`].
    pub(crate) keeps_exchanges: bool,
    /// As [`Plan::simulates`].
    pub(crate) simulates: bool,
}

enum Event {
    Finished(Vec<Numbered>),
    End(io::Result<Timed>),
}

/// The result of a capture, and the time that its analysis took.
pub(crate) type Timed = (Outcome, Duration);

/// A capture that the pool analyses.
pub(crate) struct Analysis(Receiver<Event>);

impl Form {
    /// The plan for an analysis on one thread.
    pub(crate) fn alone(self) -> Plan<'static> {
        Plan { threads: NonZero::<usize>::MIN, ..self.together() }
    }

    /// The plan for an analysis on all threads.
    pub(crate) fn together(self) -> Plan<'static> {
        Plan { keeps_exchanges: self.keeps_exchanges, simulates: self.simulates, ..Plan::default() }
    }
}

impl Pool {
    /// Starts `threads` threads, or as many as the system allows; `None` if it allows none. At most `ahead`
    /// captures wait at a time.
    pub(crate) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: NonZero<usize>,
        ahead: usize,
    ) -> Option<Self> {
        // The queue has space for all, because a blocked submitter could be the thread that the others wait
        // for.
        let (jobs, wanted) = sync_channel::<Job>(ahead);
        let wanted = Arc::new(Mutex::new(wanted));
        let start = |_| {
            let wanted = Arc::clone(&wanted);
            thread::Builder::new().spawn_scoped(scope, move || work(&wanted)).is_ok()
        };
        let started = (0..threads.get()).take_while(|&n| start(n)).count();
        (started > 0).then_some(Self { jobs })
    }

    /// Queues a capture. The threads start captures in the order of the calls.
    pub(crate) fn submit(&self, source: Source, form: Form) -> Analysis {
        let (events, analysis) = sync_channel(BATCHES);
        // The threads outlive this sender, so sending cannot fail.
        let _ = self.jobs.send(Job { source, form, events });
        Analysis(analysis)
    }
}

fn work(wanted: &Mutex<Receiver<Job>>) {
    loop {
        let job = wanted.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { source, form, events }) = job else { return };
        let gone = |_| io::Error::from(io::ErrorKind::Interrupted);
        let mut batch = Vec::new();
        let mut collect = |connection, number| {
            batch.push((connection, number));
            if batch.len() < BATCH {
                return Ok(());
            }
            events.send(Event::Finished(mem::take(&mut batch))).map_err(gone)
        };
        let begin = Instant::now();
        let outcome = run(source, form.delivery, &form.alone(), &mut |_| (), &mut collect);
        let outcome = outcome.map(|outcome| (outcome, begin.elapsed()));
        // The receiver may be gone because the program ends.
        if events.send(Event::Finished(batch)).is_ok() {
            let _ = events.send(Event::End(outcome));
        }
    }
}

impl Analysis {
    /// Presents its connections as they finish.
    pub(crate) fn present(self, present: &mut Present<'_>) -> io::Result<Timed> {
        while let Ok(event) = self.0.recv() {
            match event {
                Event::Finished(batch) => {
                    batch.into_iter().try_for_each(|(connection, number)| present(connection, number))?;
                }
                Event::End(outcome) => return outcome,
            }
        }
        Err(io::ErrorKind::Interrupted.into())
    }
}
