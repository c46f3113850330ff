//! Interface between the decoders of headers.

use crate::bytes::Bytes;
use crate::network::Network;

/// The next layer of a frame, with its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layer<'a> {
    /// A frame of a link type, as numbered in captures.
    Link(u32, Bytes<'a>),
    /// An Ethernet header without preamble.
    Ethernet(Bytes<'a>),
    /// The payload of an Ethernet type.
    EtherType(u16, Bytes<'a>),
    /// An IEEE 802.2 header.
    Llc(Bytes<'a>),
    /// An IEEE 802.11 header.
    Wifi(Bytes<'a>, WifiPadding),
    /// A PPP protocol field.
    Ppp(Bytes<'a>),
    /// An MPLS label stack.
    Mpls(Bytes<'a>),
    /// An IP header of either version.
    Ip(Bytes<'a>),
    /// A UDP header, and its IP header.
    Udp(Network, Bytes<'a>),
    /// A GRE header.
    Gre(Bytes<'a>),
    /// An ICMP header.
    Icmp(IcmpVersion, Bytes<'a>),
    /// A TCP header, and its IP header.
    Tcp(Network, Bytes<'a>),
    /// The header of a protocol with this number that is not decoded, and its IP header.
    Other(u8, Network, Bytes<'a>),
}

/// Whether the radio pads the 802.11 header to a multiple of four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WifiPadding {
    None,
    ToFourBytes,
}

/// Version of ICMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IcmpVersion {
    /// RFC 792.
    V4,
    /// RFC 4443.
    V6,
}
