//! Changes of packets that must not change the result of an analysis.

use std::num::NonZeroU16;

use tcpwhy_model::{Endpoint, IpHeader, SackBlocks, Segment, TcpFlags, Timestamp};

/// Moves everything `nanos` later.
#[must_use]
pub fn later(segments: &[Segment], nanos: i64) -> Vec<Segment> {
    each(segments, |s| s.timestamp = s.timestamp.plus(nanos))
}

/// Adds to the initial sequence numbers: `by[0]` for the source of the first segment, `by[1]` for the other
/// end.
#[must_use]
pub fn renumbered(segments: &[Segment], by: [u32; 2]) -> Vec<Segment> {
    let Some(first) = segments.first().map(|s| s.source) else { return Vec::new() };
    each(segments, |s| {
        let (mine, theirs) = if s.source == first { (by[0], by[1]) } else { (by[1], by[0]) };
        s.seq = s.seq.plus(mine);
        if s.flags.contains(TcpFlags::ACK) {
            s.ack = s.ack.plus(theirs);
        }
        let blocks = s.options.sack;
        s.options.sack = SackBlocks::default();
        for &(left, right) in blocks.as_slice() {
            s.options.sack.push(left.plus(theirs), right.plus(theirs));
        }
    })
}

/// Swaps the two ends.
#[must_use]
pub fn mirrored(segments: &[Segment]) -> Vec<Segment> {
    let Some((a, b)) = segments.first().map(|s| (s.source, s.destination)) else { return Vec::new() };
    each(segments, |s| (s.source, s.destination) = if s.source == a { (b, a) } else { (a, b) })
}

/// Merges segments as receive offload or segmentation offload does. Neighbours are merged if they came within
/// `within` nanoseconds of the first, follow each other in sequence and have the same acknowledgment. A
/// packet has at most `most` bytes.
#[must_use]
pub fn merged(segments: &[Segment], most: u32, within: i64) -> Vec<Segment> {
    let mut all: Vec<Segment> = Vec::with_capacity(segments.len());
    let mut first = Timestamp::ZERO;
    for s in segments {
        if let Some(last) = all.last_mut() {
            let is_next = last.source == s.source
                && last.payload_len > 0
                && s.payload_len > 0
                && s.seq == last.seq.plus(last.payload_len)
                && s.ack == last.ack
                && s.window == last.window
                && s.options.timestamps == last.options.timestamps
                && last.payload_len + s.payload_len <= most
                && s.timestamp.since(first) <= within
                && !last.flags.contains(TcpFlags::FIN)
                && !s.flags.contains(TcpFlags::SYN);
            if is_next {
                last.payload_len += s.payload_len;
                last.flags = last.flags.union(s.flags);
                continue;
            }
        }
        first = s.timestamp;
        all.push(*s);
    }
    number(&mut all);
    all
}

/// Splits packets as on the wire: no payload exceeds `mss`, and all parts have the time of the whole.
#[must_use]
pub fn split(segments: &[Segment], mss: u32) -> Vec<Segment> {
    let mut all = Vec::with_capacity(segments.len());
    for s in segments {
        let mut done = 0;
        loop {
            let len = (s.payload_len - done).min(mss);
            let is_last = done + len >= s.payload_len;
            let mut part = Segment { seq: s.seq.plus(done), payload_len: len, ..*s };
            if !is_last {
                part.flags = TcpFlags(part.flags.0 & !(TcpFlags::FIN.0 | TcpFlags::PSH.0));
            }
            all.push(part);
            done += len;
            if is_last {
                break;
            }
        }
    }
    number(&mut all);
    all
}

/// Keeps only packets captured from `from` on.
#[must_use]
pub fn joined_at(segments: &[Segment], from: Timestamp) -> Vec<Segment> {
    let mut all: Vec<_> = segments.iter().filter(|s| s.timestamp >= from).copied().collect();
    number(&mut all);
    all
}

/// Duplicates every packet at once, as a mirror port may show them.
#[must_use]
pub fn doubled(segments: &[Segment]) -> Vec<Segment> {
    let mut all: Vec<_> = segments
        .iter()
        .enumerate()
        .flat_map(|(i, s)| {
            let mut s = *s;
            s.ip.identification = s.ip.identification.or(NonZeroU16::new((i % 65_535 + 1) as u16));
            [s, s]
        })
        .collect();
    number(&mut all);
    all
}

/// Duplicates every data segment of `source`, `nanos` later and one router further: a capture on both sides
/// of a router.
#[must_use]
pub fn repeated_by_router(segments: &[Segment], source: Endpoint, nanos: i64) -> Vec<Segment> {
    let copies = segments.iter().filter(|s| s.source == source && s.payload_len > 0).map(|s| Segment {
        timestamp: Timestamp::from_nanos(s.timestamp.as_nanos() + nanos),
        ip: IpHeader::new(s.ip.identification, s.ip.hop_limit.saturating_sub(1), s.ip.ecn()),
        ..*s
    });
    let mut all: Vec<_> = segments.iter().copied().chain(copies).collect();
    all.sort_by_key(|s| s.timestamp);
    number(&mut all);
    all
}

/// Keeps only packets that `source` sent.
#[must_use]
pub fn one_sided(segments: &[Segment], source: Endpoint) -> Vec<Segment> {
    let mut all: Vec<_> = segments.iter().filter(|s| s.source == source).copied().collect();
    number(&mut all);
    all
}

fn each(segments: &[Segment], change: impl Fn(&mut Segment)) -> Vec<Segment> {
    let mut all = segments.to_vec();
    all.iter_mut().for_each(change);
    all
}

fn number(segments: &mut [Segment]) {
    for (i, s) in segments.iter_mut().enumerate() {
        s.number = i as u64 + 1;
    }
}
