//! Recognises files that are not pcap, so that the error message can name their format.

use std::fmt;

use tcpwhy_model::Message;

/// Documents by their beginning; most of them are text.
const DOCUMENTS: &[(&[u8], FileKind)] = &[
    (b"<?xml", FileKind::new("xml-document", "an XML document")),
    (b"<!DOCTYPE", FileKind::new("html-document", "an HTML document")),
    (b"<html", FileKind::new("html-document", "an HTML document")),
    (b"%PDF", FileKind::new("pdf-document", "a PDF document")),
];

/// Binary formats by their magic number at the beginning of the file. Some numbers consist of letters, so a
/// text may begin with them too.
const MAGICS: &[(&[u8], FileKind)] = &[
    (b"snoop\0\0\0", FileKind::new("sun-snoop-capture", "a Sun snoop capture")),
    (b"RTSS", FileKind::new("microsoft-network-monitor-1-capture", "a Microsoft Network Monitor 1 capture")),
    (b"GMBU", FileKind::new("microsoft-network-monitor-2-capture", "a Microsoft Network Monitor 2 capture")),
    (b"btsnoop\0", FileKind::new("bluetooth-btsnoop-capture", "a Bluetooth btsnoop capture")),
    (b"TRSNIFF data    \x1a", FileKind::new("ng-sniffer-capture", "an NG Sniffer capture")),
    (b"XCP\0", FileKind::new("netxray-or-sniffer-capture", "a NetXRay or Sniffer capture")),
    (b"iptrace 1.0", FileKind::new("aix-iptrace-capture", "an AIX iptrace capture")),
    (b"iptrace 2.0", FileKind::new("aix-iptrace-capture", "an AIX iptrace capture")),
    (b"\x7fver", FileKind::new("omnipeek-capture", "an OmniPeek capture")),
    (b"\x05VNF", FileKind::new("visual-networks-capture", "a Visual Networks capture")),
    (b"\xaa\xaa\xaa\xaa", FileKind::new("5views-capture", "a 5Views capture")),
    (b"\x00\x00\x02\x00\x12\x05\x00\x10", FileKind::new("tektronix-k12-capture", "a Tektronix K12 capture")),
    (b"EyeSDN", FileKind::new("eyesdn-capture", "an EyeSDN capture")),
    (b"PK\x03\x04", FileKind::new("zip-archive", "a zip archive; unpack it first")),
    (b"7z\xbc\xaf\x27\x1c", FileKind::new("7z-archive", "a 7z archive; unpack it first")),
    (b"Rar!", FileKind::new("rar-archive", "a rar archive; unpack it first")),
    (b"\xfd7zXZ\0", FileKind::new("xz-compressed-file", "an xz-compressed file; decompress it first")),
    (b"BZh", FileKind::new("bzip2-compressed-file", "a bzip2-compressed file; decompress it first")),
    (b"\x04\x22\x4d\x18", FileKind::new("lz4-compressed-file", "an lz4-compressed file; decompress it first")),
    (
        b"\x00\x05\x16\x07",
        FileKind::new("appledouble-file", "an AppleDouble file (macOS metadata beside the real one)"),
    ),
    (b"\x7fELF", FileKind::new("elf-program", "an ELF program")),
    (b"PAR1", FileKind::new("parquet-file", "a Parquet file")),
    (b"SQLite format 3\0", FileKind::new("sqlite-database", "an SQLite database")),
    (b"PERFFILE", FileKind::new("perf-recording", "a perf recording")),
    (b"PERFILE2", FileKind::new("perf-recording", "a perf recording")),
];

/// Number of bytes at the beginning of a file that [`other_format`] needs.
pub(crate) const PREFIX: usize = 512;

/// Format of a file with this beginning, if recognised.
pub(crate) fn other_format(begin: &[u8]) -> Option<FileKind> {
    let named = |formats: &[(&[u8], FileKind)]| {
        formats.iter().find(|(magic, _)| begin.starts_with(magic)).map(|(_, name)| *name)
    };
    if let Some(document) = named(DOCUMENTS) {
        return Some(document);
    }
    if is_text(begin) {
        return Some(FileKind::new("plain-text", "plain text"));
    }
    if let Some(format) = named(MAGICS) {
        return Some(format);
    }
    if begin.get(257..262) == Some(b"ustar") {
        return Some(FileKind::new("tar-archive", "a tar archive; unpack it first"));
    }
    if is_erf(begin) {
        return Some(FileKind::new("endace-erf-capture", "an Endace ERF capture"));
    }
    None
}

/// Number of ERF records that must be plausible. About one file of random binary data in ten begins with a
/// plausible header.
const ERF_RECORDS: usize = 3;

/// Bytes of a record's header.
const ERF_HEADER: usize = 16;

/// Tolerance in seconds before or after the time of the previous record, as in Wireshark (`erf_open`).
const ERF_STEP_BACK: u32 = 1;
const ERF_STEP_ON: u32 = 7 * 24 * 3600;

/// ERF has no magic number (Endace, "Extensible Record Format"). So several consecutive records must be
/// plausible, as in Wireshark (`erf_open`). Each has a known type, a length that includes its header, and a
/// time close to the one before. Two records suffice if the file or the examined part ends after them.
fn is_erf(begin: &[u8]) -> bool {
    let (mut rest, mut before, mut records) = (begin, None, 0);
    while records < ERF_RECORDS {
        let Some(record) = ErfRecord::read(rest) else { break };
        if !record.is_plausible() || before.is_some_and(|before| !record.follows(before)) {
            return false;
        }
        (before, records) = (Some(record.seconds), records + 1);
        let Some(next) = rest.get(usize::from(record.len)..) else { break };
        rest = next;
    }
    // No further complete header follows.
    records >= ERF_RECORDS.min(2)
}

/// The header of an ERF record: 64 bits of little-endian time with the seconds in the upper half, type,
/// flags, record length, loss counter, wire length.
struct ErfRecord {
    seconds: u32,
    record_type: u8,
    len: u16,
    wire_len: u16,
}

impl ErfRecord {
    fn read(bytes: &[u8]) -> Option<Self> {
        let &[_, _, _, _, s0, s1, s2, s3, record_type, _, len_high, len_low, _, _, wire_high, wire_low] =
            bytes.first_chunk::<ERF_HEADER>()?;
        Some(Self {
            seconds: u32::from_le_bytes([s0, s1, s2, s3]),
            record_type: record_type & 0x7f,
            len: u16::from_be_bytes([len_high, len_low]),
            wire_len: u16::from_be_bytes([wire_high, wire_low]),
        })
    }

    /// Requires an assigned type (1 to 48), a time after 1990, a length that includes the header, and a
    /// packet.
    fn is_plausible(&self) -> bool {
        const YEAR_1990: u32 = 631_152_000;
        (1..=48).contains(&self.record_type)
            && self.seconds > YEAR_1990
            && usize::from(self.len) >= ERF_HEADER
            && self.wire_len > 0
    }

    fn follows(&self, before: u32) -> bool {
        self.seconds.saturating_add(ERF_STEP_BACK) >= before && self.seconds <= before.saturating_add(ERF_STEP_ON)
    }
}

/// UTF-8, or an older encoding of mostly ASCII, without control characters that texts do not have.
fn is_text(begin: &[u8]) -> bool {
    let is_printable = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b'\x0c' | b' '..=b'~' | 0x80..);
    if begin.is_empty() || !begin.iter().all(is_printable) {
        return false;
    }
    // The last character may be incomplete.
    let is_utf8 = std::str::from_utf8(begin).err().is_none_or(|error| error.error_len().is_none());
    is_utf8 || begin.iter().filter(|byte| byte.is_ascii()).count() * 4 >= begin.len() * 3
}

/// Format of a file that is not a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// Kebab-case id, as in the message catalogues (`error-kind-ID`).
    pub id: &'static str,
    name: &'static str,
}

/// An archive of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveFormat {
    /// POSIX ustar or pax, or GNU tar.
    Tar,
    /// The ZIP format of PKWARE.
    Zip,
}

impl FileKind {
    /// The archive format, if its members can be read.
    pub fn archive(self) -> Option<ArchiveFormat> {
        match self.id {
            "tar-archive" => Some(ArchiveFormat::Tar),
            "zip-archive" => Some(ArchiveFormat::Zip),
            _ => None,
        }
    }

    const fn new(id: &'static str, name: &'static str) -> Self {
        Self { id, name }
    }

    /// The message that names the format.
    pub(crate) fn message(self) -> Message {
        Message { id: format!("kind-{}", self.id).into(), values: Vec::new() }
    }
}

/// The English name, with its article.
impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(begin: &[u8]) -> Option<&'static str> {
        other_format(begin.get(..PREFIX).unwrap_or(begin)).map(|kind| kind.id)
    }

    /// Records of one packet each, `len` bytes long with their headers, 1 s apart.
    fn erf(records: u32, len: u16) -> Vec<u8> {
        let record = |n: u32| {
            let mut record = vec![0; 4];
            record.extend((1_700_000_000 + n).to_le_bytes());
            // Ethernet, no flags.
            record.extend([2, 4]);
            record.extend(len.to_be_bytes());
            record.extend([0, 0]);
            record.extend((len - 18).to_be_bytes());
            record.resize(usize::from(len), 0xee);
            record
        };
        (0..records).flat_map(record).collect()
    }

    #[test]
    fn erf_is_known_by_records_that_follow_one_another() {
        assert_eq!(id(&erf(20, 96)), Some("endace-erf-capture"));
        assert_eq!(id(&erf(2, 96)), Some("endace-erf-capture"));
        // The third record begins after the examined part.
        assert_eq!(id(&erf(20, 300)), Some("endace-erf-capture"));
        let mut broken = erf(20, 96);
        for (at, byte) in [(96 + 8, 0), (96 + 8, 60), (96 + 11, 4), (96 + 7, 0x10), (96 + 7, 0xff), (192 + 8, 0)] {
            let was = std::mem::replace(&mut broken[at], byte);
            assert_eq!(id(&broken), None, "byte {at} is {byte}");
            broken[at] = was;
        }
        assert_eq!(id(&erf(1, 96)), None);
    }

    /// Each text begins like a possible ERF record.
    #[test]
    fn text_is_no_capture() {
        for text in [
            "# tcpwhy\n\nWhat kept this TCP connection from going faster?\n",
            "performance of the old release\n",
            "GMBU RTSS XCP 7z Rar!\n",
            "RTSS is a name\n",
            "BZh is one too\n",
            "抓包文件里的每个 TCP 连接：慢在哪里，为什么慢，怎么改。\n",
            "caf\u{e9}\r\n\tna\u{ef}ve\u{c}",
        ] {
            for copies in [1, 40] {
                assert_eq!(id(text.repeat(copies).as_bytes()), Some("plain-text"), "{text}");
            }
        }
        // A three-byte character cut by the end of the examined part.
        assert_eq!(id(&"包".as_bytes()[..2]), Some("plain-text"));
        assert_eq!(id(b"<?xml version=\"1.0\"?>\n<pdml/>"), Some("xml-document"));
        assert_eq!(id(b"PERFILE2\0\0\0\0"), Some("perf-recording"));
    }

    /// Random data: about one file in ten begins with a plausible record.
    #[test]
    fn binary_data_is_no_capture() {
        let mut state = 7_u32;
        let mut byte = || {
            // Numerical Recipes' linear congruential generator.
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        for file in 0..20_000 {
            let data: Vec<u8> = (0..PREFIX).map(|_| byte()).collect();
            assert_ne!(id(&data), Some("endace-erf-capture"), "file {file}");
        }
    }
}
