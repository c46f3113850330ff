use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use tcpwhy_model::foreign::decode;
use tcpwhy_model::{AnomalyKind, Segment};

use crate::compression::Compression;
use crate::detect;
use crate::error::CaptureError;
use crate::pcap::{self, PcapParser};
use crate::pcapng::{self, BadSection, PcapngParser};
use crate::source::{MappedFile, Meter, Metered, Source, Stream};
use crate::summary::{CaptureFormat, CaptureSummary};
use crate::tally::{Sink, Step, Tally};

/// Packets that one call of [`CaptureReader::read_batch`] looks at, at most.
const PACKETS_PER_BATCH: u64 = 1 << 18;

/// Segments that the iterator decodes ahead.
const ITERATOR_BATCH: usize = 1024;

/// Reads one capture, from a file or a stream, to its end or to where it is damaged.
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
    /// `None` after the end, so that files and maps do not outlive their use.
    source: Option<Source>,
    parser: Parser,
    tally: Tally,
    /// Compression between the source and the parser.
    compression: Option<Compression>,
    meter: Arc<Meter>,
    /// Bytes of the source consumed when it ended.
    final_offset: u64,
    bytes_total: Option<u64>,
    error: Option<CaptureError>,
    ahead: std::vec::IntoIter<Segment>,
}

enum Parser {
    Pcap(PcapParser),
    Pcapng(PcapngParser),
}

impl CaptureReader {
    /// Opens a capture file: pcap or pcapng, plain, gzip or zstd, told apart by their first bytes. Regular files are mapped,
    /// others (pipes, devices) read as a stream. `-` is a file name like any other.
    pub fn open(path: &Path) -> Result<Self, CaptureError> {
        Self::open_as(path, &decode(path.as_os_str().as_encoded_bytes()))
    }

    /// As [`CaptureReader::open`]; `name` stands for the file in messages and in the summary.
    pub fn open_as(path: &Path, name: &str) -> Result<Self, CaptureError> {
        let name = name.to_owned();
        let failed = |cause| CaptureError::Open { path: name.clone(), cause };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if !metadata.is_file() || metadata.len() == 0 {
            return Self::from_read(file, &name);
        }
        let mut mapped = Source::File(MappedFile::new(file, metadata.len()));
        // Some file systems have no maps.
        let is_to_be_streamed = match fill(&mut mapped, detect::PREFIX) {
            Ok(begin) => Compression::detect(begin).is_some(),
            Err(_) => true,
        };
        let mut opened = match mapped {
            Source::File(mapped) if is_to_be_streamed => Self::from_read(mapped.into_file(), &name)?,
            source => Self::from_source(source, None, Arc::default(), name)?,
        };
        opened.bytes_total = Some(metadata.len());
        Ok(opened)
    }

    /// Reads a capture from a stream, such as standard input. `name` stands for it in messages.
    pub fn from_read(source: impl Read + Send + 'static, name: &str) -> Result<Self, CaptureError> {
        let meter = Arc::<Meter>::default();
        let failed = |cause| CaptureError::Open { path: name.to_owned(), cause };
        let mut stream = Stream::new(Box::new(Metered::new(source, &meter)));
        while stream.window().len() < 4 && stream.grow(4).map_err(failed)? {}
        let Some(compression) = Compression::detect(stream.window()) else {
            return Self::from_source(Source::Stream(stream), None, meter, name.to_owned());
        };
        let decoder = compression.decoder(stream.into_reader()).map_err(failed)?;
        Self::from_source(Source::Stream(Stream::new(decoder)), Some(compression), meter, name.to_owned())
    }

    fn from_source(
        mut source: Source,
        compression: Option<Compression>,
        meter: Arc<Meter>,
        path: String,
    ) -> Result<Self, CaptureError> {
        let mut tally = Tally::default();
        if let Err(cause) = fill(&mut source, detect::PREFIX) {
            if compression.is_none() || meter.has_failed() {
                return Err(CaptureError::Open { path, cause });
            }
            if source.window().len() < pcap::FILE_HEADER {
                return Err(CaptureError::Compression { path, cause });
            }
            tally.note_next(AnomalyKind::CorruptCompression, meter.bytes());
            source.cut();
        }
        let (parser, header_len) = Parser::detect(source.window(), &path)?;
        source.consume(header_len);
        Ok(Self {
            path,
            source: Some(source),
            parser,
            tally,
            compression,
            meter,
            final_offset: 0,
            bytes_total: None,
            error: None,
            ahead: Vec::new().into_iter(),
        })
    }

    /// Appends up to `max` segments to `out`; false at the end of the capture, when nothing was appended.
    ///
    /// Batches may be shorter than `max`, and even empty where a long stretch holds no TCP: a stream hands over what has
    /// arrived, and a call does a bounded amount of work so that the caller can show progress.
    pub fn read_batch(&mut self, out: &mut Vec<Segment>, max: usize) -> bool {
        let before = out.len();
        let limit = before.saturating_add(max);
        out.extend(self.ahead.by_ref().take(max));
        let last_packet = self.tally.packets().saturating_add(PACKETS_PER_BATCH);
        while out.len() < limit && self.tally.packets() < last_packet {
            let Some(source) = &mut self.source else { break };
            let mut sink = Sink { tally: &mut self.tally, out, limit, last_packet };
            let step = self.parser.advance(source.window(), &mut sink);
            match step {
                Step::Full { consumed } => source.consume(consumed),
                Step::Corrupt { consumed } => {
                    source.consume(consumed);
                    self.end();
                }
                Step::Starved { consumed, need } => {
                    source.consume(consumed);
                    if source.is_stream() && out.len() > before {
                        break;
                    }
                    match source.grow(need) {
                        Ok(true) => {}
                        Ok(false) => {
                            if !source.window().is_empty() {
                                self.tally.note_next(AnomalyKind::TruncatedFile, source.offset());
                            }
                            self.end();
                        }
                        Err(cause) => self.fail(cause),
                    }
                }
            }
        }
        out.len() > before || self.source.is_some() || self.ahead.len() > 0
    }

    /// What has been read so far; complete once [`read_batch`](Self::read_batch) has returned false.
    pub fn summary(&self) -> CaptureSummary {
        self.tally.summary(&self.path, self.parser.format())
    }

    /// The failure of the operating system that ended reading before the end of the input, if one did.
    pub fn error(&self) -> Option<&CaptureError> {
        self.error.as_ref()
    }

    /// Bytes of the input read so far, compressed ones where it is compressed.
    pub fn bytes_read(&self) -> u64 {
        match &self.source {
            Some(source @ Source::File(_)) => source.offset(),
            None if self.meter.bytes() == 0 => self.final_offset,
            _ => self.meter.bytes(),
        }
    }

    /// Length of the input in bytes, if it is a file.
    pub fn bytes_total(&self) -> Option<u64> {
        self.bytes_total
    }

    fn end(&mut self) {
        if let Some(source) = self.source.take() {
            self.final_offset = source.offset();
        }
    }

    fn fail(&mut self, cause: io::Error) {
        let offset = self.source.as_ref().map_or(0, Source::offset);
        if self.compression.is_some() && !self.meter.has_failed() {
            self.tally.note_next(AnomalyKind::CorruptCompression, self.meter.bytes());
        } else {
            let path = self.path.clone();
            self.tally.note_next(AnomalyKind::TruncatedFile, offset);
            self.error = Some(CaptureError::Read { path, offset, packets: self.tally.packets(), cause });
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
    /// The parser for a file that begins like this, and the length of the file header that it has taken.
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
            let Some(header) = begin.first_chunk() else { return truncated(path) };
            return match PcapParser::new(header, endian, format) {
                Ok(parser) => Ok((Self::Pcap(parser), pcap::FILE_HEADER)),
                Err((major, minor)) => Err(CaptureError::Version { path, format: "pcap", major, minor }),
            };
        }
        if let Some(format) = detect::other_format(begin) {
            return Err(CaptureError::OtherFormat { path, format });
        }
        let hexadecimal: Vec<String> = begin.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        Err(CaptureError::Unknown { path, begin: hexadecimal.join(" ") })
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

/// Grows the window to `need` bytes, or to the end of the input.
fn fill(source: &mut Source, need: usize) -> io::Result<&[u8]> {
    while source.window().len() < need && source.grow(need)? {}
    Ok(source.window())
}
