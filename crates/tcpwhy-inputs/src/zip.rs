//! zip with zip64 (APPNOTE.TXT 6.3), by the central directory at the end of the file.
//!
//! The directory is read on demand, and members by their positions. Only the extents of members are kept.
//! Entries that share bytes would let a small archive make its reader decompress the same data many times.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use tcpwhy_capture::{Growth, bounded};

use crate::archive::{Broken, Content, MOST_NAME, Member, Other, Unreadable};
use crate::extents::Extents;
use crate::read_at::ReadAt;

/// End of central directory: 22 bytes, plus a comment of up to 65,535.
const END: usize = 22;
const MOST_COMMENT: u64 = 65_535;
/// Bytes of the zip64 end of central directory, and of the locator directly before the other end record.
const END_64: usize = 56;
const LOCATOR_64: usize = 20;
/// Bytes of the fixed part of a member's headers, in the directory and before its data.
const ENTRY: usize = 46;
const LOCAL: usize = 30;

/// Compression methods (4.4.5).
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const ZSTD: u16 = 93;

/// Marks a number that is in the zip64 field instead.
const IN_ZIP64: u64 = 0xffff_ffff;

/// Compressed bytes per read.
const BUFFER: usize = 64 << 10;

/// A zip archive in a regular file.
pub(crate) struct Zip {
    file: Arc<File>,
    directory: BufReader<ReadAt>,
    /// Number of entries according to the end of the directory.
    entries: u64,
    /// Number of entries read so far.
    read: u64,
    is_over: bool,
    /// Start of the archive in the file, because a program may precede it.
    base: u64,
    /// Extents of the members so far.
    extents: Extents,
    growth: Growth,
}

/// An entry of the directory.
struct Entry {
    flags: u16,
    method: u16,
    crc: u32,
    stored: u64,
    len: u64,
    offset: u64,
    /// The Unix mode; 0 if the archive was created on another system.
    mode: u32,
    /// Size according to the directory, in bytes.
    listed: u64,
    name: Vec<u8>,
}

impl Zip {
    pub(crate) fn open(file: File, growth: &Growth) -> Result<Self, Broken> {
        let file = Arc::new(file);
        let len = file.metadata()?.len();
        let tail_start = len.saturating_sub(END as u64 + MOST_COMMENT + LOCATOR_64 as u64);
        let mut tail = Vec::new();
        ReadAt::new(Arc::clone(&file), tail_start, len).read_to_end(&mut tail)?;
        let is_end = |at: &usize| {
            let Some(end) = tail.get(*at..at + END) else { return false };
            end.starts_with(b"PK\x05\x06") && at + END + usize::from(u16_at(end, 20)) <= tail.len()
        };
        let at = (0..tail.len()).rev().find(is_end).ok_or(Broken::Ends)?;
        let end = &tail[at..at + END];
        let (mut entries, mut size, mut offset) =
            (u64::from(u16_at(end, 10)), u64::from(u32_at(end, 12)), u64::from(u32_at(end, 16)));
        let mut directory_end = tail_start + at as u64;
        let locator = at.checked_sub(LOCATOR_64).map(|start| &tail[start..at]);
        if let Some(locator) = locator.filter(|locator| locator.starts_with(b"PK\x06\x07")) {
            // The record is directly before its locator, or at the claimed position if a program precedes the
            // archive.
            let claimed = u64_at(locator, 8);
            let usual = (directory_end - LOCATOR_64 as u64).checked_sub(END_64 as u64);
            let mut end = [0; END_64];
            let place = [usual, Some(claimed)].into_iter().flatten().find(|&place| {
                let mut here = ReadAt::new(Arc::clone(&file), place, len);
                here.read_exact(&mut end).is_ok() && end.starts_with(b"PK\x06\x06")
            });
            directory_end = place.ok_or(Broken::Corrupt)?;
            (entries, size, offset) = (u64_at(&end, 32), u64_at(&end, 40), u64_at(&end, 48));
        }
        let start = directory_end.checked_sub(size).ok_or(Broken::Corrupt)?;
        let base = start.checked_sub(offset).ok_or(Broken::Corrupt)?;
        let directory = BufReader::new(ReadAt::new(Arc::clone(&file), start, directory_end));
        let extents = Extents::with_gaps_below(LOCAL as u64);
        Ok(Self { file, directory, entries, read: 0, is_over: false, base, extents, growth: growth.clone() })
    }

    /// The next member; `None` at the end and after an error.
    pub(crate) fn next(&mut self) -> Result<Option<Member>, Broken> {
        if self.is_over {
            return Ok(None);
        }
        let next = self.directory.fill_buf()?;
        // The directory ends after its size, or at a signature (4.3.13).
        if next.is_empty() || next.starts_with(b"PK\x05\x05") {
            self.is_over = true;
            // The count has 16 bits in old archives, which may contain more members.
            let is_same = self.read % (1 << 16) == self.entries % (1 << 16);
            return if is_same { Ok(None) } else { Err(Broken::Corrupt) };
        }
        self.read += 1;
        let entry = self.entry().inspect_err(|_| self.is_over = true)?;
        let content = self.content(&entry).inspect_err(|_| self.is_over = true)?;
        Ok(Some(Member { name: entry.name, content }))
    }

    fn entry(&mut self) -> Result<Entry, Broken> {
        let mut header = [0; ENTRY];
        self.directory.read_exact(&mut header)?;
        if !header.starts_with(b"PK\x01\x02") {
            return Err(Broken::Corrupt);
        }
        let mut part = |len: u16| {
            let mut bytes = vec![0; usize::from(len)];
            self.directory.read_exact(&mut bytes).map(|()| bytes)
        };
        let mut name = part(u16_at(&header, 28))?;
        name.truncate(MOST_NAME);
        let extra = part(u16_at(&header, 30))?;
        let comment = part(u16_at(&header, 32))?;
        let listed = (ENTRY + usize::from(u16_at(&header, 28)) + extra.len() + comment.len()) as u64;
        let is_unix = header[5] == 3;
        let mut entry = Entry {
            flags: u16_at(&header, 8),
            method: u16_at(&header, 10),
            crc: u32_at(&header, 16),
            stored: u64::from(u32_at(&header, 20)),
            len: u64::from(u32_at(&header, 24)),
            offset: u64::from(u32_at(&header, 42)),
            mode: if is_unix { u32_at(&header, 38) >> 16 } else { 0 },
            listed,
            name,
        };
        entry.take_zip64(&extra)?;
        Ok(entry)
    }

    fn content(&mut self, entry: &Entry) -> Result<Content, Broken> {
        /// Bit 0 of the flags (4.4.4). If the directory itself is encrypted, there are no names.
        const ENCRYPTED: u16 = 1;
        match entry.mode & 0o170_000 {
            _ if entry.name.ends_with(b"/") => return Ok(Content::Other(Other::Folder)),
            0o040_000 => return Ok(Content::Other(Other::Folder)),
            0o120_000 => return Ok(Content::Other(Other::Link)),
            0 | 0o100_000 => {}
            _ => return Ok(Content::Other(Other::Special)),
        }
        if entry.flags & ENCRYPTED != 0 {
            return Ok(Content::Unreadable(Unreadable::Encrypted));
        }
        let (start, end) = match self.place(entry) {
            Ok((header, start, end)) if self.extents.add(header, end) => {
                self.growth.take_member(entry.listed.saturating_add(end - header))?;
                (start, end)
            }
            Ok(_) => return Err(Broken::Overlaps(entry.name.clone())),
            Err(unreadable) => return Ok(Content::Unreadable(unreadable)),
        };
        Ok(match self.reader(entry, start, end) {
            Ok(reader) => {
                let reader = Box::new(Checked { reader, crc: Crc::new(), left: entry.len, expected: entry.crc });
                let growth = self.growth.within(entry.stored, entry.len);
                Content::File { reader, len: entry.len, growth }
            }
            Err(unreadable) => Content::Unreadable(unreadable),
        })
    }

    /// Start of the member's header, start of its data, and end of its data.
    fn place(&self, entry: &Entry) -> Result<(u64, u64, u64), Unreadable> {
        let header = self.base.checked_add(entry.offset).ok_or(Unreadable::Corrupt)?;
        let mut local = [0; LOCAL];
        let mut here = ReadAt::new(Arc::clone(&self.file), header, u64::MAX);
        here.read_exact(&mut local).map_err(Unreadable::Failed)?;
        if !local.starts_with(b"PK\x03\x04") {
            return Err(Unreadable::Corrupt);
        }
        let before = LOCAL as u64 + u64::from(u16_at(&local, 26)) + u64::from(u16_at(&local, 28));
        let start = header.checked_add(before).ok_or(Unreadable::Corrupt)?;
        let end = start.checked_add(entry.stored).ok_or(Unreadable::Corrupt)?;
        Ok((header, start, end))
    }

    /// The decompressed content of the member.
    fn reader(&self, entry: &Entry, start: u64, end: u64) -> Result<Box<dyn Read + Send>, Unreadable> {
        let stored = ReadAt::new(Arc::clone(&self.file), start, end);
        let buffered = |stored| BufReader::with_capacity(BUFFER, stored);
        let growth = &self.growth.within(1, 1);
        Ok(match entry.method {
            STORED => Box::new(stored),
            DEFLATED => {
                let decoder = bounded(stored, growth, |stored| Ok(DeflateDecoder::new(buffered(stored))));
                Box::new(decoder.map_err(Unreadable::Failed)?)
            }
            ZSTD => {
                let decoder = bounded(stored, growth, |stored| zstd_decoder(buffered(stored)));
                Box::new(decoder.map_err(Unreadable::Failed)?)
            }
            method => return Err(Unreadable::Method(method)),
        })
    }
}

fn zstd_decoder(stored: impl BufRead) -> io::Result<impl Read> {
    /// Limit for the window of a frame, as a power of two, the same as for captures.
    const MAX_WINDOW_LOG: u32 = 27;
    let mut decoder = zstd::stream::read::Decoder::with_buffer(stored)?;
    decoder.window_log_max(MAX_WINDOW_LOG)?;
    Ok(decoder)
}

impl Entry {
    /// Reads numbers that do not fit into the header from the extra field 1 (4.5.3), in this order.
    fn take_zip64(&mut self, mut extra: &[u8]) -> Result<(), Broken> {
        const ZIP64: u16 = 1;
        while let Some((head, rest)) = extra.split_first_chunk::<4>() {
            let len = usize::from(u16_at(head, 2));
            // Some programs leave invalid data here.
            let Some((field, rest)) = rest.split_at_checked(len) else { break };
            if u16_at(head, 0) == ZIP64 {
                let mut numbers = field.chunks_exact(8).map(|bytes| u64_at(bytes, 0));
                for number in [&mut self.len, &mut self.stored, &mut self.offset] {
                    if *number == IN_ZIP64 {
                        *number = numbers.next().ok_or(Broken::Corrupt)?;
                    }
                }
            }
            extra = rest;
        }
        Ok(())
    }
}

/// Fails at the end if length or checksum of a member differ from those in the directory.
struct Checked<R> {
    reader: R,
    crc: Crc,
    /// Bytes that must still follow.
    left: u64,
    expected: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let len = self.reader.read(buffer)?;
        self.crc.update(&buffer[..len]);
        let is_over = len == 0;
        match self.left.checked_sub(len as u64) {
            Some(left) if !is_over => self.left = left,
            Some(0) if self.crc.sum() == self.expected => {}
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
        Ok(len)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
