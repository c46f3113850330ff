mod variant;

use tcpwhy_model::{AnomalyKind, CaptureFormat, Timestamp};

use crate::endian::Endian;
use crate::tally::{Sink, Step};

use variant::NANOS_PER_SECOND;
pub(crate) use variant::Probe;

/// Maximum packet length if the file's snap length does not allow more: libpcap's `MAXIMUM_SNAPLEN`.
const MAX_PACKET: u32 = 262_144;

/// Maximum packet length for any snap length.
const MAX_PACKET_BY_SNAPLEN: u32 = 16 << 20;

/// Length of the file header in bytes.
pub(crate) const FILE_HEADER: usize = 24;

/// Classic pcap (draft-ietf-opsawg-pcap).
#[derive(Debug)]
pub(crate) struct PcapParser {
    endian: Endian,
    format: CaptureFormat,
    /// Nanoseconds per unit of the second half of a timestamp.
    fraction: i64,
    record_header: usize,
    max_packet: u32,
    link_type: u32,
    /// Frame check sequence at the end of every frame, in bytes.
    fcs_len: u32,
    lengths: Lengths,
    /// Whether the version is 2.4, as in all current files.
    is_of_today: bool,
}

/// Order of captured and original length in a record header. Files of version 2.3 have either order, older
/// ones the reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lengths {
    CapturedFirst,
    SmallerIsCaptured,
    OriginalFirst,
}

/// Files of Ixia's testers have four more bytes in their header: the total length of all records.
const IXIA_MICROS: u32 = 0x1c00_01ab;
const IXIA_NANOS: u32 = 0x1c00_01ac;

/// Length of the file header for this beginning of a file.
pub(crate) fn file_header(begin: &[u8]) -> usize {
    let is_ixia = |endian: Endian| matches!(endian.u32_at(begin, 0), Some(IXIA_MICROS | IXIA_NANOS));
    if is_ixia(Endian::Little) || is_ixia(Endian::Big) { FILE_HEADER + 4 } else { FILE_HEADER }
}

/// Byte order and format for a magic number.
pub(crate) fn magic(begin: [u8; 4]) -> Option<(Endian, CaptureFormat)> {
    let (endian, number) = match begin {
        [0xa1 | 0x1c, ..] => (Endian::Big, u32::from_be_bytes(begin)),
        _ => (Endian::Little, u32::from_le_bytes(begin)),
    };
    let format = match number {
        0xa1b2_c3d4 | IXIA_MICROS => CaptureFormat::Pcap,
        0xa1b2_3c4d | IXIA_NANOS => CaptureFormat::PcapNanos,
        0xa1b2_cd34 => CaptureFormat::PcapModified,
        _ => return None,
    };
    Some((endian, format))
}

impl PcapParser {
    /// A parser from the 24 bytes of the file header. `Err` has the version if it is older than any known.
    pub(crate) fn new(header: &[u8; FILE_HEADER], endian: Endian, format: CaptureFormat) -> Result<Self, (u16, u16)> {
        let field = |at: usize| endian.u32([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let major = endian.u16([header[4], header[5]]);
        let minor = endian.u16([header[6], header[7]]);
        // Versions above 2.4 were never defined; only damage and AIX (543) produce them.
        if major < 2 {
            return Err((major, minor));
        }
        let lengths = match (major, minor) {
            (2, 3) => Lengths::SmallerIsCaptured,
            (2, ..3) | (543, _) => Lengths::OriginalFirst,
            _ => Lengths::CapturedFirst,
        };
        // Bits 0 to 15 are the link type. If bit 26 is set, bits 28 to 31 are the length of the frame check
        // sequence in 16-bit words.
        let network = field(20);
        let fcs_len = if network & 0x0400_0000 == 0 { 0 } else { (network >> 28) * 2 };
        Ok(Self {
            endian,
            format,
            fraction: if format == CaptureFormat::PcapNanos { 1 } else { 1000 },
            record_header: if format == CaptureFormat::PcapModified { variant::MODIFIED } else { variant::STANDARD },
            max_packet: field(16).clamp(MAX_PACKET, MAX_PACKET_BY_SNAPLEN),
            link_type: network & 0x03ff_ffff,
            fcs_len,
            lengths,
            is_of_today: (major, minor) == (2, 4),
        })
    }

    pub(crate) fn format(&self) -> CaptureFormat {
        self.format
    }

    /// Delivers the packets of `bytes`, which start with a record header.
    pub(crate) fn advance(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Step {
        // Tested once, not for each field of each packet.
        match self.endian {
            Endian::Little => self.records(bytes, sink, u32::from_le_bytes),
            Endian::Big => self.records(bytes, sink, u32::from_be_bytes),
        }
    }

    #[inline]
    fn records(&self, bytes: &[u8], sink: &mut Sink<'_>, word: impl Fn([u8; 4]) -> u32) -> Step {
        let mut at = 0;
        while !sink.is_full() {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(header) = rest.first_chunk::<16>().filter(|_| rest.len() >= self.record_header) else {
                return Step::Starved { consumed: at, need: self.record_header };
            };
            let field = |at: usize| word([header[at], header[at + 1], header[at + 2], header[at + 3]]);
            let (captured_len, original_len) = self.lengths(field(8), field(12));
            if captured_len > self.max_packet {
                sink.tally.note_next(AnomalyKind::CorruptRecord, u64::from(captured_len));
                return Step::Corrupt { consumed: at };
            }
            let end = self.record_header + captured_len as usize;
            let Some(captured) = rest.get(self.record_header..end) else {
                return Step::Starved { consumed: at, need: end };
            };
            let fraction = i64::from(field(4)) * self.fraction;
            if fraction >= NANOS_PER_SECOND {
                // The packet keeps the sum of both numbers as its time.
                sink.tally.note_next(AnomalyKind::ImpossibleFraction, u64::from(field(4)));
            }
            let nanos = i64::from(field(0)) * NANOS_PER_SECOND + fraction;
            sink.packet(Some(Timestamp::from_nanos(nanos)), self.link_type, captured, original_len, self.fcs_len);
            at += end;
        }
        Step::Full { consumed: at }
    }

    /// Link type (<https://www.tcpdump.org/linktypes.html>).
    pub(crate) fn link_type(&self) -> u32 {
        self.link_type
    }

    /// The packet in `record`: capture time, captured bytes, length on the wire.
    pub(crate) fn packet<'a>(&self, record: &'a [u8]) -> Option<(Timestamp, &'a [u8], u32)> {
        let field = |at: usize| self.endian.u32_at(record, at);
        let (captured_len, original_len) = self.lengths(field(8)?, field(12)?);
        let captured = record.get(self.record_header..)?.get(..captured_len as usize)?;
        let nanos = i64::from(field(0)?) * NANOS_PER_SECOND + i64::from(field(4)?) * self.fraction;
        Some((Timestamp::from_nanos(nanos), captured, original_len))
    }

    fn lengths(&self, first: u32, second: u32) -> (u32, u32) {
        match self.lengths {
            Lengths::CapturedFirst => (first, second),
            Lengths::SmallerIsCaptured => (first.min(second), first.max(second)),
            Lengths::OriginalFirst => (second, first),
        }
    }
}
