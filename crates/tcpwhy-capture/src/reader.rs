mod annotate;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use tcpwhy_model::foreign::decode;
use tcpwhy_model::{AnomalyKind, CaptureFormat, CaptureSummary, Segment, Traffic};

use crate::compression::{Compression, decompressed};
use crate::detect;
use crate::error::CaptureError;
use crate::file::WatchedFile;
use crate::growth::{Growth, Overgrown};
use crate::kernel_block::KernelHearer;
use crate::meter::{Meter, Metered};
use crate::payload::PayloadHearer;
use crate::pcap::{self, PcapParser, Probe};
use crate::pcapng::{self, BadSection, PcapngParser};
use crate::source::{FILE_CHUNK, STREAM_CHUNK, Source};
use crate::tally::{Sink, Step, Tally};

pub use annotate::AnnotatedCopy;

/// Maximum number of packets per call of [`CaptureReader::read_batch`].
const PACKETS_PER_BATCH: u64 = 1 << 18;

/// Approximate maximum of bytes per call of [`CaptureReader::read_batch`]: a capture may contain blocks
/// without packets.
const BYTES_PER_BATCH: u64 = 64 << 20;

/// Number of bytes that identify the compression.
const MAGIC: usize = 4;

/// Segments that the iterator decodes ahead.
const ITERATOR_BATCH: usize = 1024;

/// Reads one capture, from a file or a stream, to its end or up to damage.
///
/// ```no_run
/// # fn main() -> Result<(), tcpwhy_capture::CaptureError> {
/// let mut capture = tcpwhy_capture::CaptureReader::open("transfer.pcapng".as_ref())?;
/// let mut segments = Vec::new();
/// while capture.read_batch(&mut segments, 4096) {
///     segments.drain(..).for_each(|segment| println!("{} {}", segment.timestamp, segment.payload_len));
/// }
/// println!("{} packets", capture.summary().packets);
/// # Ok(())
/// # }
/// ```
pub struct CaptureReader {
    path: String,
    /// Source of the bytes; `None` after the end, so that files and buffers are freed early.
    source: Option<Source>,
    /// Whether further bytes may be delayed, so that available ones are delivered at once.
    may_wait: bool,
    parser: Parser,
    tally: Tally,
    hearer: Option<Box<dyn PayloadHearer>>,
    /// Compression between the source and the parser.
    compression: Option<Compression>,
    meter: Arc<Meter>,
    growth: Growth,
    /// Whether the file was overwritten and this is counted already.
    is_rewritten: bool,
    bytes_total: Option<u64>,
    error: Option<CaptureError>,
    ahead: std::vec::IntoIter<Segment>,
}

enum Parser {
    Pcap(PcapParser),
    Pcapng(PcapngParser),
}

/// Whether a file begins like a capture: pcap or pcapng, plain, gzip or zstd. Reads only its beginning.
pub fn begins_like_capture(source: impl Read + Send + 'static) -> bool {
    let Ok(source) = decompressed(source, &Growth::default()) else { return false };
    let mut begin = Vec::new();
    // The bytes before a failure may suffice.
    let _ = source.take(detect::PREFIX as u64).read_to_end(&mut begin);
    Parser::detect(&begin, "").is_ok()
}

/// SHA-256 of an input as it is stored, compressed or not.
///
/// Inputs with equal hashes have the same bytes, even if they were chosen maliciously: no collision is known.
/// The hash needs no second pass, and equals the output of `sha256sum`.
#[derive(Clone, Debug)]
pub struct ContentHash(Arc<Meter>);

impl ContentHash {
    /// Hexadecimal digits of the hash; `None` unless the input was read to its end.
    pub fn hex(&self) -> Option<String> {
        use std::fmt::Write as _;
        let digest = self.0.digest()?;
        Some(digest.iter().fold(String::with_capacity(2 * digest.len()), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        }))
    }
}

impl CaptureReader {
    /// Opens a capture file: pcap or pcapng, plain, gzip or zstd, recognised by the first bytes. Regular
    /// files are read up to their length at opening, others (pipes, devices) as a stream. `-` is an ordinary
    /// file name here.
    pub fn open(path: &Path) -> Result<Self, CaptureError> {
        Self::open_as(path, &decode(path.as_os_str().as_encoded_bytes()))
    }

    /// Like [`CaptureReader::open`], with `name` as the file's name in messages and in the summary.
    pub fn open_as(path: &Path, name: &str) -> Result<Self, CaptureError> {
        let file = File::open(path).map_err(|cause| CaptureError::Open { path: name.to_owned(), cause })?;
        Self::from_file(file, name)
    }

    /// Like [`CaptureReader::open_as`], for a file that is open already, even if its path now refers to
    /// another one.
    pub fn from_file(file: File, name: &str) -> Result<Self, CaptureError> {
        let name = name.to_owned();
        let failed = |cause| CaptureError::Open { path: name.clone(), cause };
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if !metadata.is_file() || metadata.len() == 0 {
            return Self::from_read(file, &name);
        }
        let meter = Arc::<Meter>::default();
        let file = WatchedFile::new(file, &meter).map_err(failed)?;
        let len = file.len();
        let source = Source::new(Box::new(Metered::new(file, &meter)), FILE_CHUNK);
        let mut opened = Self::from_source(source, false, meter, name, Growth::default())?;
        opened.bytes_total = Some(len);
        Ok(opened)
    }

    /// Reads a capture from a stream, such as standard input. `name` is its name in messages.
    pub fn from_read(source: impl Read + Send + 'static, name: &str) -> Result<Self, CaptureError> {
        let meter = Arc::<Meter>::default();
        let source = Source::new(Box::new(Metered::new(source, &meter)), STREAM_CHUNK);
        Self::from_source(source, true, meter, name.to_owned(), Growth::default())
    }

    /// Like [`CaptureReader::from_read`], for `len` bytes that are available, such as a member of an archive.
    pub fn from_read_of(source: impl Read + Send + 'static, len: u64, name: &str) -> Result<Self, CaptureError> {
        Self::from_member(source, len, name, Growth::default())
    }

    /// Like [`CaptureReader::from_read_of`], for a member of an archive that is limited by `growth`.
    pub fn from_member(
        source: impl Read + Send + 'static,
        len: u64,
        name: &str,
        growth: Growth,
    ) -> Result<Self, CaptureError> {
        let meter = Arc::<Meter>::default();
        let source = Source::new(Box::new(Metered::new(source, &meter)), FILE_CHUNK);
        let mut opened = Self::from_source(source, false, meter, name.to_owned(), growth)?;
        opened.bytes_total = Some(len);
        Ok(opened)
    }

    fn from_source(
        mut source: Source,
        mut may_wait: bool,
        meter: Arc<Meter>,
        path: String,
        growth: Growth,
    ) -> Result<Self, CaptureError> {
        // The bytes before a failure may be a capture, so the failure is kept until the reader reaches it.
        let mut failure = fill(&mut source, MAGIC).err();
        let compression = Compression::detect(source.window());
        if let (Some(compression), None) = (compression, &failure) {
            source = match compression.decoder(source.into_reader(), &growth) {
                Ok(decoder) => Source::new(decoder, STREAM_CHUNK),
                Err(cause) => return Err(CaptureError::Compression { path, cause }),
            };
            may_wait = true;
        }
        failure = failure.or_else(|| fill(&mut source, detect::PREFIX).err());
        if let Some(cause) = failure {
            if source.window().len() < pcap::FILE_HEADER {
                return Err(match compression {
                    Some(_) if !meter.has_failed() => CaptureError::Compression { path, cause },
                    _ => CaptureError::Read { path, offset: source.offset(), packets: 0, cause },
                });
            }
            source.fail(cause);
        }
        let (mut parser, header_len) = Parser::detect(source.window(), &path)?;
        source.consume(header_len);
        let mut tally = Tally::default();
        if !parser.probe(&mut source) {
            tally.note_second(AnomalyKind::UnknownRecords);
        }
        Ok(Self {
            path,
            source: Some(source),
            parser,
            tally,
            hearer: None,
            may_wait,
            compression,
            meter,
            growth,
            is_rewritten: false,
            bytes_total: None,
            error: None,
            ahead: Vec::new().into_iter(),
        })
    }

    /// Passes kernel data about sockets to `hearer`, list by list in their order among the packets. Only
    /// recordings contain such data. Damaged lists count as anomalies.
    pub fn hear_kernel(&mut self, hearer: KernelHearer) {
        if let Parser::Pcapng(parser) = &mut self.parser {
            parser.hear(hearer, self.growth.clone());
        }
    }

    /// Sets the bytes to which compressed input may expand beyond a factor of 1000, instead of 256 MiB. To be
    /// called before any read.
    pub fn may_grow(&mut self, bytes: u64) {
        self.growth.set_free(bytes);
    }

    /// Hashes the input while it is read. To be called before any read.
    pub fn hash_content(&mut self) -> ContentHash {
        self.meter.hash();
        ContentHash(Arc::clone(&self.meter))
    }

    /// Passes requested payload to `hearer`.
    pub fn hear_payload(&mut self, hearer: impl PayloadHearer + 'static) {
        self.hearer = Some(Box::new(hearer));
    }

    /// Appends up to `max` segments to `out`. Returns false at the end of the capture, when it appended none.
    ///
    /// The segments include those quoted by ICMP errors ([`Segment::undelivered`]), which the summary does
    /// not count.
    ///
    /// Batches may be shorter than `max`, or empty in long parts without TCP. A stream delivers the bytes
    /// that have arrived, and each call does a bounded amount of work so that the caller can show progress.
    pub fn read_batch(&mut self, out: &mut Vec<Segment>, max: usize) -> bool {
        let before = out.len();
        let limit = before.saturating_add(max);
        self.meter.settle();
        out.extend(self.ahead.by_ref().take(max));
        let last_packet = self.tally.packets().saturating_add(PACKETS_PER_BATCH);
        let last_byte = self.source.as_ref().map_or(0, |source| source.offset().saturating_add(BYTES_PER_BATCH));
        while out.len() < limit && self.tally.packets() < last_packet {
            let Some(source) = self.source.as_mut().filter(|source| source.offset() < last_byte) else { break };
            let hearer = self.hearer.as_deref_mut();
            let mut sink = Sink { tally: &mut self.tally, out, limit, last_packet, hearer };
            let step = self.parser.advance(source.window(), &mut sink);
            match step {
                Step::Full { consumed } => source.consume(consumed),
                Step::Corrupt { consumed } => {
                    source.consume(consumed);
                    self.end();
                }
                Step::Starved { consumed, need } => {
                    source.consume(consumed);
                    if self.may_wait && out.len() > before {
                        break;
                    }
                    self.starved(need);
                }
            }
        }
        out.len() > before || self.source.is_some() || self.ahead.len() > 0
    }

    /// Counters so far; complete once [`read_batch`](Self::read_batch) has returned false.
    pub fn summary(&self) -> CaptureSummary {
        self.tally.summary(&self.path, self.parser.format())
    }

    /// Takes the counted traffic of UDP and other protocols so far.
    pub fn take_traffic(&mut self) -> Traffic {
        std::mem::take(&mut self.tally.traffic)
    }

    /// The error of the operating system that ended reading early, if any.
    pub fn error(&self) -> Option<&CaptureError> {
        self.error.as_ref()
    }

    /// Like [`error`](Self::error), by value.
    pub fn into_error(self) -> Option<CaptureError> {
        self.error
    }

    /// Bytes of the input read so far; compressed bytes of a compressed input.
    pub fn bytes_read(&self) -> u64 {
        self.meter.bytes()
    }

    /// Length of the input in bytes, if it is a file.
    pub fn bytes_total(&self) -> Option<u64> {
        self.bytes_total
    }

    /// Reads more bytes: `need` bytes after the consumed ones. Ends the reading at the end of the input or on
    /// failure.
    fn starved(&mut self, need: usize) {
        let Some(source) = &mut self.source else { return };
        let grown = source.grow(need);
        if !self.is_rewritten && self.meter.is_rewritten() {
            self.is_rewritten = true;
            self.tally.note_next(AnomalyKind::RewrittenFile, self.meter.bytes());
        }
        match grown {
            Ok(true) => {}
            Ok(false) => {
                if !source.window().is_empty() && !self.meter.has_changed() {
                    self.tally.note_next(AnomalyKind::TruncatedFile, source.offset());
                }
                self.end();
            }
            Err(cause) => self.fail(cause),
        }
    }

    fn end(&mut self) {
        if self.source.take().is_some() && self.meter.has_shrunk() {
            self.tally.note_next(AnomalyKind::ShrunkFile, self.meter.bytes());
        }
    }

    fn fail(&mut self, cause: io::Error) {
        let offset = self.source.as_ref().map_or(0, Source::offset);
        if Overgrown::is(&cause) {
            self.tally.note_next(AnomalyKind::ExcessiveGrowth, offset);
        } else if self.compression.is_none() || self.meter.has_failed() {
            let path = self.path.clone();
            self.tally.note_next(AnomalyKind::ReadError, offset);
            self.error = Some(CaptureError::Read { path, offset, packets: self.tally.packets(), cause });
        } else if !self.meter.has_changed() {
            self.tally.note_next(AnomalyKind::CorruptCompression, self.meter.bytes());
        }
        self.end();
    }
}

impl Iterator for CaptureReader {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        loop {
            if let Some(segment) = self.ahead.next() {
                return Some(segment);
            }
            let mut batch = Vec::new();
            if !self.read_batch(&mut batch, ITERATOR_BATCH) {
                return None;
            }
            self.ahead = batch.into_iter();
        }
    }
}

impl Parser {
    /// The parser for a file with this beginning, and the length of the parsed file header.
    fn detect(begin: &[u8], path: &str) -> Result<(Self, usize), CaptureError> {
        let path = path.to_owned();
        let truncated = |path| Err(CaptureError::TruncatedHeader { path, len: begin.len() as u64 });
        if begin.is_empty() {
            return Err(CaptureError::Empty { path });
        }
        if begin.starts_with(&pcapng::MAGIC) {
            let Some(section) = begin.first_chunk() else { return truncated(path) };
            return match pcapng::section(section) {
                Ok(endian) => Ok((Self::Pcapng(PcapngParser::new(endian)), 0)),
                Err(BadSection::ByteOrder | BadSection::Length) => Err(CaptureError::CorruptHeader { path }),
                Err(BadSection::Version(major, minor)) => {
                    Err(CaptureError::Version { path, format: "pcapng", major, minor })
                }
            };
        }
        if let Some((endian, format)) = begin.first_chunk().copied().and_then(pcap::magic) {
            let len = pcap::file_header(begin);
            let Some(header) = begin.first_chunk().filter(|_| begin.len() >= len) else { return truncated(path) };
            return match PcapParser::new(header, endian, format) {
                Ok(parser) => Ok((Self::Pcap(parser), len)),
                Err((major, minor)) => Err(CaptureError::Version { path, format: "pcap", major, minor }),
            };
        }
        if let Some(format) = detect::other_format(begin) {
            return Err(CaptureError::OtherFormat { path, format });
        }
        let hexadecimal: Vec<String> = begin.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        Err(CaptureError::Unknown { path, begin: hexadecimal.join(" ") })
    }

    /// Determines the variant of the format from the first records. Returns false if they fit none.
    fn probe(&mut self, source: &mut Source) -> bool {
        let Self::Pcap(parser) = self else { return true };
        let mut is_end = false;
        loop {
            match parser.probe(source.window(), is_end) {
                Probe::Known => return true,
                Probe::Unknown => return false,
                Probe::Needs(need) => match source.grow(need) {
                    Ok(has_more) => is_end = !has_more,
                    Err(cause) => {
                        source.fail(cause);
                        is_end = true;
                    }
                },
            }
        }
    }

    fn advance(&mut self, bytes: &[u8], sink: &mut Sink<'_>) -> Step {
        match self {
            Self::Pcap(parser) => parser.advance(bytes, sink),
            Self::Pcapng(parser) => parser.advance(bytes, sink),
        }
    }

    fn format(&self) -> CaptureFormat {
        match self {
            Self::Pcap(parser) => parser.format(),
            Self::Pcapng(_) => CaptureFormat::Pcapng,
        }
    }
}

/// Extends the window to `need` bytes, or to the end of the input.
fn fill(source: &mut Source, need: usize) -> io::Result<&[u8]> {
    while source.window().len() < need && source.grow(need)? {}
    Ok(source.window())
}
