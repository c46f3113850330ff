//! Threads that each take the next job: analysing segments, or reading more.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tcpwhy_analysis::{Analyzer, Connection, FlowHasher, OpenConnection};
use tcpwhy_model::Segment;

use crate::dealer::{Batch, Dealer, Share};
use crate::plan::{BATCH, Delivery, Plan};
use crate::progress::Reached;
use crate::source::{Ending, OrderedSource, Source};

const FINISHED_AT_A_TIME: usize = 32;

/// An event that a thread of the crew reports.
pub(crate) enum Event {
    Finished(Vec<Connection>),
    Progress,
}

/// The work on one source, shared by its threads.
pub(crate) struct Crew<'a> {
    plan: &'a Plan<'a>,
    board: Mutex<Board>,
    changed: Condvar,
    /// Number of connections seen so far.
    seen: AtomicU64,
    /// Number of bytes read so far.
    read: AtomicU64,
    /// Size of the source in bytes, if it is a file.
    total: Option<u64>,
}

/// One of the crew's threads. It prefers its own parts, whose connections are in its cache.
#[derive(Clone, Copy)]
pub(crate) struct Worker {
    /// Index of the thread, from 0.
    pub(crate) index: usize,
    /// Number of threads.
    pub(crate) of: usize,
}

impl Worker {
    /// The only thread.
    pub(crate) const ALONE: Self = Self { index: 0, of: 1 };

    fn owns(self, part: usize) -> bool {
        part % self.of == self.index
    }
}

/// The jobs. A thread that does a job removes it from the board.
struct Board {
    /// The reader; `None` while a thread reads, and at the end.
    reader: Option<Box<Reader>>,
    /// The ending of the source, after it has been read.
    ending: Option<Ending>,
    parts: Vec<Part>,
    /// Number of batches read so far.
    batches: u64,
    /// Number of waiting shares.
    waiting: usize,
    /// Number of segments in these shares: if one connection has all segments, a share is a whole batch.
    waiting_segments: usize,
    /// Number of threads that wait for a job.
    idle: usize,
    /// Whether reading pauses because enough is waiting. It resumes only after most of that is done, so that
    /// threads are not woken for each batch.
    is_full: bool,
    /// Whether the work was stopped.
    is_stopped: bool,
}

/// A share with its batch.
struct Portion {
    /// Number of the batch.
    number: u64,
    batch: Arc<Batch>,
    share: Share,
}

/// A part of the connections.
struct Part {
    waiting: VecDeque<Portion>,
    /// The analyzer; `None` while a thread uses it, and at the end.
    analyzer: Option<Box<Analyzer>>,
    /// Whether all connections of the part have been finished.
    is_over: bool,
}

struct Reader {
    ordered: OrderedSource,
    dealer: Dealer,
    /// Number of shares of a batch.
    parts: usize,
    /// Segments that have been read but not yet dealt.
    segments: Vec<Segment>,
    /// Batches dealt before; those that no thread uses any more are filled again.
    batches: Vec<Arc<Batch>>,
}

enum Job {
    Read(Box<Reader>),
    Analyse(usize, Box<Analyzer>, Portion),
    /// Finishes the only part, in the order of first packets.
    FinishAll(Box<Analyzer>),
    Finish(Vec<OpenConnection>),
}

/// Stops the crew if its thread panics, so that no other thread waits for it.
struct Alarm<'a>(&'a Crew<'a>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

impl<'a> Crew<'a> {
    /// Most batches whose shares may wait.
    const BATCHES_AHEAD: usize = 3;

    /// Reading resumes when at most this many batches wait.
    const BATCHES_LEFT: usize = 1;

    /// A crew for `source`, whose connections are analysed in `parts` parts.
    pub(crate) fn new(source: Source, parts: usize, delivery: Delivery, plan: &'a Plan<'a>) -> Self {
        let hasher = plan.seams.flow_key.map(FlowHasher::with_key).unwrap_or_default();
        let analyzer = || {
            let analyzer = if delivery == Delivery::Prompt { Analyzer::prompt() } else { Analyzer::new() };
            let analyzer = analyzer.with_hasher(hasher.clone());
            Box::new(if plan.keeps_exchanges { analyzer.with_all_exchanges() } else { analyzer })
        };
        let total = source.bytes_total();
        let part = || Part { waiting: VecDeque::new(), analyzer: Some(analyzer()), is_over: false };
        Self {
            plan,
            board: Mutex::new(Board {
                reader: Some(Box::new(Reader {
                    ordered: OrderedSource::new(source, plan.seams.batch()),
                    dealer: Dealer::new(hasher.clone()),
                    parts,
                    segments: Vec::new(),
                    batches: Vec::new(),
                })),
                ending: None,
                parts: (0..parts).map(|_| part()).collect(),
                batches: 0,
                waiting: 0,
                waiting_segments: 0,
                idle: 0,
                is_full: false,
                is_stopped: false,
            }),
            changed: Condvar::new(),
            seen: AtomicU64::new(0),
            read: AtomicU64::new(0),
            total,
        }
    }

    /// Progress of the work.
    pub(crate) fn reached(&self) -> Reached {
        let [read, connections] = [&self.read, &self.seen].map(|count| count.load(Ordering::Relaxed));
        Reached { read, total: self.total, connections }
    }

    /// Summaries and errors of the readers; empty if the crew was stopped.
    pub(crate) fn into_ending(self) -> Ending {
        self.board.into_inner().unwrap_or_else(PoisonError::into_inner).ending.unwrap_or_default()
    }

    /// Works until no job is left, `tell` returns false, or the plan's flag is set.
    pub(crate) fn work(&self, worker: Worker, mut tell: impl FnMut(Event) -> bool) {
        let _alarm = Alarm(self);
        while let Some(job) = self.next_job(worker) {
            let is_heard = match job {
                Job::Read(mut reader) => {
                    let (batch, shares, has_more) = reader.read();
                    self.read.store(reader.ordered.source.bytes_read(), Ordering::Relaxed);
                    self.has_read(reader, has_more, &batch, shares);
                    tell(Event::Progress)
                }
                Job::Analyse(part, mut analyzer, Portion { batch, share, .. }) => {
                    let seen_before = analyzer.seen();
                    analyzer.observe_hashed(batch.now(), batch.share(share));
                    drop(batch);
                    self.seen.fetch_add(analyzer.seen() - seen_before, Ordering::Relaxed);
                    let finished = analyzer.take_finished();
                    self.has_analysed(part, analyzer);
                    finished.is_empty() || tell(Event::Finished(finished))
                }
                Job::FinishAll(mut analyzer) => {
                    analyzer.sort_open();
                    loop {
                        let some = analyzer.take_open(FINISHED_AT_A_TIME);
                        if some.is_empty() {
                            break true;
                        }
                        if self.plan.is_stopped() || !tell(finish(some)) {
                            break false;
                        }
                    }
                }
                Job::Finish(some) => tell(finish(some)),
            };
            if !is_heard || self.plan.is_stopped() {
                self.stop();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Board> {
        // A panic stops the crew; the board stays as the panicking thread left it.
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        let mut board = self.lock();
        board.is_stopped = true;
        self.tell(board);
    }

    fn next_job(&self, worker: Worker) -> Option<Job> {
        let mut board = self.lock();
        loop {
            if let Some(job) = board.take_job(worker) {
                return Some(job);
            }
            if board.is_stopped || board.is_done() {
                // Threads that wait for a part of another thread would otherwise wait for ever.
                self.tell(board);
                return None;
            }
            board.idle += 1;
            board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
            board.idle -= 1;
        }
    }

    /// Wakes the waiting threads if there are more jobs than the one that the caller takes next. Waking a
    /// thread for each batch took 5 % of the time of a single transfer.
    fn tell(&self, board: MutexGuard<'_, Board>) {
        let is_wanted = board.is_stopped || board.ending.is_some() || board.jobs() > 1;
        let is_anybody_woken = board.idle > 0 && is_wanted;
        drop(board);
        if is_anybody_woken {
            self.changed.notify_all();
        }
    }

    fn has_read(&self, reader: Box<Reader>, has_more: bool, batch: &Arc<Batch>, shares: Vec<Share>) {
        let mut board = self.lock();
        let mut dealt = 0;
        let number = board.batches;
        board.batches += 1;
        let mut segments = 0;
        for (part, share) in board.parts.iter_mut().zip(shares) {
            if !share.is_empty() {
                dealt += 1;
                segments += share.len();
                part.waiting.push_back(Portion { number, batch: Arc::clone(batch), share });
            }
        }
        board.waiting += dealt;
        board.waiting_segments += segments;
        board.is_full = board.waits_for(Self::BATCHES_AHEAD - 1);
        if has_more {
            board.reader = Some(reader);
        } else {
            board.ending = Some(reader.ordered.source.end());
        }
        self.tell(board);
    }

    fn has_analysed(&self, part: usize, analyzer: Box<Analyzer>) {
        let mut board = self.lock();
        board.parts[part].analyzer = Some(analyzer);
        self.tell(board);
    }
}

/// Results for finished connections.
fn finish(some: Vec<OpenConnection>) -> Event {
    Event::Finished(some.into_iter().filter_map(OpenConnection::finish).collect())
}

impl Board {
    fn take_job(&mut self, worker: Worker) -> Option<Job> {
        if self.is_stopped {
            return None;
        }
        // If less than a batch waits, reading comes first; otherwise the other threads would run out of work
        // during it.
        let is_low = self.waiting < self.parts.len() && self.waiting_segments < BATCH.get();
        let read = if is_low { self.take_read() } else { None };
        read.or_else(|| self.take_share(|part| worker.owns(part)))
            .or_else(|| self.take_read())
            .or_else(|| self.take_share(|_| true))
            .or_else(|| self.take_end())
    }

    /// Takes a share of the oldest batch.
    fn take_share(&mut self, is_wanted: impl Fn(usize) -> bool) -> Option<Job> {
        let idle = self.parts.iter().enumerate().filter(|(i, p)| p.analyzer.is_some() && is_wanted(*i));
        let (_, part) = idle.filter_map(|(i, p)| Some((p.waiting.front()?.number, i))).min()?;
        let share = self.parts[part].waiting.pop_front()?;
        self.waiting -= 1;
        self.waiting_segments -= share.share.len();
        self.is_full &= self.waits_for(Crew::BATCHES_LEFT);
        Some(Job::Analyse(part, self.parts[part].analyzer.take()?, share))
    }

    fn take_read(&mut self) -> Option<Job> {
        self.reader.take_if(|_| !self.is_full).map(Job::Read)
    }

    /// Whether more than this many batches wait, measured by shares or by segments.
    fn waits_for(&self, batches: usize) -> bool {
        self.waiting > batches * self.parts.len() || self.waiting_segments > batches * BATCH.get()
    }

    /// Number of jobs that are available before the end of the source.
    fn jobs(&self) -> usize {
        let shares = self.parts.iter().filter(|p| p.analyzer.is_some() && !p.waiting.is_empty()).count();
        shares + usize::from(self.reader.is_some() && !self.is_full)
    }

    /// Takes a few connections to finish. So a million connections are not in memory twice, and threads end
    /// at about the same time.
    fn take_end(&mut self) -> Option<Job> {
        self.ending.as_ref()?;
        if let [only] = &mut self.parts[..] {
            let analyzer = only.analyzer.take_if(|_| only.waiting.is_empty())?;
            only.is_over = true;
            return Some(Job::FinishAll(analyzer));
        }
        for part in self.parts.iter_mut().filter(|p| p.waiting.is_empty()) {
            let Some(analyzer) = &mut part.analyzer else { continue };
            let some = analyzer.take_open(FINISHED_AT_A_TIME);
            if !some.is_empty() {
                return Some(Job::Finish(some));
            }
            part.analyzer = None;
            part.is_over = true;
        }
        None
    }

    /// Whether everything has been read and all parts are finished, except for connections that threads are
    /// finishing.
    fn is_done(&self) -> bool {
        self.parts.iter().all(|p| p.is_over)
    }
}

impl Reader {
    /// Reads a batch and deals it, one share per part; false at the end of the source.
    fn read(&mut self) -> (Arc<Batch>, Vec<Share>, bool) {
        let is_free = |batch: &Arc<Batch>| Arc::strong_count(batch) == 1;
        // The most recently used batch is in a cache.
        let mut batch = match self.batches.iter().rposition(is_free) {
            Some(free) => self.batches.remove(free),
            None => Arc::default(),
        };
        // The block is filled again and again; a batch of a slow input has fewer segments.
        self.segments.reserve(BATCH.get());
        let given = self.ordered.read_batch(&mut self.segments);
        // No other thread holds the batch, so nothing is copied.
        let shares = self.dealer.deal(&mut self.segments, given.now, self.parts, Arc::make_mut(&mut batch));
        self.batches.push(Arc::clone(&batch));
        (batch, shares, given.has_more)
    }
}
