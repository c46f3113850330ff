use std::io::{self, Read};

/// Bytes that a file is read by: they stay in a processor's second-level cache until they are decoded, and from 128 kB to 1 MB
/// there is no difference to measure.
pub(crate) const FILE_CHUNK: usize = 256 << 10;

/// Bytes that a pipe or a decompressor is read by: what a pipe holds. What a decompressor has made of them when it meets damage
/// is lost.
pub(crate) const STREAM_CHUNK: usize = 64 << 10;

/// Bytes that a source is read by first; then by twice as many, up to its chunk. Of a thousand captures that are merged, most wait
/// while a few are read.
const FIRST_CHUNK: usize = 16 << 10;

/// The bytes of a capture, read from front to end.
pub(crate) struct Source {
    reader: Box<dyn Read + Send>,
    /// Bytes to read at a time, once there were as many.
    chunk: usize,
    buffer: Vec<u8>,
    /// What of the buffer is read and not consumed yet.
    start: usize,
    end: usize,
    consumed: u64,
}

impl Source {
    /// Reads `chunk` bytes at a time.
    pub(crate) fn new(reader: Box<dyn Read + Send>, chunk: usize) -> Self {
        Self { reader, chunk, buffer: Vec::new(), start: 0, end: 0, consumed: 0 }
    }

    /// The bytes at hand that are not consumed yet.
    #[inline]
    pub(crate) fn window(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Moves on by `len` bytes of the window.
    pub(crate) fn consume(&mut self, len: usize) {
        let len = len.min(self.end - self.start);
        self.start += len;
        self.consumed += len as u64;
    }

    /// Tries to make the window longer, towards `need` bytes; false at the end of the input.
    pub(crate) fn grow(&mut self, need: usize) -> io::Result<bool> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        // Longer as bytes come, not as a length field asks for: a damaged one would have megabytes cleared for nothing.
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

    /// Lets the input end with this failure after the window.
    pub(crate) fn fail(&mut self, cause: io::Error) {
        self.reader = Box::new(Failed(Some(cause)));
    }

    /// Bytes consumed, uncompressed.
    pub(crate) fn offset(&self) -> u64 {
        self.consumed
    }

    /// The same bytes from their beginning, if none were consumed.
    pub(crate) fn into_reader(self) -> Box<dyn Read + Send> {
        let mut buffered = self.buffer;
        buffered.truncate(self.end);
        Box::new(io::Cursor::new(buffered).chain(self.reader))
    }
}

/// Fails once.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
