//! Tests of the packet ring on the running kernel, in network namespaces of their own.
//!
//! If the tests may not create a namespace, they print this and skip, unless `MUST_HAVE_NAMESPACES` is set.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use tcpwhy_live::{Capturing, Interface, PacketRing};
use tcpwhy_testkit::in_namespace;

const PAYLOAD: &[u8] = b"what other people say to each other";
const SNAPLEN: u32 = 128;
/// A ring of 1 MB.
const BLOCKS: usize = 4;

fn ip(args: &str) {
    assert!(tcpwhy_testkit::ip(args), "ip {args}");
}

/// Opens a connection, sends data over it and closes it.
fn transfer(address: &str) {
    let listener = TcpListener::bind((address, 0)).unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    client.write_all(PAYLOAD).unwrap();
    drop(client);
    let mut read = Vec::new();
    server.read_to_end(&mut read).unwrap();
    assert_eq!(read, PAYLOAD);
}

/// The bytes and original lengths of packets, until none arrives for a while.
fn packets(ring: &mut PacketRing) -> Vec<(Vec<u8>, u32)> {
    let mut all = Vec::new();
    let end = Instant::now() + 5 * PacketRing::patience();
    while Instant::now() < end {
        while ring
            .take_block(|packet| {
                all.push((packet.data.to_vec(), packet.original_len));
                Ok(())
            })
            .unwrap()
        {}
        ring.wait(Duration::from_millis(5)).unwrap();
    }
    all
}

fn holds_payload(packets: &[(Vec<u8>, u32)]) -> bool {
    packets.iter().any(|(data, _)| data.windows(4).any(|part| part == &PAYLOAD[..4]))
}

#[test]
fn headers_of_tcp_alone() {
    in_namespace(|| {
        let capturing = Capturing::TcpHeaders { snaplen: SNAPLEN };
        let mut ring = PacketRing::open(Interface::Named("lo"), capturing, BLOCKS).unwrap();
        assert_eq!(ring.link_type(), 1);
        let other = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        other.send_to(PAYLOAD, "127.0.0.1:9").unwrap();
        transfer("127.0.0.1");
        let packets = packets(&mut ring);
        // SYN, SYN-ACK, ACK, data, ACK, FIN, FIN … each once, although a loopback sends and receives every
        // packet.
        assert!((6..=9).contains(&packets.len()), "{packets:?}");
        assert!(!holds_payload(&packets));
        let (data, len) = packets.iter().max_by_key(|(_, len)| *len).unwrap();
        assert_eq!((data.len(), *len as usize), (14 + 20 + 32, 14 + 20 + 32 + PAYLOAD.len()));
        let counts = ring.counts().unwrap();
        assert_eq!((counts.packets, counts.drops), (packets.len() as u64, 0));
    });
}

#[test]
fn payload_when_asked_for() {
    in_namespace(|| {
        let capturing = Capturing::TcpWithPayload { snaplen: SNAPLEN };
        let mut ring = PacketRing::open(Interface::Named("lo"), capturing, BLOCKS).unwrap();
        transfer("127.0.0.1");
        assert!(holds_payload(&packets(&mut ring)));
    });
}

#[test]
fn any_interface_with_a_header_of_its_own() {
    in_namespace(|| {
        let mut ring = PacketRing::open(Interface::Any, Capturing::TcpHeaders { snaplen: SNAPLEN }, BLOCKS).unwrap();
        assert_eq!(ring.link_type(), 276);
        transfer("::1");
        let packets = packets(&mut ring);
        assert!((6..=9).contains(&packets.len()) && !holds_payload(&packets), "{packets:?}");
        // The header of the kind of link: IPv6, interface 1, loopback, packet to this host.
        assert!(packets.iter().all(|(data, _)| data[..12] == [0x86, 0xdd, 0, 0, 0, 0, 0, 1, 3, 4, 0, 6]));
        let (data, len) = packets.iter().max_by_key(|(_, len)| *len).unwrap();
        assert_eq!((data.len(), *len as usize), (20 + 40 + 32, 20 + 40 + 32 + PAYLOAD.len()));
    });
}

/// The tag is in the packet, whether software inserted it or the kernel stores it separately.
#[test]
fn vlans() {
    in_namespace(|| {
        ip("link add veth0 type veth peer name veth1");
        for end in ["veth0", "veth1"] {
            ip(&format!("link set {end} up"));
        }
        let vlan = Command::new("ip").args("link add link veth0 name v5 type vlan id 5".split(' ')).output().unwrap();
        if !vlan.status.success() {
            eprintln!("skipped: this kernel has no VLANs ({})", String::from_utf8_lossy(&vlan.stderr).trim());
            return;
        }
        ip("addr add 10.9.0.1/24 dev v5");
        ip("link set v5 up");
        ip("neigh add 10.9.0.2 lladdr 02:00:00:00:00:02 dev v5");
        let capturing = Capturing::TcpHeaders { snaplen: SNAPLEN };
        for (end, is_cooked) in [("veth0", false), ("veth1", false), ("any", true)] {
            let interface = if is_cooked { Interface::Any } else { Interface::Named(end) };
            let mut ring = PacketRing::open(interface, capturing, BLOCKS).unwrap();
            let _ = TcpStream::connect_timeout(&"10.9.0.2:80".parse().unwrap(), Duration::from_millis(60));
            let packets = packets(&mut ring);
            assert!(!packets.is_empty(), "{end}");
            for (data, _) in packets {
                let expected: &[u8] = if is_cooked { &[0x08, 0x00] } else { &[0x81, 0x00, 0, 5, 0x08, 0x00] };
                let at = if is_cooked { 0 } else { 12 };
                assert_eq!(&data[at..at + expected.len()], expected, "{end} {data:02x?}");
                let ip_at = if is_cooked { 20 } else { 18 };
                assert_eq!(data[ip_at], 0x45, "{end} {data:02x?}");
            }
        }
    });
}

#[test]
fn what_is_not_there_cannot_be_captured() {
    in_namespace(|| {
        let capturing = Capturing::TcpHeaders { snaplen: SNAPLEN };
        for name in ["nothing", "", "a-name-that-is-too-long-for-one", "a\0b"] {
            assert!(PacketRing::open(Interface::Named(name), capturing, BLOCKS).is_err(), "{name:?}");
        }
        ip("link set lo down");
        let ring = PacketRing::open(Interface::Named("lo"), capturing, BLOCKS);
        // The error comes at once or at the first wait.
        let said = ring.and_then(|ring| ring.wait(Duration::from_millis(50)));
        assert_eq!(said.unwrap_err().raw_os_error(), Some(libc::ENETDOWN));
    });
}
