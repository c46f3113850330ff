//! Compares the data packets of two captures of the same transfer.

use std::collections::BTreeMap;

use crate::wrong::{Result, bail};
use tcpwhy_capture::CaptureReader;
use tcpwhy_model::{Segment, TcpFlags, Timestamp};
use tcpwhy_report::sim_comparison::{OrderDifference, SentPacket, TimeAgreement};
use tcpwhy_scenario::End;

/// Segments per read.
const BATCH: usize = 1024;

/// The data packets of the scenario's sender, in the order of a capture.
pub(super) fn sent(mut reader: CaptureReader, opener: End) -> Result<Vec<SentPacket>> {
    let mut segments = Vec::new();
    while reader.read_batch(&mut segments, BATCH) {}
    if let Some(error) = reader.into_error() {
        bail!(error);
    }
    Ok(of_sender(&segments, opener))
}

fn of_sender(segments: &[Segment], opener: End) -> Vec<SentPacket> {
    // The client sent the first segment, unless that is a SYN-ACK.
    let Some(first) = segments.first() else { return Vec::new() };
    let is_answer = first.flags.contains(TcpFlags::SYN) && first.flags.contains(TcpFlags::ACK);
    let client = if is_answer { first.destination } else { first.source };
    let server = if is_answer { first.source } else { first.destination };
    let (from, to) = if opener == End::Sender { (client, server) } else { (server, client) };
    let mut sent: Vec<SentPacket> = Vec::new();
    let mut begin: Option<(Timestamp, tcpwhy_model::SeqNum)> = None;
    let mut place = 0_i64;
    for segment in segments.iter().filter(|segment| segment.payload_len > 0) {
        if (segment.source, segment.destination) != (from, to) {
            continue;
        }
        let (time, last) = *begin.get_or_insert((segment.timestamp, segment.seq));
        place += i64::from(segment.seq.0.wrapping_sub(last.0).cast_signed());
        begin = Some((time, segment.seq));
        sent.push(SentPacket {
            offset: u64::try_from(place).unwrap_or_default(),
            bytes: u64::from(segment.payload_len),
            seconds: segment.timestamp.since(time) as f64 / 1e9,
        });
    }
    sent
}

/// The first packet with a different sequence offset or length.
pub(super) fn first_difference(both: [&[SentPacket]; 2]) -> Option<OrderDifference> {
    let [kernel, simulated] = both;
    let same = kernel.iter().zip(simulated).take_while(|(a, b)| (a.offset, a.bytes) == (b.offset, b.bytes)).count();
    let packets = both.map(|packets| packets.get(same).copied());
    packets.iter().any(Option::is_some).then(|| OrderDifference { number: same as u64 + 1, packets })
}

/// The time up to which first transmissions agree `within` so many seconds. Segment boundaries may differ, so
/// only the beginnings of the kernel's packets are compared.
pub(super) fn agreement(both: [&[SentPacket]; 2], within: f64) -> TimeAgreement {
    let [kernel, simulated] = both.map(firsts);
    let mut first = None;
    for (&offset, &(_, seconds)) in &kernel {
        let at = simulated.range(..=offset).next_back().filter(|(begin, (bytes, _))| *begin + bytes > offset);
        match at {
            Some((_, (_, other))) if (other - seconds).abs() <= within => {}
            Some((_, (_, other))) => {
                first = Some((offset, [seconds, *other]));
                break;
            }
            // The simulator never sent these bytes; the comparison of the order reports that.
            None => break,
        }
    }
    TimeAgreement { within, first }
}

/// Lengths and times of the packets with new bytes, by the offset of their first byte.
fn firsts(packets: &[SentPacket]) -> BTreeMap<u64, (u64, f64)> {
    let mut all = BTreeMap::new();
    let mut next = 0;
    for packet in packets {
        if packet.offset + packet.bytes > next {
            let begin = packet.offset.max(next);
            next = packet.offset + packet.bytes;
            all.insert(begin, (next - begin, packet.seconds));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packets(list: &[(u64, u64, f64)]) -> Vec<SentPacket> {
        list.iter().map(|&(offset, bytes, seconds)| SentPacket { offset, bytes, seconds }).collect()
    }

    #[test]
    fn the_first_packet_that_differs_is_named() {
        let kernel = packets(&[(0, 1448, 0.0), (1448, 1448, 0.1), (2896, 1448, 0.2)]);
        let other = packets(&[(0, 1448, 0.0), (1448, 2896, 0.1)]);
        let difference = first_difference([&kernel, &other]).unwrap();
        assert_eq!(difference.number, 2);
        assert_eq!(difference.packets.map(|packet| packet.unwrap().bytes), [1448, 2896]);
        assert_eq!(first_difference([&kernel, &kernel]), None);
        let shorter = first_difference([&kernel, &kernel[..2]]).unwrap();
        assert_eq!((shorter.number, shorter.packets[1]), (3, None));
    }

    #[test]
    fn times_are_of_the_same_bytes_wherever_packets_are_cut() {
        let kernel = packets(&[(0, 1000, 0.0), (1000, 1000, 0.1), (2000, 1000, 0.3)]);
        let merged = packets(&[(0, 2000, 0.005), (2000, 1000, 0.3)]);
        assert_eq!(agreement([&kernel, &merged], 0.01).first, Some((1000, [0.1, 0.005])));
        assert_eq!(agreement([&kernel, &merged], 0.2).first, None);
    }

    #[test]
    fn a_retransmission_is_not_the_first_time() {
        let kernel = packets(&[(0, 1000, 0.0), (1000, 1000, 0.1), (0, 1000, 0.5), (2000, 1000, 0.6)]);
        let other = packets(&[(0, 1000, 0.0), (1000, 1000, 0.1), (2000, 1000, 0.6)]);
        assert_eq!(agreement([&kernel, &other], 0.01).first, None);
        assert_eq!(first_difference([&kernel, &other]).unwrap().number, 3);
    }
}
