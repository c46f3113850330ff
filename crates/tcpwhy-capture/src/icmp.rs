//! ICMP errors about TCP packets.

use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Segment, SeqNum, Timestamp, Undelivered};

use crate::bytes::{Bytes, Skip};
use crate::ip;
use crate::layer::IcmpVersion;

/// Bytes of the ICMP header before the quoted packet.
const HEADER: usize = 8;

/// The TCP packet that an ICMP error quotes, with number and time of the error; other messages are ignored. A
/// quotation that is too short to identify its connection does not count as a defect of the capture.
pub(crate) fn decode(
    version: IcmpVersion,
    bytes: Bytes<'_>,
    number: u64,
    timestamp: Timestamp,
) -> Result<Segment, Skip> {
    let header = bytes.header::<HEADER>().map_err(|_| Skip::NotTcp)?;
    let error = error(version, *header).ok_or(Skip::NotTcp)?;
    let quotation = bytes.skip(HEADER).map_err(|_| Skip::NotTcp)?;
    let ([source, destination], tcp) = ip::quoted_tcp(quotation).map_err(|_| Skip::NotTcp)?;
    let &[s0, s1, d0, d1, seq @ ..] = tcp;
    let end = |address: IpAddr, port: [u8; 2]| Endpoint { address, port: u16::from_be_bytes(port) };
    let ends = [end(source, [s0, s1]), end(destination, [d0, d1])];
    Ok(Segment::quoted(ends, SeqNum(u32::from_be_bytes(seq)), error, number, timestamp))
}

/// The reported error, if the message is one that matters.
fn error(version: IcmpVersion, header: [u8; HEADER]) -> Option<Undelivered> {
    let [kind, code, _, _, high, higher, mtu_0, mtu_1] = header;
    match (version, kind, code) {
        // Destination unreachable; code 4 is "fragmentation needed and DF set" (RFC 792), with the MTU since
        // RFC 1191 §4.
        (IcmpVersion::V4, 3, 4) => Some(Undelivered::TooBig { mtu: u16::from_be_bytes([mtu_0, mtu_1]) }),
        (IcmpVersion::V4, 3, _) | (IcmpVersion::V6, 1, _) => Some(Undelivered::Unreachable),
        // The MTU has 32 bits (RFC 4443 §3.2); an MTU over 65,535 never limits.
        (IcmpVersion::V6, 2, _) if high == 0 && higher == 0 => {
            Some(Undelivered::TooBig { mtu: u16::from_be_bytes([mtu_0, mtu_1]) })
        }
        _ => None,
    }
}
