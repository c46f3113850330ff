use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use memmap2::{Mmap, MmapOptions};

/// Bytes of a file that are mapped at a time: it bounds resident memory, and a remap for each costs nothing measurable.
const MAP_WINDOW: usize = 4 << 20;

/// Bytes that a stream is read by: what a pipe holds. What a decompressor has made of them when it meets damage is lost.
const STREAM_BUFFER: usize = 64 << 10;

/// The bytes of a capture, read from front to end.
pub(crate) enum Source {
    File(MappedFile),
    Stream(Stream),
}

impl Source {
    /// The bytes at hand that are not consumed yet.
    #[inline]
    pub(crate) fn window(&self) -> &[u8] {
        match self {
            Self::File(file) => file.window(),
            Self::Stream(stream) => stream.window(),
        }
    }

    /// Moves on by `len` bytes of the window.
    pub(crate) fn consume(&mut self, len: usize) {
        match self {
            Self::File(file) => file.at = (file.at + len).min(file.map_len()),
            Self::Stream(stream) => {
                let len = len.min(stream.window().len());
                stream.start += len;
                stream.consumed += len as u64;
            }
        }
    }

    /// Tries to make the window longer, towards `need` bytes; false at the end of the input.
    pub(crate) fn grow(&mut self, need: usize) -> io::Result<bool> {
        match self {
            Self::File(file) => file.grow(need),
            Self::Stream(stream) => stream.grow(need),
        }
    }

    /// Lets the input end with the window.
    pub(crate) fn cut(&mut self) {
        match self {
            Self::File(file) => file.len = file.map_start + file.map_len() as u64,
            Self::Stream(stream) => stream.reader = Box::new(io::empty()),
        }
    }

    /// Bytes consumed, uncompressed.
    pub(crate) fn offset(&self) -> u64 {
        match self {
            Self::File(file) => file.map_start + file.at as u64,
            Self::Stream(stream) => stream.consumed,
        }
    }

    /// Whether more bytes may take their time to come.
    pub(crate) fn is_stream(&self) -> bool {
        matches!(self, Self::Stream(_))
    }
}

/// A regular file, of which a window is mapped.
pub(crate) struct MappedFile {
    file: File,
    len: u64,
    map: Option<Mmap>,
    /// Where in the file the map begins.
    map_start: u64,
    /// Position in the map.
    at: usize,
}

impl MappedFile {
    pub(crate) fn new(file: File, len: u64) -> Self {
        Self { file, len, map: None, map_start: 0, at: 0 }
    }

    pub(crate) fn into_file(self) -> File {
        self.file
    }

    #[inline]
    fn window(&self) -> &[u8] {
        self.map.as_deref().and_then(|map| map.get(self.at..)).unwrap_or_default()
    }

    fn map_len(&self) -> usize {
        self.map.as_deref().map_or(0, <[u8]>::len)
    }

    fn grow(&mut self, need: usize) -> io::Result<bool> {
        let start = self.map_start + self.at as u64;
        // A file that was cut since it was opened ends there; one that grew is read as far as it was.
        let len = self.len.min(self.file.metadata()?.len());
        let left = usize::try_from(len.saturating_sub(start)).unwrap_or(usize::MAX);
        if left <= self.window().len() {
            return Ok(false);
        }
        self.map = None;
        self.map_start = start;
        self.at = 0;
        self.map = Some(map(&self.file, start, left.min(MAP_WINDOW.max(need)))?);
        Ok(true)
    }
}

/// Maps `len` bytes of a file from `start`, read-only.
#[expect(unsafe_code)]
fn map(file: &File, start: u64, len: usize) -> io::Result<Mmap> {
    let mut options = MmapOptions::new();
    options.offset(start).len(len);
    // SAFETY: the map is private to this module and only lent out as `&[u8]` that is parsed without assuming that two reads
    // of a byte agree: every length is checked against the slice, never remembered across reads. Another process that
    // writes to the file changes what is read, no more; one that truncates it makes access fail with SIGBUS, which ends
    // the process without undefined behaviour. `grow` asks for the length again just before, so the window for that is
    // small.
    let map = unsafe { options.map(file)? };
    // Only advice. The kernel then maps many pages at a fault by itself (`filemap_map_pages`): to ask for all of them first
    // costs more.
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Sequential);
    Ok(map)
}

/// Anything that is read in order: a pipe, a decompressor.
pub(crate) struct Stream {
    reader: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    consumed: u64,
}

impl Stream {
    pub(crate) fn new(reader: Box<dyn Read + Send>) -> Self {
        Self { reader, buffer: Vec::new(), start: 0, end: 0, consumed: 0 }
    }

    /// The same stream from its beginning, if nothing was consumed.
    pub(crate) fn into_reader(self) -> Box<dyn Read + Send> {
        let mut buffered = self.buffer;
        buffered.truncate(self.end);
        Box::new(io::Cursor::new(buffered).chain(self.reader))
    }

    /// As [`Source::window`].
    #[inline]
    pub(crate) fn window(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// As [`Source::grow`].
    pub(crate) fn grow(&mut self, need: usize) -> io::Result<bool> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        // As bytes come, not as a length field asks for: a damaged one would have megabytes cleared for nothing.
        if self.end == self.buffer.len() {
            self.buffer.resize((self.end * 2).min(need).max(STREAM_BUFFER), 0);
        }
        loop {
            let free = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.reader.read(free) {
                Ok(0) => return Ok(false),
                Ok(len) => {
                    self.end = (self.end + len).min(self.buffer.len());
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Counts the bytes that go through, and remembers whether reading them ever failed, which tells a failing disk from damaged
/// compression above it.
pub(crate) struct Metered<R> {
    reader: R,
    meter: Arc<Meter>,
}

#[derive(Debug, Default)]
pub(crate) struct Meter {
    bytes: AtomicU64,
    has_failed: AtomicBool,
}

impl Meter {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
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
