use std::net::IpAddr;

use tcpwhy_model::Segment;

/// Headers of a packet in [`pcap`]: IPv4 and TCP without options.
pub const HEADERS: usize = 40;

/// Nanoseconds in a second.
const SECOND: i64 = 1_000_000_000;

/// A pcap of raw IPv4 packets without TCP options and payload; times in nanoseconds. Times out of the
/// format's range become the nearest valid one. IPv6 addresses are reduced to their last four bytes.
pub fn pcap(segments: &[Segment]) -> Vec<u8> {
    let mut out = Vec::new();
    // LINKTYPE_IPV4.
    for word in [0xa1b2_3c4d_u32, 2 | 4 << 16, 0, 0, 65_535, 228] {
        out.extend(word.to_le_bytes());
    }
    for segment in segments {
        let nanos = segment.timestamp.as_nanos().clamp(0, i64::from(u32::MAX) * SECOND);
        let length = HEADERS as u32 + segment.payload_len;
        for word in [(nanos / SECOND) as u32, (nanos % SECOND) as u32, HEADERS as u32, length] {
            out.extend(word.to_le_bytes());
        }
        out.extend(headers(segment));
    }
    out
}

fn headers(segment: &Segment) -> [u8; HEADERS] {
    let mut packet = [0; HEADERS];
    let length = (HEADERS as u32).saturating_add(segment.payload_len).min(u32::from(u16::MAX)) as u16;
    packet[0] = 0x45;
    packet[2..4].copy_from_slice(&length.to_be_bytes());
    (packet[8], packet[9]) = (64, 6);
    for (at, end) in [(12, segment.source), (16, segment.destination)] {
        let octets = match end.address {
            IpAddr::V4(address) => address.octets(),
            IpAddr::V6(address) => (address.to_bits() as u32).to_be_bytes(),
        };
        packet[at..at + 4].copy_from_slice(&octets);
    }
    packet[20..22].copy_from_slice(&segment.source.port.to_be_bytes());
    packet[22..24].copy_from_slice(&segment.destination.port.to_be_bytes());
    packet[24..28].copy_from_slice(&segment.seq.0.to_be_bytes());
    packet[28..32].copy_from_slice(&segment.ack.0.to_be_bytes());
    packet[32] = 0x50;
    packet[33] = segment.flags.0 as u8;
    packet[34..36].copy_from_slice(&segment.window.0.to_be_bytes());
    packet
}
