//! Code of a line to copy, with placeholders for values of its connection.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::net::IpAddr;

use crate::{Endpoint, FixPlace};

/// Code of a line. A million connections share its text: the values are filled in when the line is printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LineCode {
    /// Text that is the same for every connection.
    Text(Cow<'static, str>),
    /// Text with values of the connection.
    Parts(Cow<'static, [CodePart]>),
}

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodePart {
    /// Text that is the same for every connection.
    Text(&'static str),
    /// Number that is part of the fix.
    Number(u64),
    /// Value of the connection.
    Value(Hole),
    /// Value that no packet shows, in capitals: `RATE`. The reader fills it in.
    Blank(&'static str),
}

/// A value of the connection, in the form that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hole {
    /// Address of the host that sends the data.
    Sender,
    /// Address of the host that receives them.
    Receiver,
    /// Address of the server.
    Server,
    /// Address of the other end, seen from the host of the fix.
    Peer,
    /// The peer's address for a URL or `scp`: `[2001:db8::1]`.
    PeerInUrl,
    /// Port of the server.
    ServerPort,
    /// Server and port: `192.0.2.7:443`, `[2001:db8::1]:443`.
    ServerAndPort,
    /// Options for `mtr` to reach the receiver: with TCP if a program listens there, `-T -P 443 192.0.2.7`.
    ProbeReceiver,
    /// Options for `mtr` to reach the other end, seen from the host of the fix.
    ProbePeer,
    /// Options for `mtr` to reach the server, seen from the client.
    ProbeServer,
    /// Filter of `ss` for connections to the receiver: `'dst 192.0.2.7'`.
    SocketsToReceiver,
    /// Filter of `ss` for the sockets of the program on the host of the fix: `'sport = :443'` on the server.
    SocketsHere,
    /// Filter of `tcpdump` for SYNs. The IPv6 form differs because `tcp[…]` does not match IPv6.
    SynPackets,
    /// Filter of `tcpdump` for resets.
    ResetPackets,
    /// Payload size of a ping that fills an MTU of 1500 bytes.
    FullPing,
    /// Filter of `conntrack` for connections to the receiver: `-f ipv6 -d 2001:db8::1`.
    TrackedToReceiver,
}

impl Hole {
    /// Text to show without a connection, and the placeholder in it that the reader has to replace.
    const fn unfilled(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Sender => ("SENDER", Some("SENDER")),
            Self::Receiver | Self::ProbeReceiver => ("RECEIVER", Some("RECEIVER")),
            Self::Server | Self::ProbeServer => ("SERVER", Some("SERVER")),
            Self::Peer | Self::PeerInUrl | Self::ProbePeer => ("PEER", Some("PEER")),
            Self::ServerPort => ("PORT", Some("PORT")),
            Self::ServerAndPort => ("SERVER:PORT", Some("SERVER:PORT")),
            Self::SocketsToReceiver => ("'dst RECEIVER'", Some("RECEIVER")),
            Self::SocketsHere => ("'sport = :PORT'", Some("PORT")),
            Self::SynPackets => (SYN_OF_IPV4, None),
            Self::ResetPackets => (RESET_OF_IPV4, None),
            Self::FullPing => (FULL_PING_OF_IPV4, None),
            Self::TrackedToReceiver => ("-d RECEIVER", Some("RECEIVER")),
        }
    }
}

const SYN_OF_IPV4: &str = "tcp[tcpflags] & tcp-syn != 0";
const RESET_OF_IPV4: &str = "tcp[tcpflags] & tcp-rst != 0";
/// Without extension headers, the flags of TCP are byte 13 after 40 bytes of IPv6 header (pcap-filter(7)).
const SYN_OF_IPV6: &str = "ip6[53] & 2 != 0";
const RESET_OF_IPV6: &str = "ip6[53] & 4 != 0";
/// 1500 bytes without the IP header and 8 bytes of ICMP.
const FULL_PING_OF_IPV4: &str = "1472";
const FULL_PING_OF_IPV6: &str = "1452";

/// The two ends of the connection that a fix is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FixEnds {
    /// End that sends the data.
    pub sender: Endpoint,
    /// End that receives the data.
    pub receiver: Endpoint,
    /// Whether the sender is the server.
    pub is_sender_server: bool,
}

impl FixEnds {
    /// The server.
    pub const fn server(&self) -> Endpoint {
        if self.is_sender_server { self.sender } else { self.receiver }
    }

    /// The client.
    pub const fn client(&self) -> Endpoint {
        if self.is_sender_server { self.receiver } else { self.sender }
    }

    /// The end where a fix of this place is applied, and its peer. For the path and for captures, this is the
    /// sender.
    pub const fn seen_from(&self, place: FixPlace) -> [Endpoint; 2] {
        match place {
            FixPlace::ReceivingApplication | FixPlace::ReceivingHost => [self.receiver, self.sender],
            FixPlace::SendingApplication
            | FixPlace::SendingHost
            | FixPlace::Network
            | FixPlace::Capture
            | FixPlace::Application
            | FixPlace::Host => [self.sender, self.receiver],
        }
    }

    /// Whether a fix of this place is applied on the server.
    pub fn is_at_server(&self, place: FixPlace) -> bool {
        let is_at_receiver = matches!(place, FixPlace::ReceivingApplication | FixPlace::ReceivingHost);
        self.is_sender_server != is_at_receiver
    }

    /// Text for `hole` in a fix of this `place`.
    pub fn value(&self, hole: Hole, place: FixPlace) -> String {
        let mut out = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.write(hole, place, &mut out);
        out
    }

    fn write(&self, hole: Hole, place: FixPlace, out: &mut String) -> fmt::Result {
        let [_, peer] = self.seen_from(place);
        let (server, receiver) = (self.server(), self.receiver);
        let is_ipv6 = receiver.address.is_ipv6();
        let by_family = |ipv4, ipv6| if is_ipv6 { ipv6 } else { ipv4 };
        match hole {
            Hole::Sender => write!(out, "{}", self.sender.address),
            Hole::Receiver => write!(out, "{}", receiver.address),
            Hole::Server => write!(out, "{}", server.address),
            Hole::Peer => write!(out, "{}", peer.address),
            Hole::PeerInUrl => write!(out, "{}", InBrackets(peer.address)),
            Hole::ServerPort => write!(out, "{}", server.port),
            Hole::ServerAndPort => write!(out, "{server}"),
            Hole::ProbePeer if peer != server => write!(out, "{}", peer.address),
            Hole::ProbeReceiver if self.is_sender_server => write!(out, "{}", receiver.address),
            Hole::ProbePeer | Hole::ProbeReceiver | Hole::ProbeServer => {
                write!(out, "-T -P {} {}", server.port, server.address)
            }
            Hole::SocketsToReceiver => write!(out, "'dst {}'", InBrackets(receiver.address)),
            Hole::SocketsHere if self.is_at_server(place) => write!(out, "'sport = :{}'", server.port),
            Hole::SocketsHere => write!(out, "'dst {} and dport = :{}'", InBrackets(server.address), server.port),
            Hole::SynPackets => out.write_str(by_family(SYN_OF_IPV4, SYN_OF_IPV6)),
            Hole::ResetPackets => out.write_str(by_family(RESET_OF_IPV4, RESET_OF_IPV6)),
            Hole::FullPing => out.write_str(by_family(FULL_PING_OF_IPV4, FULL_PING_OF_IPV6)),
            Hole::TrackedToReceiver => write!(out, "{}-d {}", by_family("", "-f ipv6 "), receiver.address),
        }
    }
}

/// An IPv6 address in the form of URLs and `ss`.
struct InBrackets(IpAddr);

impl fmt::Display for InBrackets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => write!(f, "{address}"),
            IpAddr::V6(address) => write!(f, "[{address}]"),
        }
    }
}

impl LineCode {
    /// The code for the connection between `ends`, in a fix of this `place`. Without ends it has placeholders
    /// in capitals.
    pub fn filled(&self, ends: Option<&FixEnds>, place: FixPlace) -> Cow<'_, str> {
        let parts = match self {
            Self::Text(text) => return Cow::Borrowed(text),
            Self::Parts(parts) => parts,
        };
        let mut out = String::new();
        for part in parts.iter() {
            // Writing to a `String` cannot fail.
            let _ = match (*part, ends) {
                (CodePart::Text(text) | CodePart::Blank(text), _) => out.write_str(text),
                (CodePart::Number(number), _) => write!(out, "{number}"),
                (CodePart::Value(hole), Some(ends)) => ends.write(hole, place, &mut out),
                (CodePart::Value(hole), None) => out.write_str(hole.unfilled().0),
            };
        }
        Cow::Owned(out)
    }

    /// The code with placeholders.
    pub fn unfilled(&self) -> Cow<'_, str> {
        self.filled(None, FixPlace::Network)
    }

    /// Placeholders that the reader has to fill in, in the order of the line.
    pub fn missing(&self, ends: Option<&FixEnds>) -> impl Iterator<Item = &'static str> {
        let parts: &[CodePart] = match self {
            Self::Text(_) => &[],
            Self::Parts(parts) => parts,
        };
        let has_ends = ends.is_some();
        parts.iter().filter_map(move |part| match *part {
            CodePart::Blank(name) => Some(name),
            CodePart::Value(hole) if !has_ends => hole.unfilled().1,
            CodePart::Value(_) | CodePart::Text(_) | CodePart::Number(_) => None,
        })
    }

    /// Whether it ends with `sign`, a marker that starts a comment.
    pub(crate) fn ends_with(&self, sign: &str) -> bool {
        match self {
            Self::Text(text) => text.ends_with(sign),
            Self::Parts(parts) => matches!(parts.last(), Some(CodePart::Text(text)) if text.ends_with(sign)),
        }
    }

    /// Whether it contains values of the connection.
    pub fn has_values(&self) -> bool {
        match self {
            Self::Text(_) => false,
            Self::Parts(parts) => parts.iter().any(|part| matches!(part, CodePart::Value(_))),
        }
    }
}

impl From<&'static str> for LineCode {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for LineCode {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<const N: usize> From<&'static [CodePart; N]> for LineCode {
    fn from(parts: &'static [CodePart; N]) -> Self {
        Self::Parts(Cow::Borrowed(parts))
    }
}

impl From<Vec<CodePart>> for LineCode {
    fn from(parts: Vec<CodePart>) -> Self {
        Self::Parts(parts.into())
    }
}

#[cfg(test)]
mod terms;
