use std::io::{self, Write};

use tcpwhy_model::Timestamp;

/// Writes pcapng (draft-ietf-opsawg-pcapng): one little-endian section, one interface, timestamps in nanoseconds.
pub struct PcapngWriter<W: Write> {
    out: W,
}

impl<W: Write> PcapngWriter<W> {
    /// Begins a section with one interface of `link_type` (<https://www.tcpdump.org/linktypes.html>). `snaplen` is the number
    /// of bytes kept of each packet; 0 is no limit.
    pub fn new(mut out: W, link_type: u16, snaplen: u32) -> io::Result<Self> {
        const SECTION_HEADER: u32 = 0x0a0d_0d0a;
        const BYTE_ORDER: u32 = 0x1a2b_3c4d;
        const UNKNOWN_LENGTH: u64 = u64::MAX;
        const INTERFACE_DESCRIPTION: u32 = 1;
        const TSRESOL: u16 = 9;
        const NANOSECONDS: u8 = 9;
        let mut section = Vec::new();
        section.extend(BYTE_ORDER.to_le_bytes());
        section.extend(1u16.to_le_bytes());
        section.extend(0u16.to_le_bytes());
        section.extend(UNKNOWN_LENGTH.to_le_bytes());
        write_block(&mut out, SECTION_HEADER, &[&section])?;

        let mut interface = Vec::new();
        interface.extend(link_type.to_le_bytes());
        interface.extend([0, 0]);
        interface.extend(snaplen.to_le_bytes());
        interface.extend(TSRESOL.to_le_bytes());
        interface.extend(1u16.to_le_bytes());
        interface.extend([NANOSECONDS, 0, 0, 0]);
        interface.extend([0; 4]);
        write_block(&mut out, INTERFACE_DESCRIPTION, &[&interface])?;
        Ok(Self { out })
    }

    /// Writes one packet: what was captured of it, and its length in bytes on the wire. Times before the epoch, which the
    /// format has no room for, become the epoch.
    pub fn packet(&mut self, timestamp: Timestamp, captured: &[u8], original_len: u32) -> io::Result<()> {
        const ENHANCED_PACKET: u32 = 6;
        let captured_len = u32::try_from(captured.len())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "packet over 4 GiB"))?;
        let ticks = u64::try_from(timestamp.as_nanos()).unwrap_or(0);
        let mut header = [0; 20];
        let fields = [0, (ticks >> 32) as u32, ticks as u32, captured_len, original_len.max(captured_len)];
        for (slot, field) in header.chunks_exact_mut(4).zip(fields) {
            slot.copy_from_slice(&field.to_le_bytes());
        }
        write_block(&mut self.out, ENHANCED_PACKET, &[&header, captured])
    }

    /// Flushes what was written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// The writer underneath; everything is in it.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// Type, length, body padded to four bytes, length.
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
