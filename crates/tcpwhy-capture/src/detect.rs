//! What a file that is no pcap is, so that the refusal can say so.

use std::fmt;

use tcpwhy_model::Message;

/// Formats by their magic number at the beginning of the file.
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
    (b"<?xml", FileKind::new("xml-document", "an XML document")),
    (b"<!DOCTYPE", FileKind::new("html-document", "an HTML document")),
    (b"<html", FileKind::new("html-document", "an HTML document")),
    (b"%PDF", FileKind::new("pdf-document", "a PDF document")),
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
    (b"perf", FileKind::new("perf-recording", "a perf recording")),
    (b"PERFILE2", FileKind::new("perf-recording", "a perf recording")),
];

/// Bytes from the beginning of a file that [`other_format`] wants to see.
pub(crate) const PREFIX: usize = 512;

/// Name of the format of a file with this beginning, with its article.
pub(crate) fn other_format(begin: &[u8]) -> Option<FileKind> {
    if let Some((_, name)) = MAGICS.iter().find(|(magic, _)| begin.starts_with(magic)) {
        return Some(*name);
    }
    if begin.get(257..262) == Some(b"ustar") {
        return Some(FileKind::new("tar-archive", "a tar archive; unpack it first"));
    }
    if is_erf(begin) {
        return Some(FileKind::new("endace-erf-capture", "an Endace ERF capture"));
    }
    if is_text(begin) {
        return Some(FileKind::new("plain-text", "plain text"));
    }
    None
}

/// ERF has no magic number: 64-bit little-endian time (seconds in the upper half), type, flags, record length, loss counter,
/// wire length. A known type, a time since 1990, and a record that holds its headers make a record plausible.
fn is_erf(begin: &[u8]) -> bool {
    let Some(&[_, _, _, _, s0, s1, s2, s3, record_type, _, len_high, len_low, ..]) = begin.first_chunk::<16>() else {
        return false;
    };
    let seconds = u32::from_le_bytes([s0, s1, s2, s3]);
    let len = u16::from_be_bytes([len_high, len_low]);
    (1..=48).contains(&(record_type & 0x7f)) && seconds > 631_152_000 && len >= 16
}

fn is_text(begin: &[u8]) -> bool {
    !begin.is_empty()
        && begin.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..))
        && begin.iter().filter(|byte| byte.is_ascii()).count() * 4 >= begin.len() * 3
}
/// What a file is that is no capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// Kebab-case id, as in the message catalogues (`error-kind-ID`).
    pub id: &'static str,
    name: &'static str,
}

impl FileKind {
    const fn new(id: &'static str, name: &'static str) -> Self {
        Self { id, name }
    }

    /// The message that names it.
    pub(crate) fn message(self) -> Message {
        Message { id: format!("kind-{}", self.id).into(), values: Vec::new() }
    }
}

/// In English, with its article.
impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
