use tcpwhy_model::{Anomalies, AnomalyKind, Segment, TcpFlags, Timestamp, Traffic};

use crate::bytes::{Bytes, Notes, Skip};
use crate::checksum::{self, Transport};
use crate::layer::Layer;
use crate::network::Network;
use crate::{datagram, icmp, ip, link, tcp, tunnel};

/// Maximum number of headers around a TCP header; real tunnels have fewer than ten.
const MAX_DEPTH: u32 = 32;

/// Decodes one frame down to its innermost TCP header.
///
/// - `link_type`: the link type of capture files (<https://www.tcpdump.org/linktypes.html>).
/// - `captured`: the captured bytes of the frame; `original_len`: its length on the wire in bytes.
/// - `number`: the packet's number in its capture, from 1; it goes into the segment and the anomalies.
///
/// Returns `None` if no TCP segment passed; a defect is then counted in `anomalies`.
pub fn decode_frame(
    link_type: u32,
    captured: &[u8],
    original_len: u32,
    number: u64,
    timestamp: Timestamp,
    anomalies: &mut Anomalies,
) -> Option<Segment> {
    let (mut out, mut traffic) = (Vec::new(), Traffic::default());
    let counts = (anomalies, &mut traffic);
    let is_segment = decode_frame_into(&mut out, link_type, captured, original_len, number, timestamp, counts);
    out.pop().filter(|_| is_segment)
}

/// Like [`decode_frame`], but appends the segment, which avoids a copy. Returns whether there is one.
/// Segments quoted by ICMP errors are appended too, without counting. Valid packets other than TCP are added
/// to the traffic.
#[expect(clippy::inline_always, reason = "called at one place that matters, and every packet takes this way")]
#[inline(always)]
pub(crate) fn decode_frame_into(
    out: &mut Vec<Segment>,
    link_type: u32,
    captured: &[u8],
    original_len: u32,
    number: u64,
    timestamp: Timestamp,
    (anomalies, traffic): (&mut Anomalies, &mut Traffic),
) -> bool {
    let mut notes = Notes { anomalies, packet: number, captured: captured.len(), is_wrapped: false, datagram: None };
    let bytes = Bytes::new(captured, original_len as usize);
    let decoded = match ip::plain_tcp(bytes) {
        Some((network, bytes)) if link_type == link::ETHERNET => {
            tcp::decode(out, &network, bytes, timestamp, &mut notes)
        }
        _ => decode_layers(out, link_type, bytes, timestamp, &mut notes, traffic),
    };
    match decoded {
        Ok(()) => true,
        Err(Skip::NotTcp) => false,
        Err(Skip::Anomaly(kind, detail)) => {
            notes.note(kind, detail);
            false
        }
    }
}

/// Decodes frames that are not a plain Ethernet, IPv4 and TCP packet.
#[inline(never)]
fn decode_layers(
    out: &mut Vec<Segment>,
    link_type: u32,
    bytes: Bytes<'_>,
    timestamp: Timestamp,
    notes: &mut Notes<'_>,
    traffic: &mut Traffic,
) -> Result<(), Skip> {
    match innermost_tcp(out, link_type, bytes, timestamp, notes) {
        Ok((network, bytes)) => tcp::decode(out, &network, bytes, timestamp, notes),
        Err(skip) => {
            if let (Skip::NotTcp, Some((flow, bytes))) = (skip, notes.datagram) {
                traffic.add(flow, timestamp, bytes);
            }
            Err(skip)
        }
    }
}

/// Captured payload of the innermost TCP segment of a frame, for which [`decode_frame_into`] has made a
/// segment.
#[cold]
pub(crate) fn payload(link_type: u32, captured: &[u8], original_len: u32) -> &[u8] {
    let (mut quoted, mut anomalies) = (Vec::new(), Anomalies::default());
    let anomalies = &mut anomalies;
    let mut notes = Notes { anomalies, packet: 0, captured: captured.len(), is_wrapped: false, datagram: None };
    let bytes = Bytes::new(captured, original_len as usize);
    match innermost_tcp(&mut quoted, link_type, bytes, Timestamp::ZERO, &mut notes) {
        Ok((_, bytes)) => tcp::payload(bytes),
        Err(_) => &[],
    }
}

/// Decodes layer after layer down to a TCP header. A segment quoted by an ICMP error is appended here,
/// outside the fast path.
fn innermost_tcp<'a>(
    out: &mut Vec<Segment>,
    link_type: u32,
    bytes: Bytes<'a>,
    timestamp: Timestamp,
    notes: &mut Notes<'_>,
) -> Result<(Network, Bytes<'a>), Skip> {
    let mut layer = Layer::Link(link_type, bytes);
    let mut around = None;
    for _ in 0..MAX_DEPTH {
        notes.is_wrapped |= matches!(layer, Layer::Wifi(..) | Layer::Mpls(_) | Layer::Udp(..) | Layer::Gre(_));
        layer = match layer {
            Layer::Link(link_type, bytes) => link::decode(link_type, bytes)?,
            Layer::Ethernet(bytes) => link::ethernet(bytes)?,
            Layer::EtherType(ether_type, bytes) => link::ether_type(ether_type, bytes)?,
            Layer::Llc(bytes) => link::llc(bytes)?,
            Layer::Wifi(bytes, padding) => link::wifi(bytes, padding)?,
            Layer::Ppp(bytes) => link::ppp_protocol(bytes)?,
            Layer::Mpls(bytes) => link::mpls(bytes)?,
            Layer::Ip(bytes) => ip::decode(bytes, notes)?,
            Layer::Udp(network, bytes) => {
                around = Some((network, bytes));
                notes.datagram = datagram::udp(&network, bytes);
                tunnel::udp(bytes)?
            }
            Layer::Gre(bytes) => tunnel::gre(bytes)?,
            Layer::Icmp(version, bytes) => {
                out.push(icmp::decode(version, bytes, notes.packet, timestamp)?);
                return Err(Skip::NotTcp);
            }
            Layer::Tcp(network, bytes) => return Ok((tunnelled(network, bytes, around), bytes)),
            Layer::Other(protocol, network, bytes) => {
                notes.datagram = datagram::other(protocol, &network, bytes);
                return Err(Skip::NotTcp);
            }
        };
    }
    Err(Skip::Anomaly(AnomalyKind::UndecodedFrame, u64::from(MAX_DEPTH)))
}

/// The IP header of a TCP header inside a UDP tunnel. A host drops tunnelled packets with a wrong outer
/// checksum. Like TCP's, it is verified for SYNs only.
fn tunnelled(network: Network, tcp: Bytes<'_>, around: Option<(Network, Bytes<'_>)>) -> Network {
    const FLAGS: usize = 13;
    let is_syn = tcp.u8_at(FLAGS).is_ok_and(|flags| u16::from(flags) & TcpFlags::SYN.0 != 0);
    let Some((outer, udp)) = around.filter(|_| is_syn) else { return network };
    let is_wrong = checksum::is_wrong(Transport::Udp, &outer, udp);
    Network { header: network.header.with_wrong_checksum(is_wrong), ..network }
}
