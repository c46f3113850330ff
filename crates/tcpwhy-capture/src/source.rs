use std::io::{self, Read};

/// Bytes per read of a file. They stay in the second-level cache until they are decoded; sizes from 128 kB to
/// 1 MB showed no measurable difference.
pub(crate) const FILE_CHUNK: usize = 256 << 10;

/// Bytes per read of a pipe or a decompressor: the capacity of a pipe. Decompressed bytes of a read that
/// meets damage are lost.
pub(crate) const STREAM_CHUNK: usize = 64 << 10;

/// Bytes of the first read; later reads double up to the chunk. When a thousand captures are merged, most of
/// them wait while a few are read.
const FIRST_CHUNK: usize = 16 << 10;

/// The bytes of a capture, read from front to end.
pub(crate) struct Source {
    reader: Box<dyn Read + Send>,
    /// Bytes per read, after smaller first reads.
    chunk: usize,
    buffer: Vec<u8>,
    /// Range of the buffer that is read but not consumed.
    start: usize,
    end: usize,
    consumed: u64,
}

impl Source {
    /// A source that reads `chunk` bytes at a time.
    pub(crate) fn new(reader: Box<dyn Read + Send>, chunk: usize) -> Self {
        Self { reader, chunk, buffer: Vec::new(), start: 0, end: 0, consumed: 0 }
    }

    /// Available bytes that are not consumed yet.
    #[inline]
    pub(crate) fn window(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Consumes `len` bytes of the window.
    pub(crate) fn consume(&mut self, len: usize) {
        let len = len.min(self.end - self.start);
        self.start += len;
        self.consumed += len as u64;
    }

    /// Tries to extend the window towards `need` bytes. Returns false at the end of the input.
    pub(crate) fn grow(&mut self, need: usize) -> io::Result<bool> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        // Grows with the available bytes, not with a length field: a damaged field would cause megabytes to
        // be cleared.
        let len = self.buffer.len();
        if len < self.chunk || self.end == len {
            let longest = need.max(self.chunk).max(self.end + 1);
            let wanted = (len * 2).clamp(FIRST_CHUNK, longest);
            self.buffer.reserve_exact(wanted - len);
            self.buffer.resize(wanted, 0);
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

    /// Makes the input end with this error after the window.
    pub(crate) fn fail(&mut self, cause: io::Error) {
        self.reader = Box::new(Failed(Some(cause)));
    }

    /// Bytes consumed, uncompressed.
    pub(crate) fn offset(&self) -> u64 {
        self.consumed
    }

    /// All bytes from the beginning, if none were consumed.
    pub(crate) fn into_reader(self) -> Box<dyn Read + Send> {
        let mut buffered = self.buffer;
        buffered.truncate(self.end);
        Box::new(io::Cursor::new(buffered).chain(self.reader))
    }
}

/// A reader that fails once and then ends.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
