use tcpwhy_model::{AnomalyKind, Endpoint, Record, Segment, SeqNum, TcpFlags, TcpOptions, Timestamp, WindowField};

use crate::bytes::{Bytes, Notes, Skip};
use crate::checksum::{self, Transport};
use crate::network::Network;
use crate::options::read_options;

/// Length of a TCP header without options (RFC 9293 §3.1).
const MIN_HEADER: usize = 20;

/// Decodes a TCP header. `bytes` starts at the header and ends at the IP length.
///
/// The first 16 bytes must have been captured, that is, all but checksum and urgent pointer. Options are
/// decoded as far as captured. Every receiver drops a packet whose data offset is below 5 or beyond the
/// packet (Linux `tcp_v4_rcv`), so it does not yield a segment here.
///
/// The segment is built directly in `out`, because a copy would cost more than decoding most packets.
#[expect(clippy::inline_always, reason = "only then are a frame's fields written once, to where they are to lie")]
#[inline(always)]
pub(crate) fn decode(
    out: &mut Vec<Segment>,
    network: &Network,
    bytes: Bytes<'_>,
    timestamp: Timestamp,
    notes: &mut Notes<'_>,
) -> Result<(), Skip> {
    let header = bytes.header::<16>()?;
    let u16_at = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
    let u32_at = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);

    let header_len = usize::from(header[12] >> 4) * 4;
    if header_len < MIN_HEADER || header_len > bytes.wire_len() {
        return Err(Skip::Anomaly(AnomalyKind::MalformedHeader, header_len as u64));
    }
    let captured = bytes.captured();
    let whole_options = captured.get(MIN_HEADER..header_len);
    let option_bytes = whole_options.unwrap_or_else(|| {
        notes.note(AnomalyKind::TruncatedHeader, captured.len() as u64);
        captured.get(MIN_HEADER..).unwrap_or_default()
    });
    let is_syn = u16_at(12) & TcpFlags::SYN.0 != 0;
    out.push(Segment {
        number: notes.packet,
        timestamp,
        source: Endpoint { address: network.source, port: u16_at(0) },
        destination: Endpoint { address: network.destination, port: u16_at(2) },
        seq: SeqNum(u32_at(4)),
        ack: SeqNum(u32_at(8)),
        flags: TcpFlags(u16_at(12) & 0x01ff),
        window: WindowField(u16_at(14)),
        payload_len: (bytes.wire_len() - header_len) as u32,
        options: TcpOptions::default(),
        ip: network.header.with_cut_options(is_syn && whole_options.is_none()),
    });
    if let Some(segment) = out.last_mut()
        && let Some(kind) = read_options(option_bytes, &mut segment.options)
        && captured.len() >= header_len
    {
        notes.note(kind, header_len as u64);
    }
    if is_syn {
        verify(out, network, bytes);
    } else if let Some(payload) = captured.get(header_len..)
        && let record @ (Record::Handshake | Record::Alert | Record::StatusLine) = Record::of(payload)
    {
        note_record(out, record);
    }
    Ok(())
}

/// Marks the last segment as beginning with `record`.
#[cold]
fn note_record(out: &mut [Segment], record: Record) {
    if let Some(segment) = out.last_mut() {
        segment.ip = segment.ip.with_record(record);
    }
}

/// Verifies the checksum of the last segment, a SYN. A host that drops packets because of their checksum
/// drops the first one too. Verification of each packet would double the total cost.
#[cold]
fn verify(out: &mut [Segment], network: &Network, bytes: Bytes<'_>) {
    if let Some(segment) = out.last_mut()
        && checksum::is_wrong(Transport::Tcp, network, bytes)
    {
        segment.ip = segment.ip.with_wrong_checksum(true);
    }
}

/// The captured bytes after the header and its options. `bytes` is as for [`decode`].
pub(crate) fn payload(bytes: Bytes<'_>) -> &[u8] {
    let captured = bytes.captured();
    let header_len = captured.get(12).map_or(0, |&offset| usize::from(offset >> 4) * 4);
    captured.get(header_len.max(MIN_HEADER)..).unwrap_or_default()
}
