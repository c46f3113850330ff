use std::io::{self, Write};

use crate::comment::marked;
use crate::kernel_block;
use crate::pcapng::{COMMENT, INTERFACE_DESCRIPTION_TEXT};

use tcpwhy_model::Timestamp;

/// Writes pcapng (draft-ietf-opsawg-pcapng): one little-endian section, one interface, timestamps in
/// nanoseconds.
pub struct PcapngWriter<W: Write> {
    out: W,
}

/// Metadata of a section; empty fields are omitted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Section<'a> {
    /// Operating system.
    pub system: &'a str,
    /// Program that writes the section.
    pub application: &'a str,
    /// Name of the interface.
    pub interface: &'a str,
    /// Description of the interface.
    pub description: &'a str,
    /// Comment on the section.
    pub comment: &'a str,
}

impl<W: Write> PcapngWriter<W> {
    /// Begins a section with one interface of `link_type` (<https://www.tcpdump.org/linktypes.html>).
    /// `snaplen` is the number of captured bytes per packet; 0 means no limit.
    pub fn new(out: W, link_type: u16, snaplen: u32) -> io::Result<Self> {
        Self::with_section(out, link_type, snaplen, &Section::default())
    }

    /// Like [`Self::new`], with metadata of the section.
    pub fn with_section(mut out: W, link_type: u16, snaplen: u32, about: &Section<'_>) -> io::Result<Self> {
        const SECTION_HEADER: u32 = 0x0a0d_0d0a;
        const BYTE_ORDER: u32 = 0x1a2b_3c4d;
        const UNKNOWN_LENGTH: u64 = u64::MAX;
        const INTERFACE_DESCRIPTION: u32 = 1;
        const SYSTEM: u16 = 3;
        const APPLICATION: u16 = 4;
        const INTERFACE_NAME: u16 = 2;
        const TSRESOL: u16 = 9;
        const NANOSECONDS: u8 = 9;
        let mut section = Vec::new();
        section.extend(BYTE_ORDER.to_le_bytes());
        section.extend(1u16.to_le_bytes());
        section.extend(0u16.to_le_bytes());
        section.extend(UNKNOWN_LENGTH.to_le_bytes());
        let comment = (COMMENT, about.comment.as_bytes());
        let rest = [(SYSTEM, about.system.as_bytes()), (APPLICATION, about.application.as_bytes())];
        put_options(&mut section, &[comment, rest[0], rest[1]]);
        write_block(&mut out, SECTION_HEADER, &[&section])?;

        let mut interface = Vec::new();
        interface.extend(link_type.to_le_bytes());
        interface.extend([0, 0]);
        interface.extend(snaplen.to_le_bytes());
        let name = (INTERFACE_NAME, about.interface.as_bytes());
        let description = (INTERFACE_DESCRIPTION_TEXT, about.description.as_bytes());
        put_options(&mut interface, &[name, description, (TSRESOL, &[NANOSECONDS])]);
        write_block(&mut out, INTERFACE_DESCRIPTION, &[&interface])?;
        Ok(Self { out })
    }

    /// Writes a list of kernel data about sockets, for
    /// [`CaptureReader::hear_kernel`](crate::CaptureReader::hear_kernel).
    pub fn kernel_list(&mut self, list: &[u8]) -> io::Result<()> {
        let secrets = kernel_block::compress(list)?;
        // Lists have a few kilobytes, so the length fits.
        let header = [kernel_block::SECRETS_TYPE.to_le_bytes(), (secrets.len() as u32).to_le_bytes()].concat();
        // Options would follow after padding; there are none.
        write_block(&mut self.out, kernel_block::DECRYPTION_SECRETS, &[&header, &secrets])
    }

    /// Writes the number of packets so far, and how many of them were lost before they could be written.
    pub fn statistics(&mut self, time: Timestamp, received: u64, dropped: u64) -> io::Result<()> {
        const INTERFACE_STATISTICS: u32 = 5;
        const RECEIVED: u16 = 4;
        const DROPPED: u16 = 5;
        let ticks = u64::try_from(time.as_nanos()).unwrap_or(0);
        let mut body = vec![0; 4];
        body.extend(((ticks >> 32) as u32).to_le_bytes());
        body.extend((ticks as u32).to_le_bytes());
        put_options(&mut body, &[(RECEIVED, &received.to_le_bytes()), (DROPPED, &dropped.to_le_bytes())]);
        write_block(&mut self.out, INTERFACE_STATISTICS, &[&body])
    }

    /// Writes one packet: its captured bytes, and its length in bytes on the wire. Times before the epoch,
    /// which the format cannot represent, become the epoch.
    pub fn packet(&mut self, timestamp: Timestamp, captured: &[u8], original_len: u32) -> io::Result<()> {
        self.packet_with(timestamp, captured, original_len, &[])
    }

    /// Like [`Self::packet`], with comments, each marked as written by tcpwhy.
    pub(crate) fn packet_with(
        &mut self,
        timestamp: Timestamp,
        captured: &[u8],
        original_len: u32,
        comments: &[String],
    ) -> io::Result<()> {
        const ENHANCED_PACKET: u32 = 6;
        let captured_len = u32::try_from(captured.len())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "packet over 4 GiB"))?;
        let ticks = u64::try_from(timestamp.as_nanos()).unwrap_or(0);
        let mut header = [0; 20];
        let fields = [0, (ticks >> 32) as u32, ticks as u32, captured_len, original_len.max(captured_len)];
        for (slot, field) in header.chunks_exact_mut(4).zip(fields) {
            slot.copy_from_slice(&field.to_le_bytes());
        }
        if comments.is_empty() {
            return write_block(&mut self.out, ENHANCED_PACKET, &[&header, captured]);
        }
        let comments: Vec<_> = comments.iter().map(|comment| marked(comment)).collect();
        let options: Vec<_> = comments.iter().map(|comment| (COMMENT, comment.as_bytes())).collect();
        let mut after = Vec::new();
        put_options(&mut after, &options);
        let padding = captured.len().next_multiple_of(4) - captured.len();
        write_block(&mut self.out, ENHANCED_PACKET, &[&header, captured, &[0; 3][..padding], &after])
    }

    /// The underlying writer. Writing to it would corrupt the file.
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    /// The underlying writer, mutable, to take the bytes written so far. Writing to it would corrupt the
    /// file.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Flushes the output.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// The underlying writer, which has received all bytes.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// Writes options with a value: code, length, value padded to four bytes. If there are any, the end of
/// options follows.
fn put_options(out: &mut Vec<u8>, options: &[(u16, &[u8])]) {
    let before = out.len();
    for (code, value) in options.iter().filter(|(_, value)| !value.is_empty()) {
        let value = value.get(..value.len().min(usize::from(u16::MAX))).unwrap_or_default();
        out.extend(code.to_le_bytes());
        out.extend((value.len() as u16).to_le_bytes());
        out.extend(value);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    if out.len() > before {
        out.extend([0; 4]);
    }
}

/// Writes a block: type, length, body padded to four bytes, length.
fn write_block(out: &mut impl Write, block_type: u32, body: &[&[u8]]) -> io::Result<()> {
    let body_len: usize = body.iter().map(|part| part.len()).sum();
    let padding = body_len.next_multiple_of(4) - body_len;
    let total_len = u32::try_from(body_len + padding + 12)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "block over 4 GiB"))?
        .to_le_bytes();
    out.write_all(&block_type.to_le_bytes())?;
    out.write_all(&total_len)?;
    for part in body {
        out.write_all(part)?;
    }
    out.write_all(&[0; 3][..padding])?;
    out.write_all(&total_len)
}
