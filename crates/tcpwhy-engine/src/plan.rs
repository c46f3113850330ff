use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

/// Threads beyond this would wait for the one that reads.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
const MAX_THREADS: usize = 8;

/// Segments read at a time.
pub(crate) const BATCH: NonZero<usize> = NonZero::new(4096).unwrap();

/// Nobody can set it.
static NEVER: AtomicBool = AtomicBool::new(false);

/// When connections are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// In any order; their numbers are known at the end.
    Bulk,
    /// With their numbers.
    Numbered,
    /// With their numbers, and as soon as both ends are done: what may come late is not waited for.
    Prompt,
}

/// Who works through a source, and until when.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Threads that work. With one it is the caller's; with more the caller's only shows progress. Where
    /// there are no threads, one does the work whatever this says.
    pub threads: NonZero<usize>,
    /// Ends the work soon after it is set: within a batch of packets, unless the input itself is waited for.
    pub stop: &'a AtomicBool,
    /// Keeps every exchange of each connection, not only the slowest: memory grows with them.
    pub keeps_exchanges: bool,
    /// Simulates what fixes would bring, for the connections with the largest savings; with
    /// [`Delivery::Prompt`] for the first ones. Formulas predict all else.
    pub simulates: bool,
    /// For tests.
    #[doc(hidden)]
    pub seams: Seams,
}

/// What must not change any answer, as tests set it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Seams {
    /// The key of the hash that deals connections to parts, in place of a random one.
    pub flow_key: Option<u64>,
    /// Segments read at a time.
    pub batch: Option<NonZero<usize>>,
}

impl Seams {
    pub(crate) fn batch(self) -> NonZero<usize> {
        self.batch.unwrap_or(BATCH)
    }
}

impl Default for Plan<'_> {
    /// As many threads as there are processors, and nothing that stops them.
    fn default() -> Self {
        Self {
            threads: available_threads(),
            stop: &NEVER,
            keeps_exchanges: false,
            simulates: true,
            seams: Seams::default(),
        }
    }
}

impl Plan<'_> {
    /// An error of kind [`Interrupted`](io::ErrorKind::Interrupted) once [`Plan::stop`] is set.
    pub(crate) fn check(&self) -> io::Result<()> {
        if self.is_stopped() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Two at least: one may wait for input while the other works.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
fn available_threads() -> NonZero<usize> {
    let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, MAX_THREADS);
    NonZero::new(threads).unwrap_or(NonZero::<usize>::MIN)
}

#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
fn available_threads() -> NonZero<usize> {
    NonZero::<usize>::MIN
}
