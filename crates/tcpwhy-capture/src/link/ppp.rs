use crate::bytes::{Bytes, Skip};
use crate::layer::Layer;

/// PPP protocol numbers (IANA "Point-to-Point Protocol Field Assignments").
mod protocol_number {
    pub(super) const IPV4: u16 = 0x0021;
    pub(super) const IPV6: u16 = 0x0057;
    pub(super) const MPLS_UNICAST: u16 = 0x0281;
    pub(super) const MPLS_MULTICAST: u16 = 0x0283;
}

/// PPP with or without its HDLC address and control bytes (RFC 1662 §3.1; omitted if negotiated). An address
/// of 0x0f or 0x8f indicates Cisco's framing, which has the same link type number.
pub(crate) fn decode(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    match *bytes.header::<2>()? {
        [0xff, 0x03] => Ok(Layer::Ppp(bytes.skip(2)?)),
        [0x0f | 0x8f, _] => cisco_hdlc(bytes),
        _ => Ok(Layer::Ppp(bytes)),
    }
}

/// The protocol field. A compressed one has one byte, which is odd (RFC 1661 §2).
pub(crate) fn protocol(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    let first = bytes.u8_at(0)?;
    let (protocol, payload) =
        if first & 1 == 1 { (u16::from(first), bytes.skip(1)?) } else { (bytes.u16_at(0)?, bytes.skip(2)?) };
    match protocol {
        protocol_number::IPV4 | protocol_number::IPV6 => Ok(Layer::Ip(payload)),
        protocol_number::MPLS_UNICAST | protocol_number::MPLS_MULTICAST => Ok(Layer::Mpls(payload)),
        _ => Err(Skip::NotTcp),
    }
}

/// A PPP over Ethernet session (RFC 2516 §4): version and type, code, session, length.
pub(crate) fn over_ethernet(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    const SESSION: u8 = 0;
    let header = bytes.header::<6>()?;
    if header[1] != SESSION {
        return Err(Skip::NotTcp);
    }
    // Bytes beyond that length are padding, even if the IP header counts them. (0: not filled in for a
    // super-packet.)
    let len = usize::from(u16::from_be_bytes([header[4], header[5]]));
    let payload = bytes.skip(6)?;
    Ok(Layer::Ppp(if len > 0 { payload.limited_to(len) } else { payload }))
}

/// Cisco HDLC: address, control, Ethernet type.
pub(crate) fn cisco_hdlc(bytes: Bytes<'_>) -> Result<Layer<'_>, Skip> {
    Ok(Layer::EtherType(bytes.u16_at(2)?, bytes.skip(4)?))
}
