//! What a file that is no pcap is, so that the refusal can say so.

/// Formats by their magic number at the beginning of the file.
const MAGICS: &[(&[u8], &str)] = &[
    (b"snoop\0\0\0", "a Sun snoop capture"),
    (b"RTSS", "a Microsoft Network Monitor 1 capture"),
    (b"GMBU", "a Microsoft Network Monitor 2 capture"),
    (b"btsnoop\0", "a Bluetooth btsnoop capture"),
    (b"TRSNIFF data    \x1a", "an NG Sniffer capture"),
    (b"XCP\0", "a NetXRay or Sniffer capture"),
    (b"iptrace 1.0", "an AIX iptrace capture"),
    (b"iptrace 2.0", "an AIX iptrace capture"),
    (b"\x7fver", "an OmniPeek capture"),
    (b"\x05VNF", "a Visual Networks capture"),
    (b"\xaa\xaa\xaa\xaa", "a 5Views capture"),
    (b"\x00\x00\x02\x00\x12\x05\x00\x10", "a Tektronix K12 capture"),
    (b"EyeSDN", "an EyeSDN capture"),
    (b"<?xml", "an XML document"),
    (b"<!DOCTYPE", "an HTML document"),
    (b"<html", "an HTML document"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"Rar!", "a rar archive; unpack it first"),
    (b"\xfd7zXZ\0", "an xz-compressed file; decompress it first"),
    (b"BZh", "a bzip2-compressed file; decompress it first"),
    (b"\x04\x22\x4d\x18", "an lz4-compressed file; decompress it first"),
    (b"\x00\x05\x16\x07", "an AppleDouble file (macOS metadata beside the real one)"),
    (b"\x7fELF", "an ELF program"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"perf", "a perf recording"),
    (b"PERFILE2", "a perf recording"),
];

/// Bytes from the beginning of a file that [`other_format`] wants to see.
pub(crate) const PREFIX: usize = 512;

/// Name of the format of a file with this beginning, with its article.
pub(crate) fn other_format(begin: &[u8]) -> Option<&'static str> {
    if let Some((_, name)) = MAGICS.iter().find(|(magic, _)| begin.starts_with(magic)) {
        return Some(name);
    }
    if begin.get(257..262) == Some(b"ustar") {
        return Some("a tar archive; unpack it first");
    }
    if is_erf(begin) {
        return Some("an Endace ERF capture");
    }
    if is_text(begin) {
        return Some("plain text");
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
