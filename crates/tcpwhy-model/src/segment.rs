use std::fmt;
use std::net::IpAddr;
use std::num::NonZeroU16;

use crate::{Record, SeqNum, Timestamp, WindowField};

/// One end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Endpoint {
    /// IP address.
    pub address: IpAddr,
    /// TCP port.
    pub port: u16,
}

impl Endpoint {
    /// The address as packets have it. A dual-stack socket shows an IPv4 peer as `::ffff:…`.
    #[must_use]
    pub const fn canonical(self) -> Self {
        Self { address: self.address.to_canonical(), ..self }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address {
            IpAddr::V4(a) => write!(f, "{a}:{}", self.port),
            IpAddr::V6(a) => write!(f, "[{a}]:{}", self.port),
        }
    }
}

/// TCP control bits (RFC 9293 §3.1; bit 8 is AE, RFC 9768).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TcpFlags(pub u16);

impl TcpFlags {
    /// No more data from sender.
    pub const FIN: Self = Self(0x001);
    /// Synchronise sequence numbers.
    pub const SYN: Self = Self(0x002);
    /// Reset the connection.
    pub const RST: Self = Self(0x004);
    /// Push.
    pub const PSH: Self = Self(0x008);
    /// Acknowledgment field is valid.
    pub const ACK: Self = Self(0x010);
    /// Urgent pointer is valid.
    pub const URG: Self = Self(0x020);
    /// ECN echo (RFC 3168).
    pub const ECE: Self = Self(0x040);
    /// Congestion window reduced (RFC 3168).
    pub const CWR: Self = Self(0x080);
    /// Accurate ECN (RFC 9768), formerly NS.
    pub const AE: Self = Self(0x100);

    /// Whether every bit of `other` is set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets of bits.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Up to four SACK blocks, `[left, right)`, in the order of the option (RFC 2018 §3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SackBlocks {
    /// Entries in use come first; the others are empty.
    blocks: [(SeqNum, SeqNum); 4],
}

impl SackBlocks {
    /// Adds a block. An empty one is ignored, and so is a fifth, which cannot fit into a TCP header.
    pub fn push(&mut self, left: SeqNum, right: SeqNum) {
        let len = self.as_slice().len();
        if let Some(slot) = self.blocks.get_mut(len) {
            *slot = (left, right);
        }
    }

    /// The blocks.
    pub fn as_slice(&self) -> &[(SeqNum, SeqNum)] {
        let len = self.blocks.iter().position(|b| b.0 == b.1).unwrap_or(self.blocks.len());
        &self.blocks[..len]
    }

    /// Whether there is no block.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.blocks[0].0 == self.blocks[0].1
    }
}

/// The timestamps option (RFC 7323 §3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TcpTimestamps {
    /// `TSval`, in ticks of the sender's clock.
    pub value: u32,
    /// `TSecr`: the peer's value, echoed.
    pub echo_reply: u32,
}

/// TCP options that the analysis uses. Unknown kinds are skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpOptions {
    /// Maximum segment size (kind 2, RFC 9293 §3.7.1); 0 counts as absent, as in `tcp_parse_options` of
    /// Linux.
    pub mss: Option<NonZeroU16>,
    /// Window scale shift as written (kind 3, RFC 7323 §2).
    pub window_scale: Option<u8>,
    /// SACK permitted (kind 4, RFC 2018).
    pub sack_permitted: bool,
    /// SACK blocks (kind 5).
    pub sack: SackBlocks,
    /// Timestamps (kind 8).
    pub timestamps: Option<TcpTimestamps>,
    /// Multipath TCP (kind 30, RFC 8684) is present.
    pub has_mptcp: bool,
    /// TCP Fast Open cookie or request (kind 34, RFC 7413) is present.
    pub has_fast_open: bool,
    /// Accurate ECN (kinds 172 and 174, RFC 9768) is present.
    pub has_accurate_ecn: bool,
}

/// Explicit congestion notification in the IP header (RFC 3168 §5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ecn {
    /// The packet is not ECN-capable.
    #[default]
    NotCapable,
    /// ECT(1): ECN-capable, low-latency traffic (RFC 9331).
    Capable1,
    /// ECT(0): ECN-capable.
    Capable0,
    /// CE: a queue on the path was filling.
    CongestionExperienced,
}

impl Ecn {
    /// ECN field in the two lowest bits of the former TOS or traffic class.
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 0b11 {
            0 => Self::NotCapable,
            1 => Self::Capable1,
            2 => Self::Capable0,
            _ => Self::CongestionExperienced,
        }
    }

    /// The two bits, from 0 to 3.
    #[inline]
    pub const fn bits(self) -> u8 {
        self as u8
    }
}

/// Fields of the innermost IP header that the analysis uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IpHeader {
    /// IPv4 identification; `None` for IPv6, and for 0, which does not distinguish packets (RFC 6864 §4.1).
    pub identification: Option<NonZeroU16>,
    /// TTL or hop limit at the capture point; 0 if unknown.
    pub hop_limit: u8,
    /// From the lowest bit: two bits of ECN, [`Self::LENGTH_FROM_FRAME`], two bits for an ICMP error,
    /// [`Self::WRONG_CHECKSUM`]. The highest two bits have [`Self::CUT_OPTIONS`] for a SYN and the [`Record`]
    /// for other segments, because there is no spare byte.
    bits: u8,
}

impl IpHeader {
    const LENGTH_FROM_FRAME: u8 = 0b100;
    const TOO_BIG: u8 = 0b1000;
    const UNREACHABLE: u8 = 0b1_0000;
    const UNDELIVERED: u8 = Self::TOO_BIG | Self::UNREACHABLE;
    const WRONG_CHECKSUM: u8 = 0b10_0000;
    const RECORD_SHIFT: u8 = 6;
    const CUT_OPTIONS: u8 = 0b1000_0000;

    /// A header with a valid length field.
    #[inline]
    pub const fn new(identification: Option<NonZeroU16>, hop_limit: u8, ecn: Ecn) -> Self {
        Self { identification, hop_limit, bits: ecn.bits() }
    }

    /// The same header, with its length taken from the frame or not.
    #[inline]
    #[must_use]
    pub const fn with_length_from_frame(self, is_from_frame: bool) -> Self {
        let bits = self.bits & !Self::LENGTH_FROM_FRAME;
        Self { bits: if is_from_frame { bits | Self::LENGTH_FROM_FRAME } else { bits }, ..self }
    }

    /// The same header, marked as having a segment with a wrong TCP checksum or not.
    #[inline]
    #[must_use]
    pub const fn with_wrong_checksum(self, is_wrong: bool) -> Self {
        let bits = self.bits & !Self::WRONG_CHECKSUM;
        Self { bits: if is_wrong { bits | Self::WRONG_CHECKSUM } else { bits }, ..self }
    }

    /// Whether the segment's TCP checksum is known to be wrong. Only fully captured SYNs are verified, and a
    /// checksum left to the sender's network interface does not count as wrong.
    #[inline]
    pub const fn has_wrong_checksum(self) -> bool {
        self.bits & Self::WRONG_CHECKSUM != 0
    }

    /// The same header, marked as having a SYN with TCP options cut by the snap length or not.
    #[inline]
    #[must_use]
    pub const fn with_cut_options(self, is_cut: bool) -> Self {
        let bits = self.bits & !Self::CUT_OPTIONS;
        Self { bits: if is_cut { bits | Self::CUT_OPTIONS } else { bits }, ..self }
    }

    /// Whether the capture cuts the TCP options of a SYN, so that a missing option may have been sent. Always
    /// false for segments without SYN.
    #[inline]
    pub const fn has_cut_options(self) -> bool {
        self.bits & Self::CUT_OPTIONS != 0
    }

    /// The same header, for a segment without SYN whose payload starts with `record`.
    #[inline]
    #[must_use]
    pub const fn with_record(self, record: Record) -> Self {
        let others = (1 << Self::RECORD_SHIFT) - 1;
        Self { bits: self.bits & others | (record as u8) << Self::RECORD_SHIFT, ..self }
    }

    /// Kind of record at the start of the payload, as far as captured. Undefined for a SYN.
    #[inline]
    pub const fn record(self) -> Record {
        Record::from_bits(self.bits >> Self::RECORD_SHIFT)
    }

    /// Congestion notification.
    #[inline]
    pub const fn ecn(self) -> Ecn {
        Ecn::from_bits(self.bits)
    }

    /// Whether the IP total length was 0 (segmentation offload of a packet over 64 KiB), so that lengths come
    /// from the frame.
    #[inline]
    pub const fn is_length_from_frame(self) -> bool {
        self.bits & Self::LENGTH_FROM_FRAME != 0
    }
}

/// Reason why a router or host could not deliver a packet, from the ICMP error that quotes its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undelivered {
    /// Fragmentation needed (RFC 1191 §4) or packet too big (RFC 8201): the packet exceeds the MTU of the
    /// next link.
    TooBig {
        /// MTU of that link in bytes, IP header included; 0 if the router does not report it.
        mtu: u16,
    },
    /// Destination unreachable or administratively prohibited.
    Unreachable,
}

/// One TCP segment as it passed the capture point, possibly an offload super-packet of many wire segments.
///
/// If [`Self::undelivered`] is set, it is instead the beginning of an undelivered segment, quoted by an ICMP
/// error. Such a segment did not pass the capture point, and only its ends and sequence number are known.
///
/// Aligned to two cache lines, because segments are most of the memory traffic between reading and analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Segment {
    /// Packet number in its capture file, from 1, as in Wireshark (non-TCP packets count too).
    pub number: u64,
    /// Capture time.
    pub timestamp: Timestamp,
    /// Sending end.
    pub source: Endpoint,
    /// Receiving end.
    pub destination: Endpoint,
    /// Sequence number of the first payload byte (of the SYN itself when SYN is set).
    pub seq: SeqNum,
    /// Acknowledgment number; meaningful only with [`TcpFlags::ACK`].
    pub ack: SeqNum,
    /// Control bits.
    pub flags: TcpFlags,
    /// Window field as written.
    pub window: WindowField,
    /// Payload bytes on the wire, from the IP length (the captured part may be shorter).
    pub payload_len: u32,
    /// TCP options.
    pub options: TcpOptions,
    /// IP header of the segment.
    pub ip: IpHeader,
}

impl Segment {
    /// The undelivered segment of an ICMP error, sent from the first to the second of `ends` with sequence
    /// number `seq`. Number and time are those of the ICMP error.
    pub fn quoted(ends: [Endpoint; 2], seq: SeqNum, error: Undelivered, number: u64, timestamp: Timestamp) -> Self {
        let [source, destination] = ends;
        let (bits, mtu) = match error {
            Undelivered::TooBig { mtu } => (IpHeader::TOO_BIG, mtu),
            Undelivered::Unreachable => (IpHeader::UNREACHABLE, 0),
        };
        Self {
            number,
            timestamp,
            source,
            destination,
            seq,
            ack: SeqNum(0),
            flags: TcpFlags::default(),
            // The MTU is stored here because no other field has room for it.
            window: WindowField(mtu),
            payload_len: 0,
            options: TcpOptions::default(),
            ip: IpHeader { bits, ..IpHeader::default() },
        }
    }

    /// Reason of the failed delivery, if an ICMP error quotes the segment, which then did not pass the
    /// capture point.
    #[inline]
    pub const fn undelivered(&self) -> Option<Undelivered> {
        match self.ip.bits & IpHeader::UNDELIVERED {
            0 => None,
            IpHeader::TOO_BIG => Some(Undelivered::TooBig { mtu: self.window.0 }),
            _ => Some(Undelivered::Unreachable),
        }
    }

    /// Length in sequence space: payload plus one each for SYN and FIN.
    pub fn sequence_len(&self) -> u32 {
        self.payload_len
            .saturating_add(u32::from(self.flags.contains(TcpFlags::SYN)))
            .saturating_add(u32::from(self.flags.contains(TcpFlags::FIN)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_two_cache_lines() {
        assert_eq!(size_of::<Segment>(), 128);
    }

    #[test]
    fn an_ip_header_keeps_what_it_was_made_of() {
        for ecn in [Ecn::NotCapable, Ecn::Capable1, Ecn::Capable0, Ecn::CongestionExperienced] {
            let header = IpHeader::new(NonZeroU16::new(7), 64, ecn);
            let from_frame = header.with_length_from_frame(true);
            assert_eq!((header.ecn(), header.is_length_from_frame()), (ecn, false));
            assert_eq!((from_frame.ecn(), from_frame.is_length_from_frame()), (ecn, true));
            assert_eq!(from_frame.with_length_from_frame(false), header);
            let wrong = from_frame.with_wrong_checksum(true);
            assert_eq!((wrong.ecn(), wrong.is_length_from_frame(), wrong.has_wrong_checksum()), (ecn, true, true));
            assert_eq!((wrong.with_wrong_checksum(false), from_frame.has_wrong_checksum()), (from_frame, false));
            for record in [Record::Other, Record::Handshake, Record::Alert, Record::StatusLine] {
                let begun = wrong.with_record(record);
                assert_eq!((begun.ecn(), begun.has_wrong_checksum(), begun.record()), (ecn, true, record));
                assert_eq!((begun.with_record(Record::Other), wrong.record()), (wrong, Record::Other));
            }
            let cut = wrong.with_cut_options(true);
            assert_eq!((cut.ecn(), cut.has_wrong_checksum(), cut.has_cut_options()), (ecn, true, true));
            assert_eq!((cut.with_cut_options(false), wrong.has_cut_options()), (wrong, false));
            assert_eq!(Ecn::from_bits(ecn.bits()), ecn);
        }
    }

    #[test]
    fn what_was_not_delivered_says_why() {
        let end = Endpoint { address: IpAddr::from([10, 0, 0, 1]), port: 80 };
        for error in [Undelivered::TooBig { mtu: 1400 }, Undelivered::TooBig { mtu: 0 }, Undelivered::Unreachable] {
            let quoted = Segment::quoted([end, end], SeqNum(5), error, 9, Timestamp::ZERO);
            assert_eq!((quoted.undelivered(), quoted.seq, quoted.number), (Some(error), SeqNum(5), 9));
            let ip = IpHeader::new(NonZeroU16::new(7), 64, Ecn::CongestionExperienced).with_length_from_frame(true);
            assert_eq!(Segment { ip, ..quoted }.undelivered(), None);
        }
    }

    #[test]
    fn sack_blocks_keep_their_order_and_take_four_that_say_something() {
        let mut sack = SackBlocks::default();
        assert!(sack.is_empty());
        for n in [5, 3, 0, 9, 7, 1] {
            sack.push(SeqNum(10), SeqNum(10 + n));
        }
        let rights: Vec<u32> = sack.as_slice().iter().map(|b| b.1.0).collect();
        assert_eq!(rights, [15, 13, 19, 17]);
    }
}
