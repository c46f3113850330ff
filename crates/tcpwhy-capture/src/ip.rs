use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU16;

use tcpwhy_model::{AnomalyKind, Ecn, IpHeader};

use crate::bytes::{Bytes, Notes, Skip};
use crate::layer::{IcmpVersion, Layer};
use crate::network::Network;

/// Maximum packet length if it comes from the frame: above Linux's `GSO_MAX_SIZE` of 8 × 65,535.
const MAX_SUPER_PACKET: usize = 1 << 20;

/// IP protocol numbers and IPv6 extension headers (IANA "Assigned Internet Protocol Numbers").
mod protocol {
    pub(super) const HOP_BY_HOP: u8 = 0;
    pub(super) const ICMP: u8 = 1;
    pub(super) const IPV4: u8 = 4;
    pub(super) const TCP: u8 = 6;
    pub(super) const UDP: u8 = 17;
    pub(super) const IPV6: u8 = 41;
    pub(super) const ROUTING: u8 = 43;
    pub(super) const FRAGMENT: u8 = 44;
    pub(super) const GRE: u8 = 47;
    pub(super) const AUTHENTICATION: u8 = 51;
    pub(super) const ICMP_V6: u8 = 58;
    pub(super) const DESTINATION_OPTIONS: u8 = 60;
    pub(super) const ETHERIP: u8 = 97;
    pub(super) const MOBILITY: u8 = 135;
    pub(super) const MPLS: u8 = 137;
    pub(super) const HOST_IDENTITY: u8 = 139;
    pub(super) const SHIM6: u8 = 140;
}

/// Position of a packet in its datagram.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fragment {
    Whole,
    First,
}

/// Decodes an IP packet of the version in its first four bits, independent of the enclosing header.
#[inline]
pub(crate) fn decode<'a>(bytes: Bytes<'a>, notes: &mut Notes<'_>) -> Result<Layer<'a>, Skip> {
    match bytes.u8_at(0)? >> 4 {
        4 => v4(bytes, notes),
        6 => v6(bytes, notes),
        version => Err(Skip::Anomaly(AnomalyKind::MalformedHeader, u64::from(version))),
    }
}

/// Fast path: an Ethernet frame with an IPv4 packet that has no options, is not a fragment, fits its frame
/// and contains TCP.
#[inline]
pub(crate) fn plain_tcp(frame: Bytes<'_>) -> Option<(Network, Bytes<'_>)> {
    const HEADERS: usize = 14 + 20;
    let captured = frame.captured();
    let (headers, _) = captured.split_first_chunk::<HEADERS>()?;
    let [_, _, _, _, _, _, _, _, _, _, _, _, ip @ ..] = headers;
    let [8, 0, 0x45, tos, len_0, len_1, id_0, id_1, flags, offset, ttl, protocol::TCP, _, _, ref addresses @ ..] = *ip
    else {
        return None;
    };
    let total_len = usize::from(u16::from_be_bytes([len_0, len_1]));
    if flags & 0x3f != 0 || offset != 0 || total_len < 40 || total_len + 14 > frame.wire_len() {
        return None;
    }
    let [s0, s1, s2, s3, d0, d1, d2, d3] = *addresses;
    let network = Network {
        source: IpAddr::V4(Ipv4Addr::new(s0, s1, s2, s3)),
        destination: IpAddr::V4(Ipv4Addr::new(d0, d1, d2, d3)),
        header: IpHeader::new(NonZeroU16::new(u16::from_be_bytes([id_0, id_1])), ttl, Ecn::from_bits(tos)),
        is_whole: true,
    };
    Some((network, frame.limited_to(14 + total_len).skip(HEADERS).ok()?))
}

/// Addresses and the first eight bytes of TCP of an IP packet quoted by an ICMP error. Its length field is
/// that of the whole packet.
pub(crate) fn quoted_tcp(bytes: Bytes<'_>) -> Result<([IpAddr; 2], &[u8; 8]), Skip> {
    let version = bytes.u8_at(0)? >> 4;
    let (next, header_len, ends) = match version {
        4 => {
            let header = bytes.header::<20>()?;
            let is_later_fragment = u16::from_be_bytes([header[6], header[7]]) & 0x1fff != 0;
            if header[0] & 0x0f < 5 || is_later_fragment {
                return Err(Skip::NotTcp);
            }
            let at = |i: usize| IpAddr::V4(Ipv4Addr::new(header[i], header[i + 1], header[i + 2], header[i + 3]));
            (header[9], usize::from(header[0] & 0x0f) * 4, [at(12), at(16)])
        }
        6 => {
            let header = bytes.header::<40>()?;
            let (source, destination) = header[8..].split_at(16);
            (header[6], 40, [source, destination].map(|octets| IpAddr::V6(v6_address(octets))))
        }
        _ => return Err(Skip::NotTcp),
    };
    if next != protocol::TCP {
        return Err(Skip::NotTcp);
    }
    Ok((ends, bytes.skip(header_len)?.header()?))
}

/// IPv4 (RFC 791 §3.1).
fn v4<'a>(bytes: Bytes<'a>, notes: &mut Notes<'_>) -> Result<Layer<'a>, Skip> {
    let header = bytes.header::<20>()?;
    let header_len = usize::from(header[0] & 0x0f) * 4;
    let total_len = usize::from(u16::from_be_bytes([header[2], header[3]]));
    let flags_and_offset = u16::from_be_bytes([header[6], header[7]]);
    if header_len < 20 || (total_len != 0 && total_len < header_len) {
        return Err(Skip::Anomaly(AnomalyKind::MalformedHeader, header_len as u64));
    }
    if flags_and_offset & 0x1fff != 0 {
        return Err(Skip::Anomaly(AnomalyKind::IpFragment, 0));
    }
    let (packet, is_length_from_frame) = bounded(bytes, total_len, notes)?;
    let fragment = if flags_and_offset & 0x2000 == 0 { Fragment::Whole } else { Fragment::First };
    let identification = NonZeroU16::new(u16::from_be_bytes([header[4], header[5]]));
    let network = Network {
        source: IpAddr::V4(Ipv4Addr::new(header[12], header[13], header[14], header[15])),
        destination: IpAddr::V4(Ipv4Addr::new(header[16], header[17], header[18], header[19])),
        header: IpHeader::new(identification, header[8], Ecn::from_bits(header[1]))
            .with_length_from_frame(is_length_from_frame),
        is_whole: fragment == Fragment::Whole,
    };
    let payload = packet.skip(header_len)?;
    if header[9] == protocol::TCP {
        return Ok(Layer::Tcp(network, payload));
    }
    upper_layer(header[9], network, payload, fragment, true)
}

/// IPv6 (RFC 8200 §3).
fn v6<'a>(bytes: Bytes<'a>, notes: &mut Notes<'_>) -> Result<Layer<'a>, Skip> {
    let header = bytes.header::<40>()?;
    let payload_len = usize::from(u16::from_be_bytes([header[4], header[5]]));
    let (packet, is_length_from_frame) = match payload_len {
        0 => match jumbo_payload_len(bytes, header[6]) {
            Some(len) => bounded(bytes, 40 + len, notes)?,
            // An empty payload is valid and ignored. Linux leaves 0 in super-packets without the jumbo
            // option.
            None if header[6] != protocol::TCP && header[6] != protocol::HOP_BY_HOP => return Err(Skip::NotTcp),
            None => bounded(bytes, 0, notes)?,
        },
        len => bounded(bytes, 40 + len, notes)?,
    };
    let (source, destination) = header[8..].split_at(16);
    let network = Network {
        source: IpAddr::V6(v6_address(source)),
        destination: IpAddr::V6(v6_address(destination)),
        // The traffic class spans two bytes.
        header: IpHeader::new(None, header[7], Ecn::from_bits(header[1] >> 4))
            .with_length_from_frame(is_length_from_frame),
        is_whole: true,
    };
    upper_layer(header[6], network, packet.skip(40)?, Fragment::Whole, false)
}

fn v6_address(octets: &[u8]) -> Ipv6Addr {
    octets.first_chunk::<16>().map_or(Ipv6Addr::UNSPECIFIED, |octets| Ipv6Addr::from(*octets))
}

/// Limits `bytes` to the length field. A length of 0 (segmentation offload of more than 64 KiB) or beyond the
/// frame is replaced by that of the frame; the second value then is true.
#[inline]
fn bounded<'a>(bytes: Bytes<'a>, len: usize, notes: &mut Notes<'_>) -> Result<(Bytes<'a>, bool), Skip> {
    if len != 0 && len <= bytes.wire_len() {
        return Ok((bytes.limited_to(len), false));
    }
    if bytes.wire_len() > MAX_SUPER_PACKET {
        return Err(Skip::Anomaly(AnomalyKind::MalformedHeader, bytes.wire_len() as u64));
    }
    notes.note(AnomalyKind::LengthFromFrame, bytes.wire_len() as u64);
    Ok((bytes, true))
}

/// Payload length in the jumbo payload option (RFC 2675 §2), which Linux uses in super-packets over 64 KiB
/// ("BIG TCP"). In bytes after the fixed header.
fn jumbo_payload_len(bytes: Bytes<'_>, next_header: u8) -> Option<usize> {
    const JUMBO_PAYLOAD: u8 = 0xc2;
    if next_header != protocol::HOP_BY_HOP {
        return None;
    }
    let extension = bytes.captured().get(40..)?;
    let len = (usize::from(*extension.get(1)?) + 1) * 8;
    let mut options = extension.get(2..len)?;
    loop {
        match *options {
            [0, ..] => options = options.get(1..)?,
            [JUMBO_PAYLOAD, 4, a, b, c, d, ..] => return Some(u32::from_be_bytes([a, b, c, d]) as usize),
            [_, len, ..] => options = options.get(2 + usize::from(len)..)?,
            _ => return None,
        }
    }
}

/// Skips extension headers up to the transport protocol (RFC 8200 §4; the authentication header, RFC 4302 §2,
/// occurs in IPv4 too).
fn upper_layer(
    first: u8,
    mut network: Network,
    mut bytes: Bytes<'_>,
    mut fragment: Fragment,
    is_v4: bool,
) -> Result<Layer<'_>, Skip> {
    let mut next = first;
    loop {
        match next {
            protocol::AUTHENTICATION => {
                let &[following, len] = bytes.header()?;
                bytes = bytes.skip((usize::from(len) + 2) * 4)?;
                next = following;
            }
            protocol::HOP_BY_HOP
            | protocol::ROUTING
            | protocol::DESTINATION_OPTIONS
            | protocol::MOBILITY
            | protocol::HOST_IDENTITY
            | protocol::SHIM6
                if !is_v4 =>
            {
                let &[following, len] = bytes.header()?;
                bytes = bytes.skip((usize::from(len) + 1) * 8)?;
                next = following;
            }
            protocol::FRAGMENT if !is_v4 => {
                let &[following, _, high, low] = bytes.header()?;
                let offset_and_flags = u16::from_be_bytes([high, low]);
                if offset_and_flags & 0xfff8 != 0 {
                    return Err(Skip::Anomaly(AnomalyKind::IpFragment, 0));
                }
                if offset_and_flags & 1 != 0 {
                    fragment = Fragment::First;
                    network.is_whole = false;
                }
                bytes = bytes.skip(8)?;
                next = following;
            }
            protocol::TCP => return Ok(Layer::Tcp(network, bytes)),
            _ => break,
        }
    }
    // An inner length field is valid even if a tunnel's packets are fragmented: the later fragments contain
    // the remaining bytes.
    if fragment == Fragment::First {
        bytes = bytes.continued_elsewhere();
    }
    match next {
        protocol::IPV4 | protocol::IPV6 => Ok(Layer::Ip(bytes)),
        protocol::ICMP if is_v4 => Ok(Layer::Icmp(IcmpVersion::V4, bytes)),
        protocol::ICMP_V6 if !is_v4 => Ok(Layer::Icmp(IcmpVersion::V6, bytes)),
        protocol::UDP => Ok(Layer::Udp(network, bytes)),
        protocol::GRE => Ok(Layer::Gre(bytes)),
        protocol::MPLS => Ok(Layer::Mpls(bytes)),
        // RFC 3378 §3: a header of 16 bits.
        protocol::ETHERIP => Ok(Layer::Ethernet(bytes.skip(2)?)),
        other => Ok(Layer::Other(other, network, bytes)),
    }
}
