//! Tunnels over UDP, and GRE.

use crate::bytes::{Bytes, Skip};
use crate::layer::Layer;

/// UDP ports of tunnels (IANA "Service Name and Transport Protocol Port Number Registry").
mod port {
    pub(super) const GTP_U: u16 = 2152;
    pub(super) const VXLAN: u16 = 4789;
    pub(super) const GENEVE: u16 = 6081;
    /// Linux's default for VXLAN, older than the registration and still used by container networks.
    pub(super) const VXLAN_LINUX: u16 = 8472;
}

/// A UDP datagram, decoded only if its destination is a tunnel's port. Tunnels put a hash into the source
/// port.
pub(crate) fn udp(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let destination = bytes.u16_at(2)?;
    let payload = bytes.skip(8)?;
    match destination {
        port::VXLAN | port::VXLAN_LINUX => vxlan(payload),
        port::GENEVE => geneve(payload),
        port::GTP_U => gtp_u(payload),
        _ => Err(Skip::NotTcp),
    }
}

/// VXLAN (RFC 7348 §5): the flag of a valid network identifier, then a frame at 8. Other bits belong to
/// Cisco's group policy extension. Bit 2 means that a protocol number replaces Ethernet
/// (draft-ietf-nvo3-vxlan-gpe), which has another port.
fn vxlan(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const VALID_VNI: u8 = 0x08;
    if bytes.u8_at(0)? & VALID_VNI == 0 {
        return Err(Skip::NotTcp);
    }
    Ok(Layer::Ethernet(bytes.skip(8)?))
}

/// Geneve (RFC 8926 §3.4): version and option length in words, flags, protocol; options from 8.
fn geneve(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let header = bytes.header::<4>()?;
    let version = header[0] >> 6;
    if version != 0 {
        return Err(Skip::NotTcp);
    }
    let option_len = usize::from(header[0] & 0x3f) * 4;
    Ok(Layer::EtherType(u16::from_be_bytes([header[2], header[3]]), bytes.skip(8 + option_len)?))
}

/// GTP-U (3GPP TS 29.281 §5.1): flags, message type, length, tunnel. If any of them is flagged, four bytes
/// with sequence, N-PDU number and extension type follow. Each extension header starts with its length in
/// words and ends with the type of the next.
fn gtp_u(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const VERSION_1_NOT_PRIME: u8 = 0x30;
    const G_PDU: u8 = 255;
    let header = bytes.header::<8>()?;
    if header[0] & 0xf0 != VERSION_1_NOT_PRIME || header[1] != G_PDU {
        return Err(Skip::NotTcp);
    }
    let mut payload = bytes.skip(8)?;
    if header[0] & 0x07 != 0 {
        const HAS_EXTENSION: u8 = 0x04;
        let mut next = if header[0] & HAS_EXTENSION == 0 { 0 } else { payload.u8_at(3)? };
        payload = payload.skip(4)?;
        while next != 0 {
            let len = usize::from(payload.u8_at(0)?) * 4;
            if len == 0 {
                return Err(Skip::NotTcp);
            }
            next = payload.u8_at(len - 1)?;
            payload = payload.skip(len)?;
        }
    }
    match payload.u8_at(0)? >> 4 {
        4 | 6 => Ok(Layer::Ip(payload)),
        _ => Err(Skip::NotTcp),
    }
}

/// GRE (RFC 2784 and RFC 2890; version 1 is used by PPTP, RFC 2637 §4.1).
pub(crate) fn gre(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const HAS_CHECKSUM: u16 = 0x8000;
    const HAS_ROUTING: u16 = 0x4000;
    const HAS_KEY: u16 = 0x2000;
    const HAS_SEQUENCE: u16 = 0x1000;
    const HAS_ACKNOWLEDGMENT: u16 = 0x0080;
    const VERSION: u16 = 0x0007;
    let flags = bytes.u16_at(0)?;
    let protocol = bytes.u16_at(2)?;
    let version = flags & VERSION;
    if version > 1 || flags & HAS_ROUTING != 0 {
        return Err(Skip::NotTcp);
    }
    let mut header_len = 4;
    for flag in [HAS_CHECKSUM, HAS_KEY, HAS_SEQUENCE] {
        if flags & flag != 0 {
            header_len += 4;
        }
    }
    if version == 1 && flags & HAS_ACKNOWLEDGMENT != 0 {
        header_len += 4;
    }
    let payload = bytes.skip(header_len)?;
    match protocol {
        ERSPAN => erspan_2(payload, flags & HAS_SEQUENCE != 0),
        ERSPAN_3 => erspan_3(payload),
        WCCP => wccp(payload),
        other => Ok(Layer::EtherType(other, payload)),
    }
}

const WCCP: u16 = 0x883e;
const ERSPAN: u16 = 0x88be;
const ERSPAN_3: u16 = 0x22eb;

/// ERSPAN type II has a header of eight bytes and always a GRE sequence number; type I has neither
/// (draft-foschiano-erspan-03 §4).
fn erspan_2(bytes: Bytes<'_>, has_sequence: bool) -> Result<Layer<'_>, Skip> {
    Ok(Layer::Ethernet(if has_sequence { bytes.skip(8)? } else { bytes }))
}

/// ERSPAN type III: twelve bytes, and eight more if the last bit is set (draft-foschiano-erspan-03 §4.3). Its
/// frame type field may indicate a bare IP packet.
fn erspan_3(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const IP: u8 = 2;
    let header = bytes.header::<12>()?;
    let frame_type = (header[10] >> 2) & 0x1f;
    let has_subheader = header[11] & 1 == 1;
    let payload = bytes.skip(if has_subheader { 20 } else { 12 })?;
    Ok(if frame_type == IP { Layer::Ip(payload) } else { Layer::Ethernet(payload) })
}

/// WCCP's redirect header of four bytes before the IP packet; only version 2 has it.
fn wccp(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    if bytes.u8_at(0)? >> 4 == 4 { Ok(Layer::Ip(bytes)) } else { Ok(Layer::Ip(bytes.skip(4)?)) }
}
