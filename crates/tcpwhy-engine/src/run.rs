use std::io;

use tcpwhy_analysis::{Connection, Together};
use tcpwhy_fit::{Budget, Candidates};

use crate::crew::{Crew, Event, Worker};
use crate::foresee::foresee;
use crate::numbering::Numbering;
use crate::plan::{Delivery, Plan};
use crate::progress::Reached;
use crate::source::{Ending, Source};

/// The data that is available only at the end of a source.
pub struct Outcome {
    /// Summaries and errors of the readers.
    pub ending: Ending,
    /// Numbers of the connections.
    pub numbering: Numbering,
    /// Number of all connections.
    pub connections: u64,
}

/// Analyses `source` and passes each connection to `present` when it is finished, with its number if that is
/// known by then. Connections whose losses others may explain ([`Together`]) come at the end, except with
/// prompt delivery. `progress` is called from time to time on the caller's thread.
///
/// Only one thread at a time calls `present`. It is the thread that made the connection, which also frees its
/// memory.
///
/// Fails if `present` fails, if no thread can be started, and with
/// [`Interrupted`](io::ErrorKind::Interrupted) if it was stopped. The [`Outcome`] contains parts of the
/// source that could not be read.
pub fn run(
    source: Source,
    delivery: Delivery,
    plan: &Plan<'_>,
    progress: &mut dyn FnMut(Reached),
    present: &mut (dyn FnMut(Connection, Option<u64>) -> io::Result<()> + Send),
) -> io::Result<Outcome> {
    let parts = source.parts(delivery, plan.threads.get());
    let crew = Crew::new(source, parts, delivery, plan);
    // Prompt delivery cannot wait for other connections.
    let together = (delivery != Delivery::Prompt).then(Together::default);
    let foresight = match (plan.simulates, together.is_some()) {
        (false, _) => Foresight::None,
        (true, true) => Foresight::Together(Candidates::default()),
        (true, false) => Foresight::AtOnce(Budget::default()),
    };
    let mut presenter = Presenter { parts, present, together, foresight, first_packets: Vec::new(), connections: 0 };
    work(&crew, plan, &mut presenter, progress)?;
    plan.check()?;
    let mut ending = crew.into_ending();
    let mut together = presenter.together.take().unwrap_or_default();
    together.note_traffic(std::mem::take(&mut ending.traffic));
    for (connection, number) in together.finish() {
        presenter.pass_on(connection, number)?;
    }
    if let Foresight::Together(candidates) = std::mem::replace(&mut presenter.foresight, Foresight::None) {
        for (connection, number) in foresee(candidates, plan)? {
            (presenter.present)(connection, number)?;
        }
    }
    let Presenter { first_packets, connections, .. } = presenter;
    let numbering = if parts == 1 { Numbering::Final } else { Numbering::by_first_packet(first_packets) };
    Ok(Outcome { ending, numbering, connections })
}

#[cfg(all(feature = "threads", not(target_family = "wasm")))]
fn work<C>(
    crew: &Crew<'_>,
    plan: &Plan<'_>,
    presenter: &mut Presenter<C>,
    progress: &mut dyn FnMut(Reached),
) -> io::Result<()>
where
    C: FnMut(Connection, Option<u64>) -> io::Result<()> + Send,
{
    if plan.threads.get() == 1 {
        presenter.work_alone(crew, progress)
    } else {
        threaded::work(crew, plan, presenter, progress)
    }
}

#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
fn work<C>(
    crew: &Crew<'_>,
    _: &Plan<'_>,
    presenter: &mut Presenter<C>,
    progress: &mut dyn FnMut(Reached),
) -> io::Result<()>
where
    C: FnMut(Connection, Option<u64>) -> io::Result<()>,
{
    presenter.work_alone(crew, progress)
}

/// The connections whose predictions are simulated.
enum Foresight {
    /// No connection.
    None,
    /// The connections with the largest savings, with their numbers, after all have been finished.
    Together(Candidates<Option<u64>>),
    /// The first connections.
    AtOnce(Budget),
}

/// Passes on the connections that the crew finishes.
struct Presenter<C> {
    parts: usize,
    present: C,
    /// Connections whose losses others may explain, with their numbers.
    together: Option<Together<Option<u64>>>,
    foresight: Foresight,
    /// First packets of the connections so far, if these determine the numbers.
    first_packets: Vec<u64>,
    connections: u64,
}

impl<C> Presenter<C>
where
    C: FnMut(Connection, Option<u64>) -> io::Result<()>,
{
    /// Does the crew's work on the caller's thread.
    fn work_alone(&mut self, crew: &Crew<'_>, progress: &mut dyn FnMut(Reached)) -> io::Result<()> {
        let mut outcome = Ok(());
        crew.work(Worker::ALONE, |event| {
            match event {
                Event::Progress => progress(crew.reached()),
                Event::Finished(batch) => outcome = self.take(batch),
            }
            outcome.is_ok()
        });
        outcome
    }

    /// Presents a connection, or keeps it until its predictions have been simulated.
    fn pass_on(&mut self, mut connection: Connection, number: Option<u64>) -> io::Result<()> {
        let ready = match &mut self.foresight {
            Foresight::Together(candidates) => candidates.keep(connection, number),
            Foresight::AtOnce(budget) => {
                budget.predict(&mut connection);
                Some((connection, number))
            }
            Foresight::None => Some((connection, number)),
        };
        ready.map_or(Ok(()), |(connection, number)| (self.present)(connection, number))
    }

    fn take(&mut self, finished: Vec<Connection>) -> io::Result<()> {
        for connection in finished {
            self.connections += 1;
            let number = (self.parts == 1).then_some(connection.id);
            if self.parts > 1 {
                self.first_packets.push(connection.first_packet);
            }
            let ready = match &mut self.together {
                Some(together) => together.keep(connection, number),
                None => Some((connection, number)),
            };
            if let Some((connection, number)) = ready {
                self.pass_on(connection, number)?;
            }
        }
        Ok(())
    }
}

/// Work on several threads.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
mod threaded {
    use std::sync::mpsc::{RecvTimeoutError, SyncSender, TrySendError, sync_channel};
    use std::sync::{Mutex, PoisonError};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::{Connection, Crew, Event, Plan, Presenter, Reached, Worker, io};
    use crate::thread_error::no_thread;

    /// Waking the caller's thread for each batch would cost more than its share of the batch.
    const PROGRESS_EVERY: Duration = Duration::from_millis(100);

    /// Without news for this long, progress is reported anyway.
    const LULL: Duration = Duration::from_millis(200);

    pub(super) fn work<C>(
        crew: &Crew<'_>,
        plan: &Plan<'_>,
        presenter: &mut Presenter<C>,
        progress: &mut dyn FnMut(Reached),
    ) -> io::Result<()>
    where
        C: FnMut(Connection, Option<u64>) -> io::Result<()> + Send,
    {
        let threads = plan.threads.get();
        let shared = Mutex::new((presenter, Ok(())));
        thread::scope(|scope| {
            let (news_in, news) = sync_channel(1);
            for index in 0..threads {
                let (news_in, shared) = (news_in.clone(), &shared);
                let work = move || crew.work(Worker { index, of: threads }, teller(shared, news_in));
                match thread::Builder::new().spawn_scoped(scope, work) {
                    // Each thread takes any job, so the ones that could be started suffice.
                    Err(_) if index > 0 => break,
                    started => started.map_err(|error| no_thread(&error))?,
                };
            }
            drop(news_in);
            // If the receiver is gone, for example after an interrupt, the crew stops.
            loop {
                let news = news.recv_timeout(LULL);
                plan.check()?;
                match news {
                    // Progress since the last batch is reported while waiting for the next one.
                    Ok(()) | Err(RecvTimeoutError::Timeout) => progress(crew.reached()),
                    Err(RecvTimeoutError::Disconnected) => return io::Result::Ok(()),
                }
            }
        })?;
        shared.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Presents finished connections, and reports progress to the caller's thread; false if the work should
    /// stop.
    fn teller<C>(shared: &Mutex<(&mut Presenter<C>, io::Result<()>)>, news: SyncSender<()>) -> impl FnMut(Event) -> bool
    where
        C: FnMut(Connection, Option<u64>) -> io::Result<()>,
    {
        let mut last_progress = Instant::now();
        move |event| match event {
            Event::Finished(batch) => {
                // A panic of a thread while presenting stops the crew.
                let Ok(mut shared) = shared.lock() else { return false };
                let (presenter, outcome) = &mut *shared;
                if outcome.is_ok() {
                    *outcome = presenter.take(batch);
                }
                outcome.is_ok()
            }
            Event::Progress => {
                if last_progress.elapsed() >= PROGRESS_EVERY {
                    last_progress = Instant::now();
                    // Progress messages may be dropped, connections may not.
                    return !matches!(news.try_send(()), Err(TrySendError::Disconnected(())));
                }
                true
            }
        }
    }
}
