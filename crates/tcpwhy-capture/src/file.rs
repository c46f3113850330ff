use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::SystemTime;

use crate::meter::Meter;

/// Bytes of the beginning of a file that are kept to recognise a replaced file: they contain the times of its
/// first packets.
const BEGIN: usize = 4096;

/// A regular file, read up to its length at opening, and watched because others may append to it, truncate or
/// overwrite it.
///
/// Bytes are copied instead of mapped: access to a mapped file that another process truncated would end the
/// process.
pub(crate) struct WatchedFile {
    file: File,
    meter: Arc<Meter>,
    /// Bytes read so far.
    at: u64,
    /// End of the part to read, in bytes.
    end: u64,
    /// Length and time of modification at the latest check.
    seen: (u64, Option<SystemTime>),
    begin: Vec<u8>,
}

impl WatchedFile {
    /// A watched file, read from its beginning. Changes are reported to `meter`.
    pub(crate) fn new(file: File, meter: &Arc<Meter>) -> io::Result<Self> {
        let seen = state(&file)?;
        Ok(Self { file, meter: Arc::clone(meter), at: 0, end: seen.0, seen, begin: Vec::new() })
    }

    pub(crate) fn len(&self) -> u64 {
        self.end
    }

    /// Checks whether the file was modified. Returns false if the bytes just read no longer belong to the
    /// opened file.
    fn look(&mut self) -> io::Result<bool> {
        let now = state(&self.file)?;
        if now == self.seen {
            return Ok(true);
        }
        let before = std::mem::replace(&mut self.seen, now);
        let begin = self.current_begin()?;
        if !self.begin.starts_with(&begin) {
            self.meter.set_rewritten();
            self.end = self.at;
            return Ok(false);
        }
        // A growing file is still being captured.
        if now.0 < self.end {
            self.meter.set_shrunk();
            self.end = now.0;
        } else if now.0 == before.0 {
            self.meter.set_rewritten();
        }
        Ok(true)
    }

    /// The current beginning of the file.
    fn current_begin(&mut self) -> io::Result<Vec<u8>> {
        let mut begin = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        Read::by_ref(&mut self.file).take(self.begin.len() as u64).read_to_end(&mut begin)?;
        self.file.seek(SeekFrom::Start(self.at))?;
        Ok(begin)
    }
}

impl Read for WatchedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let Some(buffer) = buffer.get_mut(..wanted).filter(|b| !b.is_empty()) else { return Ok(0) };
        let len = self.file.read(buffer)?;
        let read = buffer.get(..len).unwrap_or_default();
        if self.at == 0 {
            self.begin.extend(read.iter().take(BEGIN));
        }
        self.at += len as u64;
        // Checked after reading, because later changes do not affect these bytes.
        Ok(if self.look()? { len } else { 0 })
    }
}

fn state(file: &File) -> io::Result<(u64, Option<SystemTime>)> {
    let metadata = file.metadata()?;
    // Not every file system reports a time of modification.
    Ok((metadata.len(), metadata.modified().ok()))
}
