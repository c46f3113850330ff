//! Observations about an input below any decompression: bytes read, read errors, changes of the file.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest as _, Sha256};

/// State of a reader that other readers wrap.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    bytes: AtomicU64,
    has_failed: AtomicBool,
    has_shrunk: AtomicBool,
    is_rewritten: AtomicBool,
    hashing: Mutex<Hashing>,
}

/// State of the hash over all bytes.
enum Hashing {
    /// Not decided yet. The first bytes, which identify the format, are hashed as a precaution.
    Undecided { hash: Box<Sha256>, has_ended: bool },
    /// Disabled.
    Off,
    /// Enabled, hash so far.
    On(Box<Sha256>),
    /// Complete: all bytes were read.
    Done([u8; 32]),
}

impl Default for Hashing {
    fn default() -> Self {
        Self::Undecided { hash: Box::default(), has_ended: false }
    }
}

impl std::fmt::Debug for Hashing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Undecided { .. } => "Undecided",
            Self::Off => "Off",
            Self::On(_) => "On",
            Self::Done(_) => "Done",
        })
    }
}

impl Meter {
    /// Bytes read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether reading ever failed, which distinguishes a failing disk from damaged compression.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Whether the file became shorter, so that it could not be read completely.
    pub(crate) fn has_shrunk(&self) -> bool {
        self.has_shrunk.load(Ordering::Relaxed)
    }

    pub(crate) fn set_shrunk(&self) {
        self.has_shrunk.store(true, Ordering::Relaxed);
    }

    /// Whether the file was overwritten.
    pub(crate) fn is_rewritten(&self) -> bool {
        self.is_rewritten.load(Ordering::Relaxed)
    }

    pub(crate) fn set_rewritten(&self) {
        self.is_rewritten.store(true, Ordering::Relaxed);
    }

    /// Enables the hash, including earlier bytes, unless [`Self::settle`] was called before.
    pub(crate) fn hash(&self) {
        let mut hashing = self.hashing();
        if let Hashing::Undecided { hash, has_ended } = &*hashing {
            let hash = hash.clone();
            *hashing = if *has_ended { Hashing::Done(hash.finalize().into()) } else { Hashing::On(hash) };
        }
    }

    /// Disables the hash unless it was enabled before.
    pub(crate) fn settle(&self) {
        let mut hashing = self.hashing();
        if matches!(*hashing, Hashing::Undecided { .. }) {
            *hashing = Hashing::Off;
        }
    }

    /// SHA-256 of all bytes; `None` if some were not read, if the file changed, or if the hash was not
    /// enabled in time.
    pub(crate) fn digest(&self) -> Option<[u8; 32]> {
        match *self.hashing() {
            Hashing::Done(digest) if !self.has_failed() && !self.has_changed() => Some(digest),
            _ => None,
        }
    }

    fn note(&self, bytes: &[u8]) {
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        match &mut *self.hashing() {
            Hashing::Undecided { hash, .. } | Hashing::On(hash) => hash.update(bytes),
            Hashing::Off | Hashing::Done(_) => {}
        }
    }

    /// Records the end of the input.
    fn note_end(&self) {
        let mut hashing = self.hashing();
        match &mut *hashing {
            // A short capture ends before its reader is first used.
            Hashing::Undecided { has_ended, .. } => *has_ended = true,
            Hashing::Off | Hashing::Done(_) => {}
            Hashing::On(hash) => {
                let digest = hash.clone().finalize().into();
                *hashing = Hashing::Done(digest);
            }
        }
    }

    fn hashing(&self) -> MutexGuard<'_, Hashing> {
        self.hashing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the file has changed, which explains unreadable bytes.
    pub(crate) fn has_changed(&self) -> bool {
        self.has_shrunk() || self.is_rewritten()
    }
}

/// Counts the bytes that pass through.
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
            Ok(0) if !buffer.is_empty() => {
                self.meter.note_end();
                Ok(0)
            }
            Ok(len) => {
                self.meter.note(buffer.get(..len).unwrap_or_default());
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
