//! A capture of many connections.
#![allow(dead_code, reason = "each program of tests uses a part")]

use tcpwhy_model::Segment;
use tcpwhy_testkit::Turns;

/// Connections of the capture below.
pub(crate) const CONNECTIONS: u16 = 300;

/// Headers of a packet as they are captured here: IPv4 and TCP without options.
pub(crate) const HEADERS: usize = 40;

/// Interleaved connections of different lengths, as a pcap of raw IPv4 packets.
pub(crate) fn capture() -> Vec<u8> {
    let mut segments: Vec<Segment> = Vec::new();
    for port in 0..CONNECTIONS {
        let turns = Turns { count: 10 + u32::from(port % 50), ..Turns::default() };
        segments.extend(turns.run().into_iter().map(|mut segment| {
            for end in [&mut segment.source, &mut segment.destination] {
                if end.port > 1024 {
                    end.port = 10_000 + port;
                }
            }
            segment
        }));
    }
    segments.sort_by_key(|segment| segment.timestamp);
    let mut out = Vec::new();
    for word in [0xa1b2_3c4d_u32, 2 | 4 << 16, 0, 0, 65_535, 228] {
        out.extend(word.to_le_bytes());
    }
    for segment in &segments {
        let nanos = segment.timestamp.as_nanos();
        let length = HEADERS as u32 + segment.payload_len;
        for word in [(nanos / 1_000_000_000) as u32, (nanos % 1_000_000_000) as u32, HEADERS as u32, length] {
            out.extend(word.to_le_bytes());
        }
        out.extend(headers(segment));
    }
    out
}

fn headers(segment: &Segment) -> [u8; HEADERS] {
    let mut packet = [0; HEADERS];
    let length = HEADERS as u16 + segment.payload_len as u16;
    packet[0] = 0x45;
    packet[2..4].copy_from_slice(&length.to_be_bytes());
    (packet[8], packet[9]) = (64, 6);
    for (at, end) in [(12, segment.source), (16, segment.destination)] {
        let std::net::IpAddr::V4(address) = end.address else { panic!("the models speak IPv4") };
        packet[at..at + 4].copy_from_slice(&address.octets());
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
