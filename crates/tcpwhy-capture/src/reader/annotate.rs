//! Copies a capture with comments on its packets.

use std::io::{self, Write};

use tcpwhy_model::{CaptureSummary, Segment};

use super::{CaptureReader, Parser};
use crate::comment::COPY_MARK;
use crate::pcapng::annotate::Blocks;
use crate::tally::{Sink, Step};
use crate::write::{PcapngWriter, Section};

/// Copies a capture to pcapng, packet by packet, with comments.
///
/// Packets keep their order, times and numbers. All other blocks of a pcapng are kept too: blocks without a
/// new comment are copied byte for byte. If reading a damaged capture ends early, so does the copy.
pub struct AnnotatedCopy<W: Write> {
    reader: CaptureReader,
    out: Out<W>,
    segments: Vec<Segment>,
    comments: u64,
}

enum Out<W: Write> {
    /// A pcapng, copied block by block.
    Blocks(Blocks, W),
    /// Packets of a pcap.
    Packets(PcapngWriter<W>),
}

impl<W: Write> AnnotatedCopy<W> {
    /// A copy from `reader`, which must be unread, to `out`.
    ///
    /// # Errors
    /// If `out` cannot be written, or if the link type of a pcap has a number too large for pcapng.
    pub fn new(reader: CaptureReader, out: W) -> io::Result<Self> {
        let out = match &reader.parser {
            Parser::Pcapng(_) => Out::Blocks(Blocks::default(), out),
            Parser::Pcap(parser) => {
                let link_type = u16::try_from(parser.link_type()).map_err(|_| {
                    io::Error::new(io::ErrorKind::InvalidInput, "a link type that pcapng does not know")
                })?;
                let about = Section { application: "tcpwhy", comment: COPY_MARK, ..Section::default() };
                Out::Packets(PcapngWriter::with_section(out, link_type, 0, &about)?)
            }
        };
        Ok(Self { reader, out, segments: Vec::new(), comments: 0 })
    }

    /// Copies everything up to and including the next packet, with the comments that `comment` returns for
    /// its segment. Returns false at the end of the capture. Packets without a segment and obsolete simple
    /// packet blocks, which have no room for a comment, are copied unchanged.
    ///
    /// # Errors
    /// If `out` cannot be written. Read errors end the copy ([`CaptureReader::error`]).
    pub fn next_packet(&mut self, comment: &mut dyn FnMut(&Segment) -> Vec<String>) -> io::Result<bool> {
        let reader = &mut self.reader;
        loop {
            let Some(source) = reader.source.as_mut() else { return Ok(false) };
            self.segments.clear();
            let before = reader.tally.packets();
            let mut sink = Sink {
                tally: &mut reader.tally,
                out: &mut self.segments,
                limit: usize::MAX,
                last_packet: before + 1,
                hearer: None,
            };
            let step = reader.parser.advance(source.window(), &mut sink);
            let (Step::Full { consumed } | Step::Starved { consumed, .. } | Step::Corrupt { consumed }) = step;
            let is_packet = reader.tally.packets() > before;
            // Segments quoted by an ICMP error do not belong to this packet.
            let own = self.segments.iter().find(|segment| is_packet && segment.undelivered().is_none());
            let comments = own.map(&mut *comment).unwrap_or_default();
            let bytes = source.window().get(..consumed).unwrap_or_default();
            self.comments += match (&mut self.out, &reader.parser) {
                (Out::Blocks(blocks, out), _) => blocks.copy(bytes, is_packet, &comments, out)?,
                (Out::Packets(out), Parser::Pcap(parser)) => match parser.packet(bytes) {
                    Some((time, captured, original_len)) => {
                        out.packet_with(time, captured, original_len, &comments)?;
                        comments.len() as u64
                    }
                    None => 0,
                },
                (Out::Packets(_), Parser::Pcapng(_)) => 0,
            };
            source.consume(consumed);
            match step {
                Step::Full { .. } => return Ok(true),
                Step::Corrupt { .. } => reader.end(),
                Step::Starved { need, .. } => reader.starved(need),
            }
            if is_packet {
                return Ok(true);
            }
        }
    }

    /// Bytes of the capture read so far; compressed bytes of a compressed capture.
    pub fn bytes_read(&self) -> u64 {
        self.reader.bytes_read()
    }

    /// Number of comments written so far.
    pub fn comments(&self) -> u64 {
        self.comments
    }

    /// Counters of the copied packets so far.
    pub fn summary(&self) -> CaptureSummary {
        self.reader.summary()
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Blocks(_, out) => out.flush(),
            Out::Packets(out) => out.flush(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails says so")]
mod tests {
    use std::path::Path;

    use tcpwhy_model::Timestamp;

    use super::*;

    /// All segments of a capture.
    fn segments(bytes: &[u8]) -> Vec<Segment> {
        CaptureReader::from_read(io::Cursor::new(bytes.to_vec()), "copy").unwrap().collect()
    }

    fn copy(bytes: &[u8], comment: &mut dyn FnMut(&Segment) -> Vec<String>) -> (Vec<u8>, u64) {
        let reader = CaptureReader::from_read(io::Cursor::new(bytes.to_vec()), "capture").unwrap();
        let mut out = Vec::new();
        let mut copy = AnnotatedCopy::new(reader, &mut out).unwrap();
        while copy.next_packet(comment).unwrap() {}
        copy.flush().unwrap();
        let comments = copy.comments();
        (out, comments)
    }

    fn silent(_: &Segment) -> Vec<String> {
        Vec::new()
    }

    /// Two comments on every third packet.
    fn some(segment: &Segment) -> Vec<String> {
        let texts = ["first, with an odd length…", "second"].map(str::to_owned);
        if segment.number.is_multiple_of(3) { texts.to_vec() } else { Vec::new() }
    }

    /// An IPv4 TCP segment of link type 101 (raw IP), of odd length.
    fn packet(payload: usize) -> Vec<u8> {
        let mut packet = vec![0x45, 0, 0, 40 + payload as u8, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        packet.extend([0x10, 0, 0, 80, 0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x10, 1, 0, 0, 0, 0, 0]);
        packet.resize(packet.len() + payload, 7);
        packet
    }

    fn pcapng() -> Vec<u8> {
        let mut writer = PcapngWriter::new(Vec::new(), 101, 0).unwrap();
        for number in 0..10_usize {
            let time = Timestamp::from_nanos(number as i64 * 1_000_001);
            writer.packet(time, &packet(number), 40 + number as u32).unwrap();
            writer.kernel_list(b"what the kernel said").unwrap();
        }
        writer.into_inner()
    }

    /// The same packets in the other byte order, with the section's length, and a comment by another program.
    fn big_endian() -> Vec<u8> {
        let mut out = Vec::new();
        let mut block = |kind: u32, body: &[u8]| {
            let len = (body.len() as u32 + 12).to_be_bytes();
            out.extend([&kind.to_be_bytes()[..], &len, body, &len].concat());
        };
        let length = 1_000_000_u64.to_be_bytes();
        block(0x0a0d_0d0a, &[&[0x1a, 0x2b, 0x3c, 0x4d, 0, 1, 0, 0][..], &length].concat());
        block(1, &[0, 101, 0, 0, 0, 0, 0, 0]);
        for number in 0..10_usize {
            let packet = packet(number);
            let mut body: Vec<u8> = [0, 0, number as u32, packet.len() as u32, packet.len() as u32]
                .iter()
                .flat_map(|field| field.to_be_bytes())
                .collect();
            body.extend(&packet);
            body.resize(body.len().next_multiple_of(4), 0);
            // A comment, flags, the end of options.
            body.extend(*b"\0\x01\0\x03abc\0\0\x02\0\x04\0\0\0\x01\0\0\0\0");
            block(6, &body);
        }
        out
    }

    /// Removes the added comment of the section header, which had no options before.
    fn without_section_comment(copy: &[u8]) -> Vec<u8> {
        let added = 4 + COPY_MARK.len().next_multiple_of(4) + 4;
        let mut out = copy.to_vec();
        out.drain(24..24 + added);
        for at in [4, 24] {
            let len = if out[8] == 0x1a { 28_u32.to_be_bytes() } else { 28_u32.to_le_bytes() };
            out[at..at + 4].copy_from_slice(&len);
        }
        out
    }

    #[test]
    fn comments_come_and_go_and_everything_else_stays() {
        let unknown_length = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            bytes[16..24].fill(0xff);
            bytes
        };
        for capture in [pcapng(), big_endian()] {
            let plain = copy(&capture, &mut silent);
            assert_eq!((plain.1, without_section_comment(&plain.0)), (0, unknown_length(&capture)));
            assert_eq!(String::from_utf8_lossy(&plain.0[..100]).matches(COPY_MARK).count(), 1);
            let (annotated, comments) = copy(&capture, &mut some);
            assert_eq!(comments, 6);
            let text = String::from_utf8_lossy(&annotated).into_owned();
            assert_eq!(text.matches("tcpwhy: first, with an odd length…").count(), 3);
            assert_eq!(text.matches("abc").count(), String::from_utf8_lossy(&capture).matches("abc").count());
            assert_eq!(segments(&annotated), segments(&capture));
            // A second copy adds nothing, and a copy without comments restores the capture.
            assert_eq!(copy(&annotated, &mut some).0, annotated);
            assert_eq!(copy(&annotated, &mut silent), plain);
        }
    }

    #[test]
    fn a_pcap_becomes_a_pcapng_with_the_same_packets() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/send-buffer.pcap.gz");
        let capture = std::fs::read(sample).unwrap();
        let (annotated, comments) = copy(&capture, &mut some);
        let all = segments(&capture);
        assert_eq!(comments, 2 * all.iter().filter(|segment| segment.number.is_multiple_of(3)).count() as u64);
        assert_eq!(segments(&annotated), all);
    }

    #[test]
    fn of_what_is_cut_or_damaged_what_can_be_read() {
        for capture in [pcapng(), big_endian()] {
            for len in (28..capture.len()).step_by(5) {
                let cut = &capture[..len];
                let (annotated, _) = copy(cut, &mut some);
                assert_eq!(segments(&annotated), segments(cut), "{len}");
                let mut damaged = capture.clone();
                damaged[len] ^= 0x55;
                let (annotated, _) = copy(&damaged, &mut some);
                assert_eq!(segments(&annotated), segments(&damaged), "{len}");
            }
        }
    }
}
