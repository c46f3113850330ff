use tcpwhy_model::AnomalyKind;

use crate::bytes::{Bytes, Skip};
use crate::layer::{Layer, WifiPadding};

/// Frame control, read as little-endian (IEEE 802.11-2020 §9.2.4.1).
mod control {
    pub(super) const TYPE: u16 = 0x000c;
    pub(super) const TYPE_DATA: u16 = 0x0008;
    pub(super) const SUBTYPE_NO_DATA: u16 = 0x0040;
    pub(super) const SUBTYPE_QOS: u16 = 0x0080;
    pub(super) const BOTH_DS: u16 = 0x0300;
    pub(super) const PROTECTED: u16 = 0x4000;
    pub(super) const HT_CONTROL: u16 = 0x8000;
}

/// The header of a data frame (§9.3.2.1): 24 bytes, a fourth address between access points, control fields
/// for quality of service and for high throughput; then 802.2.
pub(crate) fn wifi(bytes: Bytes<'_>, padding: WifiPadding) -> Result<Layer<'_>, Skip> {
    let frame_control = u16::from_le_bytes(*bytes.header::<2>()?);
    if frame_control & control::TYPE != control::TYPE_DATA || frame_control & control::SUBTYPE_NO_DATA != 0 {
        return Err(Skip::NotTcp);
    }
    if frame_control & control::PROTECTED != 0 {
        return Err(Skip::Anomaly(AnomalyKind::UndecodedFrame, u64::from(frame_control)));
    }
    let fragment_number = bytes.u8_at(22)? & 0x0f;
    if fragment_number != 0 {
        return Err(Skip::Anomaly(AnomalyKind::UndecodedFrame, u64::from(frame_control)));
    }
    let mut header_len = 24;
    if frame_control & control::BOTH_DS == control::BOTH_DS {
        header_len += 6;
    }
    if frame_control & control::SUBTYPE_QOS != 0 {
        const A_MSDU: u8 = 0x80;
        if bytes.u8_at(header_len)? & A_MSDU != 0 {
            return Err(Skip::Anomaly(AnomalyKind::UndecodedFrame, u64::from(frame_control)));
        }
        header_len += 2;
        if frame_control & control::HT_CONTROL != 0 {
            header_len += 4;
        }
    }
    if padding == WifiPadding::ToFourBytes {
        header_len = header_len.next_multiple_of(4);
    }
    Ok(Layer::Llc(bytes.skip(header_len)?))
}

/// Radiotap (<https://www.radiotap.org>): version, pad, length, presence words, fields; little-endian. Only
/// the flags field matters, for two bits: the header is padded, and the frame arrived damaged, so that no
/// station accepts it.
pub(crate) fn radiotap(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const TSFT: u32 = 1;
    const FLAGS: u32 = 1 << 1;
    const MORE_WORDS: u8 = 0x80;
    const FLAG_PADDED: u8 = 0x20;
    const FLAG_BAD_FCS: u8 = 0x40;
    let header = bytes.header::<8>()?;
    let len = usize::from(u16::from_le_bytes([header[2], header[3]]));
    let present = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    let frame = bytes.skip(len.max(8))?;
    if present & FLAGS == 0 {
        return Ok(Layer::Wifi(frame, WifiPadding::None));
    }
    let mut fields = 8;
    let mut word_end = header[7];
    while word_end & MORE_WORDS != 0 {
        word_end = bytes.limited_to(len).u8_at(fields + 3)?;
        fields += 4;
    }
    if present & TSFT != 0 {
        fields = fields.next_multiple_of(8) + 8;
    }
    let flags = bytes.limited_to(len).u8_at(fields)?;
    if flags & FLAG_BAD_FCS != 0 {
        return Err(Skip::Anomaly(AnomalyKind::UndecodedFrame, u64::from(flags)));
    }
    Ok(Layer::Wifi(frame, if flags & FLAG_PADDED == 0 { WifiPadding::None } else { WifiPadding::ToFourBytes }))
}

/// Prism monitoring header: message code, message length, in the byte order of the capturing machine. The
/// length is small, so its value shows the order. Drivers also use this link type for AVS headers.
pub(crate) fn prism(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let header = bytes.header::<8>()?;
    if is_avs(*header) {
        return avs(bytes);
    }
    let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    let len = if len > 0xffff { len.swap_bytes() } else { len };
    Ok(Layer::Wifi(bytes.skip(len as usize)?, WifiPadding::None))
}

/// AVS monitoring header: magic, length; network order.
pub(crate) fn avs(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let header = bytes.header::<8>()?;
    let len = u32::from_be_bytes([header[4], header[5], header[6], header[7]]);
    Ok(Layer::Wifi(bytes.skip(len as usize)?, WifiPadding::None))
}

fn is_avs(header: [u8; 8]) -> bool {
    matches!(header, [0x80, 0x21, 0x10 | 0x20 | 0x21, ..])
}
