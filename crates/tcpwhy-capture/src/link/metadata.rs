//! Link types with a capture-specific header before a frame of another type.

use crate::bytes::{Bytes, Skip};
use crate::layer::Layer;

/// Per-Packet Information: version, flags, length, link type of the frame; little-endian.
pub(crate) fn ppi(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let header = bytes.header::<8>()?;
    let len = u16::from_le_bytes([header[2], header[3]]);
    let link_type = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    Ok(Layer::Link(link_type, bytes.skip(usize::from(len).max(8))?))
}

/// Apple's PKTAP: length, record type, link type of the frame; little-endian on all machines that write it.
pub(crate) fn pktap(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const PACKET: u32 = 1;
    let header = bytes.header::<12>()?;
    let field = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if field(4) != PACKET {
        return Err(Skip::NotTcp);
    }
    Ok(Layer::Link(field(8), bytes.skip(field(0).max(12) as usize)?))
}

/// OpenBSD's packet filter log: a header with its own length in the first byte, padded to four bytes; then
/// IP.
pub(crate) fn pflog(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let len = usize::from(bytes.u8_at(0)?).next_multiple_of(4);
    Ok(Layer::Ip(bytes.skip(len.max(4))?))
}

/// Juniper's Ethernet: magic, flags, an extension with its length if flagged; then the frame, or the bare IP
/// packet if flagged.
pub(crate) fn juniper_ether(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const HAS_EXTENSION: u8 = 0x80;
    const NO_LINK_HEADER: u8 = 0x02;
    let &[b'M', b'G', b'C', flags] = bytes.header()? else { return Err(Skip::NotTcp) };
    let mut frame = bytes.skip(4)?;
    if flags & HAS_EXTENSION != 0 {
        let len = frame.u16_at(0)?;
        frame = frame.skip(2 + usize::from(len))?;
    }
    if flags & NO_LINK_HEADER != 0 {
        return Ok(Layer::Ip(frame.skip(4)?));
    }
    Ok(Layer::Ethernet(frame))
}
