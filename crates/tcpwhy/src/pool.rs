//! Small captures analysed at the same time, each by one thread.

use std::io;
use std::mem;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use tcpwhy_analysis::Connection;
use tcpwhy_engine::{Delivery, Outcome, Plan, Source, run};

/// Connections that are handed over together.
const BATCH: usize = 64;

/// Batches of a capture that wait until its turn comes. Its thread waits too then.
const BATCHES: usize = 16;

/// A connection, with its number if that is known.
type Numbered = (Connection, Option<u64>);
/// Who presents connections.
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

/// What is wanted of every capture.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// When connections are handed over.
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

/// What came of a capture, and how long that took.
pub(crate) type Timed = (Outcome, Duration);

/// A capture that is analysed elsewhere.
pub(crate) struct Analysis(Receiver<Event>);

impl Form {
    /// How one thread analyses a capture.
    pub(crate) fn alone(self) -> Plan<'static> {
        Plan { threads: NonZero::<usize>::MIN, ..self.together() }
    }

    /// How all threads analyse a capture.
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
        // Room for all: whoever submits one may be the one that others wait for.
        let (jobs, wanted) = sync_channel::<Job>(ahead);
        let wanted = Arc::new(Mutex::new(wanted));
        let start = |_| {
            let wanted = Arc::clone(&wanted);
            thread::Builder::new().spawn_scoped(scope, move || work(&wanted)).is_ok()
        };
        let started = (0..threads.get()).take_while(|&n| start(n)).count();
        (started > 0).then_some(Self { jobs })
    }

    /// Hands over a capture. Captures are begun in the order of the calls, each when a thread is free.
    pub(crate) fn submit(&self, source: Source, form: Form) -> Analysis {
        let (events, analysis) = sync_channel(BATCHES);
        // The threads end after this.
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
        // Nobody may listen any more: then everything ends.
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
