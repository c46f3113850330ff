//! What became of the bytes below any decompression: how many came, whether reading them failed, whether they changed.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a reader that is hidden below others lets know.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    bytes: AtomicU64,
    has_failed: AtomicBool,
    has_shrunk: AtomicBool,
    is_rewritten: AtomicBool,
}

impl Meter {
    /// Bytes read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether reading ever failed, which tells a failing disk from damaged compression above it.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Whether the file became shorter, so that not all of it could be read.
    pub(crate) fn has_shrunk(&self) -> bool {
        self.has_shrunk.load(Ordering::Relaxed)
    }

    pub(crate) fn set_shrunk(&self) {
        self.has_shrunk.store(true, Ordering::Relaxed);
    }

    /// Whether something was written over the file.
    pub(crate) fn is_rewritten(&self) -> bool {
        self.is_rewritten.load(Ordering::Relaxed)
    }

    pub(crate) fn set_rewritten(&self) {
        self.is_rewritten.store(true, Ordering::Relaxed);
    }

    /// Whether the file is not what it was, which then is why its bytes make no sense.
    pub(crate) fn has_changed(&self) -> bool {
        self.has_shrunk() || self.is_rewritten()
    }
}

/// Counts the bytes that go through.
pub(crate) struct Metered<R> {
    reader: R,
    meter: Arc<Meter>,
}

impl<R: Read> Metered<R> {
    pub(crate) fn new(reader: R, meter: &Arc<Meter>) -> Self {
        Self { reader, meter: Arc::clone(meter) }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.reader.read(buffer) {
            Ok(len) => {
                self.meter.bytes.fetch_add(len as u64, Ordering::Relaxed);
                Ok(len)
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::Interrupted {
                    self.meter.has_failed.store(true, Ordering::Relaxed);
                }
                Err(error)
            }
        }
    }
}
