//! tar, read sequentially: POSIX.1-2017 `pax` (ustar and extended headers), and long names of GNU tar.
//!
//! The archive owns its reader, so that another thread can read a member. Memory for extended headers is
//! bounded; the `tar` crate would read gigabytes if a header claims them.

use std::io::{self, Cursor, Read};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tcpwhy_capture::Growth;

use crate::archive::{Broken, Content, MOST_NAME, Member, Other, Unreadable};

/// Bytes per header. All lengths are rounded up to a multiple.
const BLOCK: usize = 512;

/// Limit for an extended header in bytes, many times the size of a 4 KiB name and attributes.
const MOST_EXTENDED: u64 = 1 << 20;

/// Limit for blocks with positions of a file's holes; each contains 21.
const MOST_OF_HOLES: usize = 1 << 16;

/// Members under this size, in bytes, are read into memory. So the next member can be listed before they are
/// analysed.
const HELD: u64 = 4 << 20;

/// A tar archive.
pub(crate) struct Tar {
    stream: Arc<Mutex<Stream>>,
    growth: Growth,
}

/// A function called before each read of an archive.
pub(crate) type Check = dyn Fn() -> io::Result<()> + Send + Sync;

struct Checked {
    reader: Box<dyn Read + Send>,
    check: Arc<Check>,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.check)()?;
        self.reader.read(buffer)
    }
}

struct Stream {
    reader: Box<dyn Read + Send>,
    /// Bytes of the current member that were not read yet, and bytes of its padding.
    left: u64,
    padding: u64,
    /// Number of the current member.
    member: u64,
    /// Whether the reader of a member has seen an error of the archive.
    has_failed: bool,
}

/// The header of a member, after its extensions.
struct Header {
    name: Vec<u8>,
    /// Bytes of a file, or the kind of another member.
    content: Result<u64, Other>,
}

/// Properties of the next member from extended headers.
#[derive(Default)]
struct Extended {
    name: Option<Vec<u8>>,
    len: Option<u64>,
    /// The file is sparse, so its stored data lacks the holes.
    is_sparse: bool,
}

impl Tar {
    /// Reads an archive; `growth` is the limit of `reader`.
    pub(crate) fn new(reader: Box<dyn Read + Send>, growth: &Growth) -> Self {
        let stream = Stream { reader, left: 0, padding: 0, member: 0, has_failed: false };
        Self { stream: Arc::new(Mutex::new(stream)), growth: growth.clone() }
    }

    /// Calls `check` before each read; its error ends the archive.
    pub(crate) fn with_check(self, check: Arc<Check>) -> Self {
        let mut stream = lock(&self.stream);
        let reader = mem::replace(&mut stream.reader, Box::new(io::empty()));
        stream.reader = Box::new(Checked { reader, check });
        drop(stream);
        self
    }

    /// Whether a member of `len` bytes can be read only until the next one is requested.
    pub(crate) const fn reads_in_place(len: u64) -> bool {
        len >= HELD
    }

    /// The next member; `None` at the end and after an error.
    pub(crate) fn next(&mut self) -> Result<Option<Member>, Broken> {
        let mut stream = lock(&self.stream);
        if stream.has_failed {
            return Ok(None);
        }
        let next = stream.next_header();
        stream.has_failed = next.is_err();
        let Some(Header { name, content }) = next? else { return Ok(None) };
        drop(stream);
        let content = match content {
            Ok(len) => self.file(len),
            Err(other) => Content::Other(other),
        };
        Ok(Some(Member { name, content }))
    }

    fn file(&self, len: u64) -> Content {
        self.growth.count_member(len);
        let number = lock(&self.stream).member;
        let mut reader = MemberReader { stream: Arc::clone(&self.stream), number };
        if Self::reads_in_place(len) {
            return Content::File { reader: Box::new(reader), len, growth: self.growth.within_this() };
        }
        let mut bytes = Vec::new();
        match reader.read_to_end(&mut bytes) {
            Ok(_) => Content::File { reader: Box::new(Cursor::new(bytes)), len, growth: self.growth.within_this() },
            Err(error) => Content::Unreadable(Unreadable::Failed(error)),
        }
    }
}

impl Stream {
    /// The next header of a member; extensions are applied.
    fn next_header(&mut self) -> Result<Option<Header>, Broken> {
        let mut extended = Extended::default();
        loop {
            self.skip()?;
            let Some(header) = self.header()? else { return Ok(None) };
            let kind = header[156];
            let len = number(&header[124..136]).ok_or(Broken::Corrupt)?;
            // An extension has its own length, but an extension may also override the length of a member.
            let is_extension = matches!(kind, b'x' | b'g' | b'L' | b'K');
            let len = if is_extension { len } else { extended.len.unwrap_or(len) };
            self.member += 1;
            self.left = len;
            self.padding = len.wrapping_neg() % BLOCK as u64;
            match kind {
                b'x' => extended.take_pax(&self.extension()?)?,
                b'L' => {
                    let name = self.extension()?;
                    let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
                    extended.name = Some(name[..end.min(MOST_NAME)].to_vec());
                }
                b'g' | b'K' => {}
                _ => {
                    if kind == b'S' {
                        self.pass_holes(&header)?;
                    }
                    let content = match kind {
                        0 | b'0' | b'7' if !extended.is_sparse => Ok(len),
                        b'5' => Err(Other::Folder),
                        b'1' | b'2' => Err(Other::Link),
                        _ => Err(Other::Special),
                    };
                    let name = extended.name.unwrap_or_else(|| name_in(&header));
                    return Ok(Some(Header { name, content }));
                }
            }
        }
    }

    /// Skips the blocks that GNU tar inserts between the header of a sparse file and its data. The length in
    /// the header does not include them.
    fn pass_holes(&mut self, header: &[u8; BLOCK]) -> Result<(), Broken> {
        let mut has_more = header[482] != 0;
        for _ in 0..MOST_OF_HOLES {
            if !has_more {
                return Ok(());
            }
            let mut block = [0; BLOCK];
            self.reader.read_exact(&mut block)?;
            has_more = block[504] != 0;
        }
        Err(Broken::Corrupt)
    }

    /// The next header; `None` at the end of the archive, which is a block of zeros or the end of the file.
    fn header(&mut self) -> Result<Option<[u8; BLOCK]>, Broken> {
        let mut block = [0; BLOCK];
        let mut filled = 0;
        while filled < BLOCK {
            match self.reader.read(&mut block[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(Broken::Ends),
                Ok(len) => filled += len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        if block.iter().all(|&byte| byte == 0) {
            return Ok(None);
        }
        // The checksum counts its own field as spaces. Some old programs summed signed bytes.
        let (before, after) = (&block[..148], &block[156..]);
        let unsigned: i64 = before.iter().chain(after).map(|&byte| i64::from(byte)).sum::<i64>() + 8 * 32;
        let signed: i64 = before.iter().chain(after).map(|&byte| i64::from(byte.cast_signed())).sum::<i64>() + 8 * 32;
        let stored = number(&block[148..156]).and_then(|sum| i64::try_from(sum).ok());
        if stored != Some(unsigned) && stored != Some(signed) {
            return Err(Broken::Corrupt);
        }
        Ok(Some(block))
    }

    /// The content of an extended header.
    fn extension(&mut self) -> Result<Vec<u8>, Broken> {
        if self.left > MOST_EXTENDED {
            return Err(Broken::Corrupt);
        }
        let mut bytes = Vec::new();
        self.reader.by_ref().take(self.left).read_to_end(&mut bytes)?;
        self.left -= bytes.len() as u64;
        if self.left > 0 { Err(Broken::Ends) } else { Ok(bytes) }
    }

    /// Skips the rest of the current member.
    fn skip(&mut self) -> Result<(), Broken> {
        let rest = self.left.saturating_add(self.padding);
        let skipped = io::copy(&mut self.reader.by_ref().take(rest), &mut io::sink())?;
        (self.left, self.padding) = (0, 0);
        if skipped < rest { Err(Broken::Ends) } else { Ok(()) }
    }
}

impl Extended {
    /// Parses records `LENGTH KEY=VALUE\n`, where the length includes the whole record.
    fn take_pax(&mut self, mut records: &[u8]) -> Result<(), Broken> {
        while !records.is_empty() {
            let space = records.iter().position(|&byte| byte == b' ').ok_or(Broken::Corrupt)?;
            let len: usize = decimal(&records[..space]).ok_or(Broken::Corrupt)?;
            let record = records.get(space + 1..len).ok_or(Broken::Corrupt)?;
            let record = record.strip_suffix(b"\n").ok_or(Broken::Corrupt)?;
            let equals = record.iter().position(|&byte| byte == b'=').ok_or(Broken::Corrupt)?;
            let (key, value) = (&record[..equals], &record[equals + 1..]);
            match key {
                b"path" => self.name = Some(value[..value.len().min(MOST_NAME)].to_vec()),
                b"size" => self.len = Some(decimal(value).ok_or(Broken::Corrupt)?),
                _ => self.is_sparse |= key.starts_with(b"GNU.sparse."),
            }
            records = &records[len..];
        }
        Ok(())
    }
}

/// The name in a header. The ustar format has a prefix in a separate field.
fn name_in(header: &[u8; BLOCK]) -> Vec<u8> {
    let field = |range: std::ops::Range<usize>| {
        let field = &header[range];
        field.split(|&byte| byte == 0).next().unwrap_or_default()
    };
    let (name, prefix) = (field(0..100), field(345..500));
    // The GNU format has other fields at this position.
    if header[257..263] == *b"ustar\0" && !prefix.is_empty() { [prefix, b"/", name].concat() } else { name.to_vec() }
}

/// A number in octal digits, or in GNU's binary form, which its highest bit marks.
fn number(field: &[u8]) -> Option<u64> {
    if let Some((0x80, bytes)) = field.split_first() {
        let (high, low) = bytes.split_last_chunk::<8>().unwrap_or((&[], &[0; 8]));
        let short = bytes.iter().fold(0, |number, &byte| (number << 8) | u64::from(byte));
        let number = if bytes.len() < 8 { short } else { u64::from_be_bytes(*low) };
        return high.iter().all(|&byte| byte == 0).then_some(number).filter(|&number| i64::try_from(number).is_ok());
    }
    let is_blank = |byte: &u8| matches!(byte, b' ' | 0);
    let start = field.iter().position(|byte| !is_blank(byte)).unwrap_or(field.len());
    let digits = &field[start..];
    let end = digits.iter().position(is_blank).unwrap_or(digits.len());
    digits[..end].iter().try_fold(0_u64, |number, &byte| match byte {
        b'0'..=b'7' => Some((number << 3) | u64::from(byte - b'0')),
        _ => None,
    })
}

fn decimal<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Reads a member in place.
struct MemberReader {
    stream: Arc<Mutex<Stream>>,
    number: u64,
}

impl Read for MemberReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut stream = lock(&self.stream);
        if stream.member != self.number {
            return Err(io::Error::other("the archive was read on"));
        }
        let wanted = buffer.len().min(usize::try_from(stream.left).unwrap_or(usize::MAX));
        if wanted == 0 {
            return Ok(0);
        }
        let read = match stream.reader.read(&mut buffer[..wanted]) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            read => read,
        };
        match &read {
            Ok(len) => stream.left -= *len as u64,
            Err(error) => stream.has_failed |= error.kind() != io::ErrorKind::Interrupted,
        }
        read
    }
}

fn lock(stream: &Mutex<Stream>) -> MutexGuard<'_, Stream> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}
