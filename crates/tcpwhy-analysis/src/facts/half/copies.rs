//! Copies of a data segment that the capture saw at two places. They are not retransmissions.

use std::num::NonZeroU16;

use tcpwhy_model::SeqNum;

use super::segment::DataSegment;
use crate::thresholds::DUPLICATED_WITHIN;

const MICROSECOND: i64 = 1000;

/// The last captured data segments.
///
/// A router on the captured wire, a mirror port or a radio's own repetition passes the same packet once more.
/// The copy may come milliseconds later, behind other packets. It has the same identification in the IP
/// header. A host that retransmits gives the new packet another identification (RFC 6864 §4).
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    recent: [Frame; Self::RECENT],
    next: u8,
    /// Older segments, from the first data that was out of order: only such data can be a copy.
    older: Option<Box<Older>>,
}

/// A captured data segment.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    seq: SeqNum,
    /// Length, truncated to 16 bits; the sequence number resolves the ambiguity.
    len: u16,
    id: Option<NonZeroU16>,
    /// Microseconds; wraps after 71 minutes.
    time: u32,
}

/// A ring of older segments.
#[derive(Clone, Debug)]
struct Older {
    frames: [Frame; Self::LEN],
    next: u8,
}

impl Older {
    /// Several super-packets of a burst may pass before the first copy.
    const LEN: usize = 64;
}

impl Copies {
    const RECENT: usize = 8;

    /// Records `segment`. Copies of retransmissions come soon after them, so only new data is kept for
    /// longer.
    #[inline]
    pub(super) fn passed(&mut self, segment: &DataSegment, is_new: bool) {
        let frame = Frame::of(segment);
        self.recent[usize::from(self.next)] = frame;
        self.next = (self.next + 1) % Self::RECENT as u8;
        if is_new && let Some(older) = &mut self.older {
            older.frames[usize::from(older.next)] = frame;
            older.next = (older.next + 1) % Older::LEN as u8;
        }
    }

    /// Whether `segment`, which is not recorded yet and whose bytes passed before, is a copy. The capture may
    /// show several segments as one packet, and a copy of one of them.
    #[cold]
    pub(super) fn has(&mut self, segment: &DataSegment, mss: u64) -> bool {
        if segment.ip_id.is_none() {
            return false;
        }
        let frame = Frame::of(segment);
        let is_copy = self.frames().any(|before| before.contains(&frame, mss) && self.is_told_apart(before, &frame));
        if self.older.is_none() {
            let mut older = Box::new(Older { frames: [Frame::default(); Older::LEN], next: Self::RECENT as u8 });
            older.frames[..Self::RECENT].copy_from_slice(&self.recent);
            self.older = Some(older);
        }
        is_copy
    }

    fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.recent.iter().chain(self.older.iter().flat_map(|older| &older.frames))
    }

    /// Whether the identification shows that it is the same packet. Some hosts give all packets one number;
    /// then only segments that pass again at once are copies.
    fn is_told_apart(&self, before: &Frame, frame: &Frame) -> bool {
        let micros = i64::from(frame.time.wrapping_sub(before.time));
        micros * MICROSECOND <= DUPLICATED_WITHIN.get()
            || !self.frames().any(|other| other.id == frame.id && other.seq != frame.seq)
                && self.frames().any(|other| other.id.is_some() && other.id != frame.id)
    }

    /// Heap memory, bytes.
    pub(super) fn heap(&self) -> usize {
        self.older.as_ref().map_or(0, |_| size_of::<Older>())
    }
}

impl Frame {
    fn of(segment: &DataSegment) -> Self {
        let time = (segment.time / MICROSECOND) as u32;
        Self { seq: segment.seq, len: segment.len as u16, id: segment.ip_id, time }
    }

    /// Whether `other` is this packet, or consecutive segments of it if it is a super-packet: each segment
    /// has the next identification (`tcp_gso_segment`, `inet_gro_receive`).
    fn contains(&self, other: &Self, mss: u64) -> bool {
        let offset = u64::from(other.seq.0.wrapping_sub(self.seq.0));
        if offset == 0 && self.len == other.len {
            return self.id == other.id;
        }
        let (mss, len, own_len) = (mss.max(1), u64::from(other.len), u64::from(self.len));
        let place = offset / mss;
        let is_whole = offset.is_multiple_of(mss) && (len.is_multiple_of(mss) || offset + len == own_len);
        is_whole
            && own_len > mss
            && offset + len <= own_len
            && self.id.zip(other.id).is_some_and(|(own, id)| own.get().wrapping_add(place as u16) == id.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: i64 = 1000 * MICROSECOND;

    fn segment(time: i64, seq: u32, id: u16) -> DataSegment {
        let (seq, ip_id) = (SeqNum(seq), NonZeroU16::new(id));
        DataSegment { time, seq, len: 1000, is_pushed: false, tsval: None, tsecr: None, ip_id }
    }

    /// `count` segments with the identifications from 7 on, or all with 7.
    fn after(count: u16, is_numbered: bool) -> Copies {
        let mut copies = Copies::default();
        for n in 0..count {
            copies.passed(&segment(0, 1000 * u32::from(n), if is_numbered { 7 + n } else { 7 }), true);
        }
        copies
    }

    #[test]
    fn the_same_packet_again_is_a_copy_however_late() {
        for (what, again, expected) in [
            ("at once", segment(0, 0, 7), true),
            ("a minute later", segment(60_000 * MILLISECOND, 0, 7), true),
            ("another sequence number", segment(0, 500, 7), false),
            ("another length", DataSegment { len: 999, ..segment(0, 0, 7) }, false),
            ("another identification", segment(0, 0, 8), false),
            ("no identification", segment(0, 0, 0), false),
        ] {
            assert_eq!(after(4, true).has(&again, 1000), expected, "{what}");
        }
    }

    /// `DUPLICATED_WITHIN`: if all packets have one identification, or there is no other packet, a copy must
    /// come within 1 ms.
    #[test]
    fn without_numbers_only_what_comes_at_once_is_a_copy() {
        for mut copies in [after(4, false), after(1, true)] {
            assert!(copies.has(&segment(MILLISECOND, 0, 7), 1000));
            assert!(!copies.has(&segment(MILLISECOND + MICROSECOND, 0, 7), 1000));
        }
    }

    /// Receive offload merges three segments into one packet; the link passes one or two of them again.
    #[test]
    fn a_part_of_a_super_packet_may_be_a_copy() {
        for (what, seq, len, id, expected) in [
            ("the first segment", 0, 1000, 7, true),
            ("the second", 1000, 1000, 8, true),
            ("the last two", 1000, 2000, 8, true),
            ("the second, by another identification", 1000, 1000, 9, false),
            ("more than all", 1000, 3000, 8, false),
            ("half of a segment", 500, 500, 7, false),
        ] {
            let mut copies = Copies::default();
            copies.passed(&DataSegment { len: 3000, ..segment(0, 0, 7) }, true);
            copies.passed(&segment(0, 3000, 10), true);
            assert_eq!(copies.has(&DataSegment { len, ..segment(2 * MILLISECOND, seq, id) }, 1000), expected, "{what}");
        }
    }

    /// Eight packets are kept until the first one out of order, then 64.
    #[test]
    fn copies_may_come_behind_a_whole_burst() {
        for (behind, expected) in [(8, true), (9, false)] {
            assert_eq!(after(behind, true).has(&segment(0, 0, 7), 1000), expected, "{behind}");
        }
        for (behind, expected) in [(64_u16, true), (65, false)] {
            let mut copies = after(1, true);
            copies.has(&segment(0, 0, 9999), 1000);
            for n in 1..=behind {
                copies.passed(&segment(0, 1000 * u32::from(n), 7 + n), true);
            }
            assert_eq!(copies.has(&segment(0, 1000, 8), 1000), expected, "{behind}");
        }
    }
}
