//! Limits of decompression: a few compressed bytes may expand to gigabytes.
//!
//! A ratio alone does not distinguish an attack from a capture. Packets of zeros over the loopback interface
//! compress 4,000:1 by zstd, identical packets 10,000:1, and other captures 10:1 (at most 203:1 in 400). A
//! run-length block of zstd reaches 32,768:1, deflate 1,032:1. So each reader may always output
//! [`MOST_RATIO`] times its input, and [`FREE`] bytes more. All readers of one file share these bytes.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Decompressed bytes per compressed byte that are never counted. Deflate reaches little more (1,032).
const MOST_RATIO: u64 = 1000;

/// Decompressed bytes of one file that may exceed [`MOST_RATIO`]. Measured: up to 4 s of processing, if each
/// packet changes the limit of a connection.
const FREE: u64 = 256 << 20;

/// Minimum number of decompressed bytes that a member of an archive counts. Measured: a member of one packet
/// takes as long (0.25 ms) as a capture of this length.
const LEAST_MEMBER: u64 = 128 << 10;

/// Limit of the decompressed bytes of one file, for one decompressor. Limits of its members are
/// [within](Self::within) it and share the free bytes.
#[derive(Clone, Debug)]
pub struct Growth {
    /// Free bytes that are left beyond the ratio.
    free: Arc<AtomicU64>,
    /// Compressed and decompressed bytes of the enclosing file: nested compression multiplies both ratios.
    around: (u64, u64),
    flow: Arc<Flow>,
}

/// Input and output bytes of a decompressor.
#[derive(Debug, Default)]
struct Flow {
    packed: AtomicU64,
    unpacked: AtomicU64,
    /// Additional counted bytes: for short members, and of lists compressed inside.
    within: AtomicU64,
    /// Bytes already taken from the free ones.
    taken: AtomicU64,
}

impl Default for Growth {
    fn default() -> Self {
        Self::of(FREE)
    }
}

impl Growth {
    /// A limit of `free` bytes plus 1000 bytes per compressed byte.
    pub fn of(free: u64) -> Self {
        Self { free: Arc::new(AtomicU64::new(free)), around: (1, 1), flow: Arc::default() }
    }

    /// The limit for a member of an enclosing file that expanded from `packed` to `unpacked` bytes.
    #[must_use]
    pub fn within(&self, packed: u64, unpacked: u64) -> Self {
        let (packed, unpacked) = (packed.max(1), unpacked.max(1));
        // An enclosing file that did not expand gives no more room than plain bytes.
        let around = if unpacked > packed { (packed, unpacked) } else { (1, 1) };
        Self { free: Arc::clone(&self.free), around, flow: Arc::default() }
    }

    /// The limit for members of the bytes that were decompressed so far.
    #[must_use]
    pub fn within_this(&self) -> Self {
        self.within(self.flow.packed.load(Ordering::Relaxed), self.flow.unpacked.load(Ordering::Relaxed))
    }

    /// Counts a member of `len` bytes among the decompressed bytes, so that the next read may fail. Has no
    /// effect in an uncompressed archive.
    pub fn count_member(&self, len: u64) {
        self.flow.within.fetch_add(LEAST_MEMBER.saturating_sub(len), Ordering::Relaxed);
    }

    /// Counts `bytes` that were decompressed from `packed` bytes inside this input.
    ///
    /// # Errors
    /// If all bytes decompressed so far exceed the limit.
    pub(crate) fn count_within(&self, packed: u64, bytes: u64) -> io::Result<()> {
        let flow = &self.flow;
        if flow.unpacked.load(Ordering::Relaxed) == 0 {
            // The input itself is not compressed.
            flow.packed.fetch_add(packed, Ordering::Relaxed);
        }
        flow.within.fetch_add(bytes, Ordering::Relaxed);
        self.settle()
    }

    /// Counts a member that has `packed` bytes in an archive, if members are compressed one by one.
    ///
    /// # Errors
    /// If all members so far exceed the limit.
    pub fn take_member(&self, packed: u64) -> io::Result<()> {
        self.take(LEAST_MEMBER.saturating_sub(self.allowed(packed)))
    }

    /// Takes the bytes beyond the ratio from the free ones.
    fn settle(&self) -> io::Result<()> {
        let flow = &self.flow;
        let counted = flow.unpacked.load(Ordering::Relaxed).saturating_add(flow.within.load(Ordering::Relaxed));
        let allowed = self.allowed(flow.packed.load(Ordering::Relaxed));
        let wanted = counted.saturating_sub(allowed).saturating_sub(flow.taken.load(Ordering::Relaxed));
        if wanted > 0 {
            self.take(wanted)?;
            flow.taken.fetch_add(wanted, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Takes bytes from the free ones.
    fn take(&self, wanted: u64) -> io::Result<()> {
        let take = |free: u64| free.checked_sub(wanted);
        let taken = self.free.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken.map(drop).map_err(|_| io::Error::other(Overgrown))
    }

    /// Sets the free bytes, before any read.
    pub(crate) fn set_free(&self, free: u64) {
        self.free.store(free, Ordering::Relaxed);
    }

    /// Decompressed bytes that `packed` bytes may always have.
    fn allowed(&self, packed: u64) -> u64 {
        let (around_packed, around_unpacked) = self.around;
        let allowed = u128::from(packed.saturating_mul(MOST_RATIO)) * u128::from(around_packed);
        u64::try_from(allowed / u128::from(around_unpacked)).unwrap_or(u64::MAX)
    }
}

/// Counts compressed bytes on their way to a decompressor.
#[derive(Debug)]
pub struct Packed<R> {
    reader: R,
    flow: Arc<Flow>,
}

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(buffer)?;
        self.flow.packed.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

/// Passes on the output of a decompressor. Fails with [`Overgrown`] once it exceeds [`Growth`].
#[derive(Debug)]
pub struct Unpacked<R> {
    reader: R,
    growth: Growth,
}

/// Limits the output of the decompressor that `decoder` makes for `compressed`.
///
/// # Errors
/// Those of `decoder`.
pub fn bounded<C: Read, D: Read>(
    compressed: C,
    growth: &Growth,
    decoder: impl FnOnce(Packed<C>) -> io::Result<D>,
) -> io::Result<Unpacked<D>> {
    let reader = decoder(Packed { reader: compressed, flow: Arc::clone(&growth.flow) })?;
    Ok(Unpacked { reader, growth: growth.clone() })
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(buffer)?;
        self.growth.flow.unpacked.fetch_add(len as u64, Ordering::Relaxed);
        self.growth.settle()?;
        Ok(len)
    }
}

/// Error of compressed bytes that expand beyond [`Growth`].
#[derive(Debug)]
pub struct Overgrown;

impl Overgrown {
    /// Whether `error` has this reason.
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().and_then(|inner| inner.downcast_ref::<Self>()).is_some()
    }
}

impl fmt::Display for Overgrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the compressed data grows to more than {MOST_RATIO} times its size")
    }
}

impl std::error::Error for Overgrown {}
