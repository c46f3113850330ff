//! Bounds of a window scale whose SYN was not captured.
//!
//! The window must cover the data in flight, which bounds the scale from below. Its right edge never moves
//! left, which bounds the scale from above as soon as the window drains. (RFC 9293 §3.8.6 strongly
//! discourages shrinking, and Linux shrinks only with `tcp_shrink_window`.) If data after many ACKs ends at
//! the edge of the smallest possible scale, and never beyond it, that edge limits the sender. By chance its
//! data ends there only sometimes.

use tcpwhy_model::WindowScale;

use crate::thresholds::{
    SCALE_NEAR, SCALE_SEGMENTS, SCALE_SEGMENTS_AWAY, SCALE_SHARE, SCALE_TIMES, SCALE_TIMES_AWAY, part,
};

/// Divisor of full counters, so that later observations count more.
const AGEING: u8 = 2;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ScaleBounds {
    low: u8,
    high: u8,
    last: Option<(u64, u16)>,
    /// Acknowledgments that released data, and those of them after which data went up to the edge of the
    /// smallest scale.
    used: u8,
    used_up: u8,
    /// Use of the window after the last acknowledgment.
    last_use: Use,
}

/// Data sent after an acknowledgment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Use {
    #[default]
    Nothing,
    Some,
    /// All that the smallest scale allows, except for less than a segment.
    UpToEdge,
}

impl Default for ScaleBounds {
    fn default() -> Self {
        Self { low: 0, high: WindowScale::LARGEST, last: None, used: 0, used_up: 0, last_use: Use::Nothing }
    }
}

impl ScaleBounds {
    /// Records an acknowledgment up to `ack` with this window field.
    pub(crate) fn on_ack(&mut self, ack: u64, field: u16) {
        if let Some((last_ack, last_field)) = self.last {
            if ack < last_ack {
                return;
            }
            // One unit may be lost to rounding.
            let drained = u64::from(last_field.saturating_sub(field)).saturating_sub(1);
            while self.high > self.low && drained << self.high > ack - last_ack {
                self.high -= 1;
            }
        }
        self.last = Some((ack, field));
        if self.last_use != Use::Nothing {
            if self.used == u8::MAX {
                (self.used, self.used_up) = (self.used / AGEING, self.used_up / AGEING);
            }
            self.used += 1;
            self.used_up += u8::from(self.last_use == Use::UpToEdge);
            self.last_use = Use::Nothing;
        }
    }

    /// Records that data up to `end` was sent. `segment` is the size of full segments in a capture at the
    /// sender, where the sender had processed all captured acknowledgments.
    pub(crate) fn on_data(&mut self, end: u64, segment: Option<u64>) {
        let Some((ack, field)) = self.last.filter(|&(_, field)| field > 0) else { return };
        let flight = end.saturating_sub(ack);
        while self.low < self.high && u64::from(field) << self.low < flight {
            self.low += 1;
            (self.used, self.used_up) = (0, 0);
        }
        if let Some(segment) = segment {
            let window = u64::from(field) << self.low;
            let is_up = window >= SCALE_SEGMENTS.get() * segment && window >= flight && window - flight < segment;
            self.last_use = if is_up { Use::UpToEdge } else { Use::Some };
        }
    }

    /// Whether the scale may be this one.
    pub(crate) fn allow(&self, scale: u8) -> bool {
        (self.low..=self.high).contains(&scale)
    }

    /// The scale if only one is possible, or if one is likely: after most acknowledgments, data went exactly
    /// up to its edge.
    pub(crate) fn resolved(&self) -> WindowScale {
        let (used, used_up) = (u32::from(self.used), u32::from(self.used_up));
        let is_held = used_up >= SCALE_TIMES && part(used_up, used) >= SCALE_SHARE;
        if self.low == self.high || is_held { WindowScale::Shift(self.low) } else { WindowScale::Unknown }
    }
}

/// Votes for the scale away from the sender, where bytes in flight are known to a segment or two. They count
/// how often the edge of each scale was near.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScaleVotes {
    near: [u8; WindowScale::LARGEST as usize + 1],
    all: u8,
}

impl ScaleVotes {
    /// Records `flight` bytes in flight, in segments of `segment` bytes, before an acknowledgment releases
    /// more. `field` is the window field.
    pub(super) fn on_flight(&mut self, flight: u64, field: u16, segment: u64) {
        if field == 0 || flight == 0 {
            return;
        }
        if self.all == u8::MAX {
            self.all /= AGEING;
            self.near = self.near.map(|times| times / AGEING);
        }
        self.all += 1;
        for (scale, times) in self.near.iter_mut().enumerate() {
            let window = u64::from(field) << scale;
            *times += u8::from(
                window >= SCALE_SEGMENTS_AWAY.get() * segment && window.abs_diff(flight) <= SCALE_NEAR.get() * segment,
            );
        }
    }

    /// The scale whose edge was near often enough.
    pub(super) fn winner(&self) -> Option<u8> {
        let (scale, &times) = self.near.iter().enumerate().max_by_key(|&(_, &times)| times)?;
        let (times, all) = (u32::from(times), u32::from(self.all));
        (times >= SCALE_TIMES_AWAY && part(times, all) >= SCALE_SHARE).then_some(scale as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draining_window_gives_its_scale_away() {
        let mut b = ScaleBounds::default();
        b.on_ack(0, 1000);
        b.on_data(60_000, None);
        assert_eq!(b.resolved(), WindowScale::Unknown);
        // Scale 6: 64,000 bytes are offered, and 57,600 drain without a byte read.
        b.on_ack(57_600, 100);
        assert_eq!(b.resolved(), WindowScale::Shift(6));
    }

    #[test]
    fn a_window_that_never_drains_stays_unknown() {
        let mut b = ScaleBounds::default();
        for i in 0..100 {
            b.on_ack(i * 1000, 500);
            b.on_data(i * 1000 + 3000, None);
        }
        assert_eq!(b.resolved(), WindowScale::Unknown);
    }

    /// A thousand acknowledgments of two segments each. After each, data is sent up to `flight` bytes in
    /// flight.
    fn held_at(field: u16, flight: impl Fn(u64) -> u64) -> WindowScale {
        let mut b = ScaleBounds::default();
        for i in 0..1000 {
            b.on_ack(i * 2896, field);
            for end in [1448, 0] {
                b.on_data(i * 2896 + flight(i) - end, Some(1448));
            }
        }
        b.resolved()
    }

    #[test]
    fn data_up_to_the_edge_again_and_again_gives_the_scale_away() {
        // A field of 501 at scale 7 is 64,128 bytes, of which 44 segments are in flight.
        assert_eq!(held_at(501, |_| 44 * 1448), WindowScale::Shift(7));
        // Room for two segments remains each time: a buffer or a congestion window is the limit.
        assert_eq!(held_at(501, |_| 42 * 1448), WindowScale::Unknown);
        // With few segments in flight, some edge is always near.
        assert_eq!(held_at(11_584, |_| 8 * 1448), WindowScale::Unknown);
        // The edge is reached only sometimes.
        assert_eq!(held_at(501, |i| if i % 2 == 0 { 44 * 1448 } else { 40 * 1448 }), WindowScale::Unknown);
        // A growing window passes every edge.
        assert_eq!(held_at(501, |i| (4 + i / 4) * 1448), WindowScale::Unknown);
    }

    #[test]
    fn away_from_the_sender_most_flights_must_end_near_the_edge() {
        let winner = |flights: &dyn Fn(u64) -> u64| {
            let mut votes = ScaleVotes::default();
            (0..1000).for_each(|i| votes.on_flight(flights(i), 501, 1448));
            votes.winner()
        };
        assert_eq!(winner(&|i| (43 + i % 3) * 1448), Some(7));
        assert_eq!(winner(&|_| 38 * 1448), None);
        assert_eq!(winner(&|i| if i % 3 == 0 { 30 * 1448 } else { 44 * 1448 }), None);
    }

    /// `SCALE_TIMES` and `SCALE_SHARE`: data ends at the edge twenty times, and in three of four cases.
    #[test]
    fn twenty_times_up_to_the_edge_are_no_chance() {
        let scale = |held: u64, others: u64| {
            let mut b = ScaleBounds::default();
            // The edge of 501 at scale 7 is 64,128 bytes: 44 segments, while 38 leave room.
            for (i, segments) in (0..held).map(|_| 44).chain((0..others).map(|_| 38)).enumerate() {
                b.on_ack(i as u64 * 1448, 501);
                b.on_data(i as u64 * 1448 + segments * 1448, Some(1448));
            }
            // The last use counts at the next acknowledgment.
            b.on_ack((held + others) * 1448, 501);
            b.resolved()
        };
        assert_eq!(scale(20, 0), WindowScale::Shift(7));
        assert_eq!(scale(19, 0), WindowScale::Unknown);
        assert_eq!(scale(60, 20), WindowScale::Shift(7));
        assert_eq!(scale(60, 21), WindowScale::Unknown);
    }

    /// `SCALE_TIMES_AWAY`, `SCALE_NEAR` and `SCALE_SHARE`: away from the sender, forty times, within two
    /// segments.
    #[test]
    fn forty_times_within_two_segments_are_no_chance() {
        let winner = |near: u64, others: u64, off: u64| {
            let mut votes = ScaleVotes::default();
            (0..near).for_each(|_| votes.on_flight((501 << 7) - off, 501, 1448));
            (0..others).for_each(|_| votes.on_flight(38 * 1448, 501, 1448));
            votes.winner()
        };
        assert_eq!(winner(40, 0, 2 * 1448), Some(7));
        assert_eq!(winner(39, 0, 2 * 1448), None);
        assert_eq!(winner(40, 0, 2 * 1448 + 1), None);
        assert_eq!(winner(60, 20, 0), Some(7));
        assert_eq!(winner(60, 21, 0), None);
    }

    /// Bounds of a scale: the window drains no faster than data arrives, and covers the bytes in flight.
    #[test]
    fn a_scale_is_bounded_by_what_drains_and_what_is_in_flight() {
        for (what, acks, end, expected) in [
            ("nothing shows", &[(0, 1000)][..], 1000, (0, 14)),
            ("twice the field is in flight", &[(0, 1000)], 2000, (1, 14)),
            ("a byte more", &[(0, 1000)], 2001, (2, 14)),
            ("a field of 0 shows nothing", &[(0, 0)], 9000, (0, 14)),
            ("ten units drain by as many bytes, one for rounding", &[(0, 1000), (10, 989)], 10, (0, 0)),
            ("by twice as many", &[(0, 1000), (20, 989)], 20, (0, 1)),
            ("by a byte less", &[(0, 1000), (19, 989)], 19, (0, 0)),
            ("one unit is rounding", &[(0, 1000), (1, 999)], 1, (0, 14)),
            ("an old ACK shows nothing", &[(100, 1000), (99, 1)], 100, (0, 14)),
        ] {
            let mut b = ScaleBounds::default();
            for &(ack, field) in acks {
                b.on_ack(ack, field);
            }
            b.on_data(end, None);
            assert_eq!((b.low, b.high), expected, "{what}");
        }
        let bounds = ScaleBounds { low: 3, high: 5, ..ScaleBounds::default() };
        assert_eq!([2, 3, 5, 6].map(|scale| bounds.allow(scale)), [false, true, true, false]);
    }

    /// `SCALE_SEGMENTS`: data up to the edge of a window of twelve segments, except for less than a segment.
    #[test]
    fn a_use_up_to_the_edge_leaves_less_than_a_segment() {
        for (what, field, end, expected) in [
            ("all of it", 12_000, 12_000, Use::UpToEdge),
            ("less than a segment is left", 12_000, 11_001, Use::UpToEdge),
            ("a segment is left", 12_000, 11_000, Use::Some),
            ("a smaller window", 11_999, 11_999, Use::Some),
        ] {
            let mut b = ScaleBounds::default();
            b.on_ack(0, field);
            b.on_data(end, Some(1000));
            assert_eq!(b.last_use, expected, "{what}");
        }
    }

    /// `SCALE_SEGMENTS_AWAY` and `SCALE_NEAR`: within two segments of a window of sixteen. A zero window, or
    /// nothing in flight, gives no vote.
    #[test]
    fn a_vote_is_a_flight_within_two_segments_of_a_window_of_sixteen() {
        for (what, flight, field, expected) in [
            ("all of it", 16_000, 16_000, (1, 1)),
            ("two segments less", 14_000, 16_000, (1, 1)),
            ("more", 13_999, 16_000, (0, 1)),
            ("two segments beyond", 18_000, 16_000, (1, 1)),
            ("further", 18_001, 16_000, (0, 1)),
            ("a smaller window", 15_999, 15_999, (0, 1)),
            ("a closed window", 16_000, 0, (0, 0)),
            ("nothing in flight", 0, 16_000, (0, 0)),
        ] {
            let mut votes = ScaleVotes::default();
            votes.on_flight(flight, field, 1000);
            assert_eq!((votes.near[0], votes.all), expected, "{what}");
        }
    }
}
