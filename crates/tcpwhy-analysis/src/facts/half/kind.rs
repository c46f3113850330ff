//! Classification of a data segment, compared with all earlier ones.

use super::event::DataKind;
use super::pushes::Pushes;
use super::segment::DataSegment;
use super::{Half, MAX_WINDOW};
use crate::thresholds::{EQUAL_LEAST, EQUAL_LENGTHS, EQUAL_WITHIN, REORDERED_ASSUMED, REORDERED_WITHIN};

impl Half {
    /// The kind of the segment, and how many of its bytes are new.
    #[inline]
    pub(super) fn kind_of(&mut self, s: &DataSegment, start: u64, end: u64) -> (DataKind, u64) {
        if start == self.max_end { (DataKind::New, end - start) } else { self.kind_out_of_order(s, start, end) }
    }

    #[inline(never)]
    fn kind_out_of_order(&mut self, s: &DataSegment, start: u64, end: u64) -> (DataKind, u64) {
        if start >= self.max_end {
            let hole = start - self.max_end;
            if hole > MAX_WINDOW {
                // A hole above any window (RFC 7323 §2.3): the segment does not belong to this stream.
                return (DataKind::Probe, 0);
            }
            self.holes.open(self.max_end, start, s.time);
            return (DataKind::New, end - start);
        }
        if end <= self.una && s.len <= 1 {
            return (DataKind::Probe, 0);
        }
        let beyond = end.saturating_sub(self.max_end);
        if let Some((filled, since)) = self.holes.fill(start, end) {
            let reorder = self.ledger.rtt_min().map_or(REORDERED_ASSUMED.get(), |rtt| REORDERED_WITHIN.of(rtt));
            let is_late = s.time - since > reorder;
            self.black_hole.filled(u64::from(s.len), filled, s.time - since);
            let kind = if is_late { DataKind::Retransmission } else { DataKind::Reordered };
            return (kind, filled + beyond);
        }
        if s.len == 1 && start == self.una {
            return (DataKind::Probe, beyond);
        }
        (DataKind::Retransmission, beyond)
    }

    /// Learns the MSS in use. It may be less than the SYNs allow (path MTU, IP options), or unknown without
    /// SYNs. Three segments of one size in one burst show it, and a larger segment corrects it. They are only
    /// writes of one size if each was pushed, or waited for the previous acknowledgment (RFC 9293 §3.7.4 and
    /// §3.9.1.2).
    pub(super) fn learn_mss(&mut self, s: &DataSegment) {
        let len = u64::from(s.len);
        self.counts.largest_payload = self.counts.largest_payload.max(len);
        let since = s.time - self.last_data;
        let is_burst = since < EQUAL_WITHIN && (self.una < self.max_end || self.ledger.rtt_min() > Some(since));
        let is_like_last = s.len == self.last_length && is_burst && !self.pushes.has(Pushes::LAST);
        self.equal_lengths = if is_like_last { self.equal_lengths.saturating_add(1) } else { 0 };
        self.last_length = s.len;
        self.pushes.set(Pushes::LAST, s.is_pushed);
        if let Some(larger) = self.mss_above_own(s) {
            self.mss_limit = larger;
            if self.counts.largest_payload <= len {
                self.counts.super_packets = 0;
            }
        }
        let is_larger = len > self.mss && len <= u64::from(self.mss_limit);
        let is_repeated =
            u32::from(self.equal_lengths) >= EQUAL_LENGTHS && (EQUAL_LEAST.get()..self.mss).contains(&len);
        if is_larger || is_repeated {
            self.mss = len;
            self.ledger.set_mss(len);
        }
        self.counts.super_packets += u64::from(len > u64::from(self.mss_limit));
    }

    /// The MSS of an end that sends larger segments than it accepts. Only the receiver's option binds a
    /// sender (RFC 9293 §3.7.1), and a middlebox may have lowered the option of one SYN. Equal segments show
    /// the larger MSS if two full segments would be longer, because offload merges at least two.
    fn mss_above_own(&self, s: &DataSegment) -> Option<u16> {
        let len = u16::try_from(s.len).ok()?;
        let is_larger = u32::from(self.equal_lengths) >= EQUAL_LENGTHS
            && len > self.mss_limit
            && len <= self.receiver_mss
            && u64::from(len).saturating_sub(self.mss) < self.mss;
        is_larger.then_some(len)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use tcpwhy_model::SeqNum;

    use super::super::{HandshakeTimes, MILLISECOND, SynMss};
    use super::*;

    fn half() -> Half {
        Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1460)), 0)
    }

    fn segment(time: i64, len: u32) -> DataSegment {
        let (seq, ip_id) = (SeqNum(0), NonZeroU16::new(7));
        DataSegment { time, seq, len, is_pushed: false, tsval: None, tsecr: None, ip_id }
    }

    /// `REORDERED_WITHIN` and `REORDERED_ASSUMED`: 3/4 of the round trip, or 3 ms before the first sample.
    #[test]
    fn what_fills_a_hole_within_three_quarters_of_a_round_trip_was_overtaken() {
        let kind = |rtt: Option<i64>, age: i64| {
            let mut half = half();
            if let Some(rtt) = rtt {
                half.ledger.on_rtt(rtt);
            }
            half.max_end = 3000;
            half.holes.open(1000, 2000, 0);
            half.kind_of(&segment(age, 1000), 1000, 2000).0
        };
        assert_eq!(kind(Some(20 * MILLISECOND), 15 * MILLISECOND), DataKind::Reordered);
        assert_eq!(kind(Some(20 * MILLISECOND), 15 * MILLISECOND + 1), DataKind::Retransmission);
        assert_eq!(kind(None, 3 * MILLISECOND), DataKind::Reordered);
        assert_eq!(kind(None, 3 * MILLISECOND + 1), DataKind::Retransmission);
    }

    /// `EQUAL_LENGTHS`, `EQUAL_LEAST` and `EQUAL_WITHIN`: three segments of 400 bytes or more, each within 1
    /// ms.
    #[test]
    fn three_segments_of_one_length_show_the_mss() {
        let mss = |count: i64, len: u32, apart: i64| {
            let mut half = half();
            half.max_end = 100_000;
            for number in 0..count {
                half.learn_mss(&segment(number * apart, len));
                half.last_data = number * apart;
            }
            half.mss
        };
        assert_eq!([2, 3].map(|count| mss(count, 1000, 0)), [1460, 1000]);
        assert_eq!([399, 400].map(|len| mss(3, len, 0)), [1460, 400]);
        assert_eq!([MILLISECOND - 1, MILLISECOND].map(|apart| mss(3, 1000, apart)), [1000, 1460]);
    }
}
