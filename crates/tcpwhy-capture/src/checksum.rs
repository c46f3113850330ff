//! The Internet checksum of TCP and UDP (RFC 1071, RFC 9293 §3.1, RFC 768, RFC 8200 §8.1).

use std::net::IpAddr;

use crate::bytes::Bytes;
use crate::network::Network;

/// A transport protocol with a checksum over its header, its payload and a pseudo header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    Tcp,
    Udp,
}

impl Transport {
    /// Protocol number in IP headers.
    const fn number(self) -> u32 {
        match self {
            Self::Tcp => 6,
            Self::Udp => 17,
        }
    }

    /// Offset of the checksum in the header.
    const fn place(self) -> usize {
        match self {
            Self::Tcp => 16,
            Self::Udp => 6,
        }
    }
}

/// Whether `bytes`, from the transport header to the end of the packet, have a checksum that makes every
/// receiver drop the packet. This is known only if the whole packet was captured.
///
/// A host may leave the checksum to its network interface. The field then contains the sum of the pseudo
/// header alone (`CHECKSUM_PARTIAL` of Linux; Windows and the BSDs do the same) or 0. Such a packet, captured
/// on the sending host, is valid.
pub(crate) fn is_wrong(transport: Transport, network: &Network, bytes: Bytes<'_>) -> bool {
    let captured = bytes.captured();
    if !network.is_whole || network.header.is_length_from_frame() || captured.len() < bytes.wire_len() {
        return false;
    }
    let Some(field) = captured.get(transport.place()..).and_then(<[u8]>::first_chunk) else { return false };
    let stored = u16::from_be_bytes(*field);
    let pseudo = pseudo_header(transport, network, captured.len());
    let is_left_to_interface = stored == 0 || stored == folded(pseudo);
    !is_left_to_interface && folded(pseudo + sum(captured)) != u16::MAX
}

/// Sum of addresses, protocol and length, which the checksum covers in addition to the bytes.
fn pseudo_header(transport: Transport, network: &Network, len: usize) -> u64 {
    let address = |address: IpAddr| match address {
        IpAddr::V4(address) => sum(&address.octets()),
        IpAddr::V6(address) => sum(&address.octets()),
    };
    address(network.source) + address(network.destination) + u64::from(transport.number()) + len as u64
}

/// Sum of the 16-bit words; a last odd byte is padded with zero.
fn sum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(2).map(|word| match *word {
        [high, low] => u64::from(u16::from_be_bytes([high, low])),
        [high] => u64::from(u16::from_be_bytes([high, 0])),
        _ => 0,
    });
    words.sum()
}

/// The sum with its carries added (RFC 1071).
fn folded(mut sum: u64) -> u16 {
    while sum > u64::from(u16::MAX) {
        sum = (sum >> 16) + (sum & 0xffff);
    }
    sum as u16
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use tcpwhy_model::IpHeader;

    use super::*;

    const V4: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::new(10, 1, 0, 2)), IpAddr::V4(Ipv4Addr::new(10, 2, 0, 2))];
    const V6: [IpAddr; 2] = [
        IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)),
        IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 2)),
    ];

    fn network([source, destination]: [IpAddr; 2]) -> Network {
        Network { source, destination, header: IpHeader::default(), is_whole: true }
    }

    /// A header with an odd payload. `of` computes its checksum from the right one and the sum of the pseudo
    /// header.
    fn packet(transport: Transport, ends: [IpAddr; 2], of: impl Fn(u16, u16) -> u16) -> Vec<u8> {
        let mut bytes: Vec<u8> = (1..=37).collect();
        let place = transport.place();
        bytes[place..place + 2].fill(0);
        let pseudo = pseudo_header(transport, &network(ends), bytes.len());
        let right = !folded(pseudo + sum(&bytes));
        bytes[place..place + 2].copy_from_slice(&of(right, folded(pseudo)).to_be_bytes());
        bytes
    }

    fn check(bytes: &[u8], transport: Transport, ends: [IpAddr; 2]) -> bool {
        is_wrong(transport, &network(ends), Bytes::new(bytes, bytes.len()))
    }

    /// A SYN that Linux sent and a router forwarded.
    #[test]
    fn a_syn_of_a_real_host_is_right() {
        let syn = [
            0x9c, 0xca, 0x1f, 0x90, 0x19, 0xfb, 0x06, 0xc5, 0, 0, 0, 0, 0xa0, 0x02, 0xfa, 0xf0, 0, 0, 0, 0, 2, 4, 5,
            0xb4, 4, 2, 8, 10, 0x7f, 0x1c, 0xb7, 0x85, 0, 0, 0, 0, 1, 3, 3, 7,
        ];
        let right = !folded(pseudo_header(Transport::Tcp, &network(V4), syn.len()) + sum(&syn));
        let mut sent = syn;
        sent[16..18].copy_from_slice(&right.to_be_bytes());
        assert!(!check(&sent, Transport::Tcp, V4));
        sent[16..18].copy_from_slice(&[0xbe, 0xef]);
        assert!(check(&sent, Transport::Tcp, V4));
    }

    #[test]
    fn wrong_is_neither_right_nor_left_to_the_interface() {
        for transport in [Transport::Tcp, Transport::Udp] {
            for ends in [V4, V6] {
                let of = |of: fn(u16, u16) -> u16| check(&packet(transport, ends, of), transport, ends);
                assert!(!of(|right, _| right), "right");
                assert!(!of(|_, pseudo| pseudo), "of the pseudo header alone");
                assert!(!of(|_, _| 0), "none");
                assert!(of(|right, _| right ^ 1), "one bit wrong");
                assert!(of(|right, _| right.wrapping_add(0x100)), "another bit wrong");
            }
        }
    }

    #[test]
    fn a_part_of_a_packet_shows_nothing() {
        let wrong = packet(Transport::Tcp, V4, |right, _| right ^ 1);
        let is_wrong =
            |network: &Network, len| is_wrong(Transport::Tcp, network, Bytes::new(&wrong[..len], wrong.len()));
        assert!(is_wrong(&network(V4), wrong.len()));
        assert!(!is_wrong(&network(V4), wrong.len() - 1), "cut off");
        assert!(!is_wrong(&Network { is_whole: false, ..network(V4) }, wrong.len()), "a fragment");
        let header = IpHeader::default().with_length_from_frame(true);
        assert!(!is_wrong(&Network { header, ..network(V4) }, wrong.len()), "a super-packet");
    }
}
