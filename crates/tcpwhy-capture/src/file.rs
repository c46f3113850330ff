use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::SystemTime;

use crate::meter::Meter;

/// Bytes of the beginning of a file that are kept to tell whether it is still the same file: they hold the times of its first
/// packets.
const BEGIN: usize = 4096;

/// A regular file, read as far as it went when it was opened, and watched: others may write to it, cut it or write it anew.
///
/// Bytes are copied out of it instead of mapped: access to a map of what another process has cut ends the process.
pub(crate) struct WatchedFile {
    file: File,
    meter: Arc<Meter>,
    /// Bytes read so far.
    at: u64,
    /// Where it ends for us.
    end: u64,
    /// Its length and time of modification when it was looked at last.
    seen: (u64, Option<SystemTime>),
    begin: Vec<u8>,
}

impl WatchedFile {
    /// From its beginning. What happens to it is told to `meter`.
    pub(crate) fn new(file: File, meter: &Arc<Meter>) -> io::Result<Self> {
        let seen = state(&file)?;
        Ok(Self { file, meter: Arc::clone(meter), at: 0, end: seen.0, seen, begin: Vec::new() })
    }

    pub(crate) fn len(&self) -> u64 {
        self.end
    }

    /// Looks whether somebody has written to the file. False when what was just read is no more of the file that was opened.
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
        // One that grows is being captured still.
        if now.0 < self.end {
            self.meter.set_shrunk();
            self.end = now.0;
        } else if now.0 == before.0 {
            self.meter.set_rewritten();
        }
        Ok(true)
    }

    /// What the file begins with now.
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
        // After reading: what is written later does not concern these bytes.
        Ok(if self.look()? { len } else { 0 })
    }
}

fn state(file: &File) -> io::Result<(u64, Option<SystemTime>)> {
    let metadata = file.metadata()?;
    // Not every system knows the time.
    Ok((metadata.len(), metadata.modified().ok()))
}
