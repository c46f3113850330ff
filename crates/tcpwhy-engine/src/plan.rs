use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most threads: more of them would wait for the one that reads.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
const MAX_THREADS: usize = 8;

/// Number of segments per batch.
pub(crate) const BATCH: NonZero<usize> = NonZero::new(4096).unwrap();

/// A flag that is never set.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The time at which connections are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// In any order; their numbers are known only at the end.
    Bulk,
    /// With their final numbers.
    Numbered,
    /// With their numbers, as soon as both ends have closed; late packets are not waited for.
    Prompt,
}

/// The threads for a source, and the flag that stops them.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Number of threads. With one, the caller's thread does the work; with more, it only reports progress.
    /// Platforms without threads always use one.
    pub threads: NonZero<usize>,
    /// Stops the work soon after it is set: within a batch of packets, unless the input blocks.
    pub stop: &'a AtomicBool,
    /// Whether all exchanges of each connection are kept, not only the slowest: memory grows with them.
    pub keeps_exchanges: bool,
    /// Whether the gains of fixes are simulated, for the connections with the largest savings; with
    /// [`Delivery::Prompt`] for the first ones. Formulas predict all others.
    pub simulates: bool,
    /// Settings for tests.
    #[doc(hidden)]
    pub seams: Seams,
}

/// Settings of tests, which must not change any result.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Seams {
    /// Key of the hash that assigns connections to parts, instead of a random key.
    pub flow_key: Option<u64>,
    /// Number of segments per batch.
    pub batch: Option<NonZero<usize>>,
}

impl Seams {
    pub(crate) fn batch(self) -> NonZero<usize> {
        self.batch.unwrap_or(BATCH)
    }
}

impl Default for Plan<'_> {
    /// One thread per processor (2 to 8; 1 on platforms without threads), and a flag that is never set.
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
    /// Returns an error of kind [`Interrupted`](io::ErrorKind::Interrupted) if [`Plan::stop`] is set.
    pub(crate) fn check(&self) -> io::Result<()> {
        if self.is_stopped() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// At least two threads: one may wait for input while the other works.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
fn available_threads() -> NonZero<usize> {
    let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, MAX_THREADS);
    NonZero::new(threads).unwrap_or(NonZero::<usize>::MIN)
}

#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
fn available_threads() -> NonZero<usize> {
    NonZero::<usize>::MIN
}
