use std::io;

use tcpwhy_analysis::{Connection, Together};
use tcpwhy_fit::{Budget, Candidates};

use crate::crew::{Crew, Event, Worker};
use crate::foresee::foresee;
use crate::numbering::Numbering;
use crate::plan::{Delivery, Plan};
use crate::progress::Reached;
use crate::source::{Ending, Source};

/// What is left to say at the end of a source.
pub struct Outcome {
    /// Of its readers.
    pub ending: Ending,
    /// Numbers of the connections.
    pub numbering: Numbering,
    /// Connections in all.
    pub connections: u64,
}

/// Runs `source` through the analysis and hands every connection to `present` as it finishes, with its number
/// if that is known by then; those whose losses others may explain ([`Together`]) at the end, unless they are
/// wanted at once. `progress` is told now and then how far it got, on the caller's thread. `present` is
/// called by one thread at a time, but by any: the one that made a connection presents it, and gives its
/// memory back to itself.
///
/// Fails when `present` does, when no thread can be started, and with [`Interrupted`](io::ErrorKind::Interrupted) when it was
/// stopped. What the source cannot read is part of the [`Outcome`].
pub fn run(
    source: Source,
    delivery: Delivery,
    plan: &Plan<'_>,
    progress: &mut dyn FnMut(Reached),
    present: &mut (dyn FnMut(Connection, Option<u64>) -> io::Result<()> + Send),
) -> io::Result<Outcome> {
    let parts = source.parts(delivery, plan.threads.get());
    let crew = Crew::new(source, parts, delivery, plan);
    // Who wants connections as soon as they end cannot wait for others.
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

/// Whose predictions are simulated.
enum Foresight {
    /// Nobody's.
    None,
    /// Those of the connections with the largest savings, when all have come. With their numbers.
    Together(Candidates<Option<u64>>),
    /// Those of the first that come.
    AtOnce(Budget),
}

/// Passes on the connections that the crew finishes.
struct Presenter<C> {
    parts: usize,
    present: C,
    /// Connections whose losses others may explain, with their numbers.
    together: Option<Together<Option<u64>>>,
    foresight: Foresight,
    /// Of the connections so far, if that is what they are numbered by.
    first_packets: Vec<u64>,
    connections: u64,
}

impl<C> Presenter<C>
where
    C: FnMut(Connection, Option<u64>) -> io::Result<()>,
{
    /// Does the crew's work on this thread.
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

    /// Presents a connection, or keeps it until its predictions are simulated.
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

/// The work of several threads.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
mod threaded {
    use std::sync::mpsc::{RecvTimeoutError, SyncSender, TrySendError, sync_channel};
    use std::sync::{Mutex, PoisonError};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::{Connection, Crew, Event, Plan, Presenter, Reached, Worker, io};
    use crate::thread_error::no_thread;

    /// Waking the caller's thread costs more than a batch's share of it.
    const PROGRESS_EVERY: Duration = Duration::from_millis(100);

    /// Without news for so long, progress is looked after.
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
                    // Each does what is to be done, so those that there are suffice.
                    Err(_) if index > 0 => break,
                    started => started.map_err(|error| no_thread(&error))?,
                };
            }
            drop(news_in);
            // When nobody listens any more, as after an interrupt, the crew stops.
            loop {
                let news = news.recv_timeout(LULL);
                plan.check()?;
                match news {
                    // What was analysed since the last batch is told while the next one is waited for.
                    Ok(()) | Err(RecvTimeoutError::Timeout) => progress(crew.reached()),
                    Err(RecvTimeoutError::Disconnected) => return io::Result::Ok(()),
                }
            }
        })?;
        shared.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Presents what is finished, and tells the caller's thread of progress; false when nobody wants more.
    fn teller<C>(shared: &Mutex<(&mut Presenter<C>, io::Result<()>)>, news: SyncSender<()>) -> impl FnMut(Event) -> bool
    where
        C: FnMut(Connection, Option<u64>) -> io::Result<()>,
    {
        let mut last_progress = Instant::now();
        move |event| match event {
            Event::Finished(batch) => {
                // Who panicked while presenting stops the crew.
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
                    // News may be dropped, work may not.
                    return !matches!(news.try_send(()), Err(TrySendError::Disconnected(())));
                }
                true
            }
        }
    }
}
