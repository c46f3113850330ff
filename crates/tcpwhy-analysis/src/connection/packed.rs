//! Segments of one connection, packed into a quarter of their size.

use std::num::NonZeroU16;

use tcpwhy_model::{
    Ecn, Endpoint, IpHeader, Record, SackBlocks, Segment, SeqNum, TcpFlags, TcpOptions, TcpTimestamps, Timestamp,
    WindowField,
};

/// The values relative to which a connection's segments are packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    pub(super) endpoints: [Endpoint; 2],
    pub(super) number: u64,
    pub(super) time: i64,
}

/// The first segments of a connection, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedSegments {
    bytes: Vec<u8>,
}

/// Bits of the first byte of a segment.
mod head {
    pub(super) const FROM_SECOND: u8 = 1;
    pub(super) const TIMESTAMPS: u8 = 2;
    pub(super) const IDENTIFICATION: u8 = 4;
    pub(super) const RARE: u8 = 8;
    /// Numbers too large for the usual fields follow in full.
    pub(super) const WIDE: u8 = 16;
    /// The three bits above count SACK blocks.
    pub(super) const SACK_SHIFT: u32 = 5;
}

/// Offsets of the numbers of every segment, after the first byte.
mod at {
    pub(super) const FLAGS: usize = 1;
    pub(super) const SEQ: usize = 2;
    pub(super) const ACK: usize = 6;
    pub(super) const WINDOW: usize = 10;
    pub(super) const LEN: usize = 12;
    /// Distances from the base: 32 bits for the packet's number, 40 bits for its time, which is nine minutes.
    pub(super) const NUMBER: usize = 14;
    pub(super) const TIME: usize = 18;
    pub(super) const HOP_LIMIT: usize = 23;
    pub(super) const END: usize = 24;
}

/// Bits for options that few segments have.
mod rare {
    pub(super) const MSS: u8 = 1;
    pub(super) const WINDOW_SCALE: u8 = 2;
    pub(super) const SACK_PERMITTED: u8 = 4;
    pub(super) const MPTCP: u8 = 8;
    pub(super) const FAST_OPEN: u8 = 16;
    pub(super) const ACCURATE_ECN: u8 = 32;
    /// Two bits.
    pub(super) const ECN_SHIFT: u32 = 6;
}

/// Bits that hardly any segment has, after the numbers in full.
mod wide {
    pub(super) const LENGTH_FROM_FRAME: u8 = 1;
    pub(super) const WRONG_CHECKSUM: u8 = 2;
    /// Two bits: the kind of content at the start of the payload, or that a SYN's options are cut.
    pub(super) const RECORD_SHIFT: u8 = 2;
}

impl PackedSegments {
    /// Limit of the kept bytes: about 15 segments with timestamps. A connection with more packets is not a
    /// short one.
    const MAX_BYTES: usize = 512;
    /// Enough for a single SYN.
    const FIRST: usize = 40;
    /// Growth step: allocators have these sizes.
    const STEP: usize = 128;

    /// Adds a segment between the ends of `base`. Returns false and adds nothing if the limit would be
    /// exceeded.
    pub(super) fn push(&mut self, segment: &Segment, base: &Base) -> bool {
        let mut packed = Packed { bytes: [0; Packed::MAX], len: 0 };
        packed.segment(segment, base);
        let needed = self.bytes.len() + packed.len;
        if needed > Self::MAX_BYTES {
            return false;
        }
        if needed > self.bytes.capacity() {
            let room = if needed <= Self::FIRST { Self::FIRST } else { needed.next_multiple_of(Self::STEP) };
            self.bytes.reserve_exact(room - self.bytes.len());
        }
        self.bytes.extend_from_slice(&packed.bytes[..packed.len]);
        debug_assert!(self.bytes.len() <= Self::MAX_BYTES);
        true
    }

    /// The segments in the order of the capture.
    pub(super) fn segments(&self, base: Base) -> impl Iterator<Item = Segment> {
        let mut rest = Rest(&self.bytes);
        std::iter::from_fn(move || rest.segment(&base))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Heap memory, bytes.
    pub(super) fn heap(&self) -> usize {
        self.bytes.capacity()
    }
}

/// A segment being packed.
struct Packed {
    bytes: [u8; Self::MAX],
    len: usize,
}

impl Packed {
    /// Size of the largest segment: all numbers in full, with all options.
    const MAX: usize = 94;

    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.bytes[self.len..self.len + N].copy_from_slice(&bytes);
        self.len += N;
    }

    fn segment(&mut self, segment: &Segment, base: &Base) {
        let Segment { number, timestamp, source, destination: _, seq, ack, flags, window, payload_len, options, ip } =
            *segment;
        let TcpOptions { mss, window_scale, sack_permitted, sack, timestamps, .. } = options;
        let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let rare = bit(mss.is_some(), rare::MSS)
            | bit(window_scale.is_some(), rare::WINDOW_SCALE)
            | bit(sack_permitted, rare::SACK_PERMITTED)
            | bit(options.has_mptcp, rare::MPTCP)
            | bit(options.has_fast_open, rare::FAST_OPEN)
            | bit(options.has_accurate_ecn, rare::ACCURATE_ECN)
            | ip.ecn().bits() << rare::ECN_SHIFT;
        let blocks = sack.as_slice();
        let number = number.wrapping_sub(base.number);
        let time = zigzag(timestamp.as_nanos().wrapping_sub(base.time));
        let wide = bit(ip.is_length_from_frame(), wide::LENGTH_FROM_FRAME)
            | bit(ip.has_wrong_checksum(), wide::WRONG_CHECKSUM)
            | (ip.record() as u8) << wide::RECORD_SHIFT;
        let is_wide = flags.0 > u16::from(u8::MAX)
            || payload_len > u32::from(u16::MAX)
            || number >> 32 != 0
            || time >> 40 != 0
            || wide != 0;
        let all = &mut self.bytes;
        all[0] = bit(source != base.endpoints[0], head::FROM_SECOND)
            | bit(timestamps.is_some(), head::TIMESTAMPS)
            | bit(ip.identification.is_some(), head::IDENTIFICATION)
            | bit(rare != 0, head::RARE)
            | bit(is_wide, head::WIDE)
            | (blocks.len() as u8) << head::SACK_SHIFT;
        all[at::FLAGS] = flags.0 as u8;
        all[at::SEQ..at::ACK].copy_from_slice(&seq.0.to_le_bytes());
        all[at::ACK..at::WINDOW].copy_from_slice(&ack.0.to_le_bytes());
        all[at::WINDOW..at::LEN].copy_from_slice(&window.0.to_le_bytes());
        all[at::LEN..at::NUMBER].copy_from_slice(&(payload_len as u16).to_le_bytes());
        all[at::NUMBER..at::TIME].copy_from_slice(&(number as u32).to_le_bytes());
        all[at::TIME..at::HOP_LIMIT].copy_from_slice(&time.to_le_bytes()[..at::HOP_LIMIT - at::TIME]);
        all[at::HOP_LIMIT] = ip.hop_limit;
        self.len = at::END;
        if is_wide {
            self.put(flags.0.to_le_bytes());
            self.put(payload_len.to_le_bytes());
            self.put(number.to_le_bytes());
            self.put(time.to_le_bytes());
            self.put([wide]);
        }
        if let Some(id) = ip.identification {
            self.put(id.get().to_le_bytes());
        }
        if let Some(TcpTimestamps { value, echo_reply }) = timestamps {
            self.put(value.to_le_bytes());
            self.put(echo_reply.to_le_bytes());
        }
        for (left, right) in blocks {
            self.put(left.0.to_le_bytes());
            self.put(right.0.to_le_bytes());
        }
        if rare != 0 {
            self.put([rare]);
        }
        if let Some(mss) = mss {
            self.put(mss.get().to_le_bytes());
        }
        if let Some(shift) = window_scale {
            self.put([shift]);
        }
    }
}

/// The bytes still to unpack.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// The next segment; `None` at the end.
    fn segment(&mut self, base: &Base) -> Option<Segment> {
        let all: [u8; at::END] = self.take()?;
        let head = all[0];
        let has = |bit: u8| head & bit != 0;
        let (seq, ack) =
            (SeqNum(u32::from_le_bytes(part(&all[at::SEQ..]))), SeqNum(u32::from_le_bytes(part(&all[at::ACK..]))));
        let window = WindowField(u16::from_le_bytes(part(&all[at::WINDOW..])));
        let mut time = [0; 8];
        time[..at::HOP_LIMIT - at::TIME].copy_from_slice(&all[at::TIME..at::HOP_LIMIT]);
        let mut flags = u16::from(all[at::FLAGS]);
        let mut payload_len = u32::from(u16::from_le_bytes(part(&all[at::LEN..])));
        let mut number = u64::from(u32::from_le_bytes(part(&all[at::NUMBER..])));
        let mut wide = 0;
        if has(head::WIDE) {
            flags = u16::from_le_bytes(self.take()?);
            payload_len = self.u32()?;
            number = u64::from_le_bytes(self.take()?);
            time = self.take()?;
            [wide] = self.take()?;
        }
        let timestamp = Timestamp::from_nanos(base.time.wrapping_add(unzigzag(u64::from_le_bytes(time))));
        let number = base.number.wrapping_add(number);
        let identification =
            if has(head::IDENTIFICATION) { NonZeroU16::new(u16::from_le_bytes(self.take()?)) } else { None };
        let timestamps = if has(head::TIMESTAMPS) {
            Some(TcpTimestamps { value: self.u32()?, echo_reply: self.u32()? })
        } else {
            None
        };
        let mut sack = SackBlocks::default();
        for _ in 0..head >> head::SACK_SHIFT {
            sack.push(SeqNum(self.u32()?), SeqNum(self.u32()?));
        }
        let [rare] = if has(head::RARE) { self.take()? } else { [0] };
        let has_rare = |bit: u8| rare & bit != 0;
        let mss = if has_rare(rare::MSS) { NonZeroU16::new(u16::from_le_bytes(self.take()?)) } else { None };
        let window_scale = if has_rare(rare::WINDOW_SCALE) { Some(self.take::<1>()?[0]) } else { None };
        let [a, b] = base.endpoints;
        let (source, destination) = if has(head::FROM_SECOND) { (b, a) } else { (a, b) };
        Some(Segment {
            number,
            timestamp,
            source,
            destination,
            seq,
            ack,
            flags: TcpFlags(flags),
            window,
            payload_len,
            options: TcpOptions {
                mss,
                window_scale,
                sack_permitted: has_rare(rare::SACK_PERMITTED),
                sack,
                timestamps,
                has_mptcp: has_rare(rare::MPTCP),
                has_fast_open: has_rare(rare::FAST_OPEN),
                has_accurate_ecn: has_rare(rare::ACCURATE_ECN),
            },
            ip: IpHeader::new(identification, all[at::HOP_LIMIT], Ecn::from_bits(rare >> rare::ECN_SHIFT))
                .with_length_from_frame(wide & wide::LENGTH_FROM_FRAME != 0)
                .with_wrong_checksum(wide & wide::WRONG_CHECKSUM != 0)
                .with_record(Record::from_bits(wide >> wide::RECORD_SHIFT)),
        })
    }
}

/// The first bytes of a slice that is long enough.
fn part<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut part = [0; N];
    part.copy_from_slice(&bytes[..N]);
    part
}

/// Maps small numbers of either sign to small unsigned numbers.
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    use proptest::prelude::*;

    use super::*;

    fn ends() -> [Endpoint; 2] {
        [
            Endpoint { address: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 80 },
            Endpoint { address: IpAddr::V6(Ipv6Addr::LOCALHOST), port: 4711 },
        ]
    }

    prop_compose! {
        fn options()(
            mss in any::<Option<u16>>(),
            window_scale in any::<Option<u8>>(),
            bits in any::<[bool; 4]>(),
            timestamps in any::<Option<(u32, u32)>>(),
            blocks in prop::collection::vec((any::<u32>(), 1_u32..u32::MAX), 0..=4),
        ) -> TcpOptions {
            let mut sack = SackBlocks::default();
            for &(left, len) in &blocks {
                sack.push(SeqNum(left), SeqNum(left.wrapping_add(len)));
            }
            TcpOptions {
                mss: mss.and_then(NonZeroU16::new),
                window_scale,
                sack_permitted: bits[0],
                sack,
                timestamps: timestamps.map(|(value, echo_reply)| TcpTimestamps { value, echo_reply }),
                has_mptcp: bits[1],
                has_fast_open: bits[2],
                has_accurate_ecn: bits[3],
            }
        }
    }

    prop_compose! {
        fn segments()(
            (number, time, is_back) in any::<(u64, i64, bool)>(),
            (seq, ack, flags, window, payload_len) in any::<(u32, u32, u16, u16, u32)>(),
            options in options(),
            (identification, hop_limit, ecn) in any::<(u16, u8, u8)>(),
            (is_length_from_frame, is_wrong, record) in any::<(bool, bool, u8)>(),
        ) -> Segment {
            let [a, b] = ends();
            Segment {
                number,
                timestamp: Timestamp::from_nanos(time),
                source: if is_back { b } else { a },
                destination: if is_back { a } else { b },
                seq: SeqNum(seq),
                ack: SeqNum(ack),
                flags: TcpFlags(flags),
                window: WindowField(window),
                payload_len,
                options,
                ip: IpHeader::new(NonZeroU16::new(identification), hop_limit, Ecn::from_bits(ecn))
                    .with_length_from_frame(is_length_from_frame)
                    .with_wrong_checksum(is_wrong)
                    .with_record(Record::from_bits(record)),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Any segment is unpacked as it was, and the kept bytes are bounded.
        #[test]
        fn segments_come_back_as_they_were(
            all in prop::collection::vec(segments(), 1..40),
            (number, time) in any::<(u64, i64)>(),
        ) {
            let base = Base { endpoints: ends(), number, time };
            let mut packed = PackedSegments::default();
            let kept = all.iter().take_while(|s| packed.push(s, &base)).count();
            prop_assert!(kept >= PackedSegments::MAX_BYTES / Packed::MAX - 1 || kept == all.len());
            prop_assert!(packed.heap() <= PackedSegments::MAX_BYTES);
            let back: Vec<_> = packed.segments(base).collect();
            prop_assert_eq!(&back[..], &all[..kept]);
        }
    }

    #[test]
    fn a_syn_and_a_short_exchange_are_small() {
        let script = tcpwhy_testkit::script(
            "0.000 > S 0:0(0) <mss 1460,sackOK,TS val 1 ecr 0,wscale 7>\n0.010 < S. 0:0(0) ack 1 win 65535 <mss 1460>",
        );
        let [syn, syn_ack] = script.segments[..] else { panic!("two segments") };
        let base =
            Base { endpoints: [syn.source, syn.destination], number: syn.number, time: syn.timestamp.as_nanos() };
        let mut packed = PackedSegments::default();
        assert!(packed.push(&syn, &base));
        assert_eq!(packed.heap(), PackedSegments::FIRST);
        for _ in 0..9 {
            assert!(packed.push(&syn_ack, &base));
        }
        assert!(packed.heap() <= 3 * PackedSegments::STEP, "{}", packed.heap());
    }
}
