//! A capture of many connections.
#![allow(dead_code, reason = "each program of tests uses a part")]

use tcpwhy_model::Segment;
use tcpwhy_testkit::{Turns, pcap};

/// Number of connections in the capture.
pub(crate) const CONNECTIONS: u16 = 300;

/// Interleaved connections of different lengths, as a pcap of raw IPv4 packets.
pub(crate) fn capture() -> Vec<u8> {
    pcap(&segments())
}

/// The packets of interleaved connections of different lengths, in order.
pub(crate) fn segments() -> Vec<Segment> {
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
    segments
}
