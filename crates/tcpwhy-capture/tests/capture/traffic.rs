//! UDP and other protocols are counted by flow and time, without counting twice.

use std::io::Cursor;

use tcpwhy_capture::{CaptureReader, MergedReader};
use tcpwhy_model::{Flow, Transport};

use crate::build::{Magic, Order, Packet, ethernet, ipv4, ipv4_with, ipv6, pcap, tcp, udp};

const RAW: u32 = 101;
const MILLISECOND: u64 = 1_000_000;

fn reader(link_type: u32, packets: &[Packet]) -> CaptureReader {
    let file = pcap(Order::Little, Magic::Nanos, link_type, packets);
    CaptureReader::from_read(Cursor::new(file), "traffic").expect("a capture")
}

fn raw(packets: &[Vec<u8>]) -> CaptureReader {
    let packets: Vec<_> = packets.iter().map(|packet| Packet::new(MILLISECOND, packet.clone())).collect();
    reader(RAW, &packets)
}

/// Flows with their bytes, sorted.
fn flows(mut reader: CaptureReader) -> Vec<(Flow, u64)> {
    while reader.read_batch(&mut Vec::new(), 16) {}
    let traffic = reader.take_traffic();
    let mut flows: Vec<_> = traffic.flows().map(|(flow, bytes)| (flow, bytes.total())).collect();
    flows.sort_unstable();
    flows
}

/// Transport, port of the receiver and bytes of each flow.
fn seen(packets: &[Vec<u8>]) -> Vec<(Transport, u16, u64)> {
    flows(raw(packets)).into_iter().map(|(flow, bytes)| (flow.transport, flow.to.port, bytes)).collect()
}

#[test]
fn datagrams_count_with_their_headers() {
    let datagram = ipv4(17, &udp(5001, &[0; 1000]));
    assert_eq!(seen(&[datagram.clone(), datagram.clone()]), [(Transport::Udp, 5001, 2 * 1028)]);
    assert_eq!(seen(&[ipv6(17, &udp(443, &[0; 1000]))]), [(Transport::Udp, 443, 1048)]);
    assert_eq!(seen(&[datagram, ipv4(17, &udp(53, &[0; 20]))]).len(), 2);
    let [(flow, _)] = flows(raw(&[ipv4(17, &udp(5001, &[0; 9]))]))[..] else { panic!("one flow") };
    assert_eq!((flow.from.to_string(), flow.to.to_string()), ("10.0.0.1:49152".into(), "192.0.2.7:5001".into()));
}

#[test]
fn cut_and_padded_frames_count_what_was_on_the_wire() {
    let mut cut = Packet::new(MILLISECOND, ethernet(0x0800, &ipv4(17, &udp(5001, &[0; 1000]))));
    cut.captured.truncate(64);
    let padded = Packet::new(MILLISECOND, ethernet(0x0800, &[ipv4(17, &udp(5001, &[0; 10])), vec![0; 8]].concat()));
    let [(_, bytes)] = flows(reader(1, &[cut, padded]))[..] else { panic!("one flow") };
    assert_eq!(bytes, 1028 + 38);
}

/// The first fragment has the length of the whole datagram.
#[test]
fn fragments_count_once() {
    let whole = udp(5001, &[0; 8000]);
    let first = ipv4_with(17, 1500, 0x2000, &whole[..1480]);
    let second = ipv4_with(17, 1500, 0x2000 + 185, &whole[1480..2960]);
    assert_eq!(seen(&[first, second]), [(Transport::Udp, 5001, 8028)]);
}

#[test]
fn what_a_tunnel_carries_counts_in_its_place() {
    let vxlan =
        |inner: &[u8]| ipv4(17, &udp(4789, &[&[8, 0, 0, 0, 0, 0, 1, 0][..], &ethernet(0x0800, inner)].concat()));
    assert_eq!(seen(&[vxlan(&ipv4(6, &tcp()))]), [], "TCP is counted by its connection");
    assert_eq!(seen(&[vxlan(&ipv4(17, &udp(53, &[0; 20])))]), [(Transport::Udp, 53, 48)]);
    assert_eq!(seen(&[ipv4(6, &tcp())]), []);
}

#[test]
fn other_protocols_count_by_their_number() {
    assert_eq!(seen(&[ipv4(50, &[0; 100])]), [(Transport::Other(50), 0, 120)]);
}

#[test]
fn bytes_are_where_their_time_is() {
    let packets: Vec<_> = (0..10).map(|n| Packet::new(n * 100 * MILLISECOND, ipv4(17, &udp(9, &[0; 972])))).collect();
    let mut reader = reader(RAW, &packets);
    while reader.read_batch(&mut Vec::new(), 16) {}
    let traffic = reader.take_traffic();
    let bytes = traffic.flows().next().expect("a flow").1;
    let at = |from, to| {
        let [from, to] = [from, to].map(|ms: i64| tcpwhy_model::Timestamp::from_nanos(ms * 1_000_000));
        bytes.within(&[tcpwhy_model::Span::new(from, to)]).round()
    };
    assert_eq!((at(-50, 350), at(350, 1000), at(1000, 2000)), (4000.0, 6000.0, 0.0));
}

#[test]
fn merged_captures_add_up() {
    let of = |port| raw(&[ipv4(17, &udp(port, &[0; 100]))]);
    let mut merged = MergedReader::new(vec![of(1), of(2), of(1)]);
    while merged.read_batch(&mut Vec::new(), 16) {}
    let traffic = merged.take_traffic();
    let mut bytes: Vec<_> = traffic.flows().map(|(flow, bytes)| (flow.to.port, bytes.total())).collect();
    bytes.sort_unstable();
    assert_eq!(bytes, [(1, 256), (2, 128)]);
}
