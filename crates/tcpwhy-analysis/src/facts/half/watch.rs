//! Detection of signs that few directions show ([`Signs`](super::signs::Signs)).

use tcpwhy_model::{Ecn, Segment, TcpFlags, WindowScale};

use super::Half;
use super::segment::{AckSegment, DataSegment};
use super::units::MILLISECOND;
use crate::thresholds::{STALL_APART, STALL_LEAST, STALL_SEGMENTS};

impl Half {
    /// Handles a packet of the sender with an ECN mark (CE) or with CWR.
    #[cold]
    pub(crate) fn on_congestion_sign(&mut self, segment: &Segment) {
        let congestion = &mut self.ledger.signs_mut().congestion;
        congestion.marked += u32::from(segment.ip.ecn() == Ecn::CongestionExperienced);
        congestion.reductions += u32::from(segment.flags.contains(TcpFlags::CWR));
    }

    /// Handles new data at `time` with CWR. `is_agreed`: whether the SYNs negotiated ECN, if they were
    /// captured. Otherwise only an earlier echo (ECE) shows that the flag has this meaning. Called before
    /// that data.
    #[cold]
    pub(crate) fn on_reduction(&mut self, time: i64, is_agreed: Option<bool>) {
        let has_echo = self.ledger.signs().is_some_and(|signs| signs.congestion.echoes > 0);
        if is_agreed.unwrap_or(has_echo) {
            self.ledger.on_reduction(time);
        }
    }

    /// Handles a packet of the receiver that echoes an ECN mark (ECE).
    #[cold]
    pub(crate) fn on_congestion_echo(&mut self) {
        self.ledger.signs_mut().congestion.echoes += 1;
    }

    /// Records that the receiver advertised a window up to `edge`.
    #[inline]
    pub(super) fn follow_edge(&mut self, s: &AckSegment<'_>, edge: u64) {
        // The window of a SYN is not scaled, and a guessed scale proves nothing.
        if s.is_syn() || s.scale == WindowScale::Unknown {
            return;
        }
        let before = std::mem::replace(&mut self.edge, edge);
        if edge < before && before != u64::MAX {
            self.on_smaller_edge(before, edge, granule(s.scale));
        } else if edge > before && !self.has_timestamps && self.clock.shift() > 0 {
            self.ledger.signs_mut().allowed.edge_moved(before + granule(s.scale), s.time);
        }
    }

    /// Called away from the sender, before an acknowledgment releases more than the `flight`.
    #[cold]
    pub(super) fn vote_for_scale(&mut self, flight: u64) {
        if let Some((field, _)) = self.last_window {
            let segment = self.mss;
            self.ledger.signs_mut().scale.on_flight(flight, field.0, segment);
        }
    }

    /// The window's scale, if the bytes in flight show it.
    pub(super) fn likely_scale(&mut self) -> WindowScale {
        let bounds = self.scale_bounds;
        match bounds.resolved() {
            WindowScale::Unknown => {
                let voted = self.ledger.signs().and_then(|signs| signs.scale.winner());
                voted.filter(|&scale| bounds.allow(scale)).map_or(WindowScale::Unknown, WindowScale::Shift)
            }
            known => known,
        }
    }

    #[cold]
    fn on_smaller_edge(&mut self, before: u64, edge: u64, granule: u64) {
        let withdrawn = before - edge;
        if withdrawn > granule.max(self.mss) {
            let (sent, una, mss) = (self.max_end, self.una, self.mss);
            let beyond = &mut self.ledger.signs_mut().beyond;
            beyond.acknowledged(una);
            beyond.shrunk(edge + granule, sent, withdrawn, mss);
        }
    }

    /// Checks new data for signs.
    #[inline]
    pub(super) fn watch_new_data(&mut self, s: &DataSegment, start: u64, end: u64) {
        if end > self.edge {
            self.on_data_beyond(end);
        }
        let gap = s.time - self.last_data;
        if gap >= STALL_LEAST {
            self.on_late_arrival(s, start, gap);
        } else if let Some(signs) = self.ledger.signs() {
            signs.stalls.on_arrival(s.time);
        }
    }

    #[cold]
    fn on_data_beyond(&mut self, end: u64) {
        if end > self.edge + granule(self.window_scale) {
            let (edge, una) = (self.edge, self.una);
            let beyond = &mut self.ledger.signs_mut().beyond;
            beyond.acknowledged(una);
            beyond.sent(edge, end);
        }
    }

    /// Handles data after a silence of `gap`. If it was sent right after the previous segment, the path
    /// delayed it for nearly all of that time.
    #[cold]
    fn on_late_arrival(&mut self, s: &DataSegment, start: u64, gap: i64) {
        let Some((tsval, before)) = s.tsval.zip(self.ledger.last_tsval()) else { return };
        if start != self.max_end || !self.sender_ticks.is_milliseconds() {
            return;
        }
        let apart = i64::from(tsval.wrapping_sub(before) as i32) * MILLISECOND;
        let late = gap - apart;
        if (0..=STALL_APART.of(gap)).contains(&apart) && late >= STALL_LEAST {
            self.ledger.signs_mut().stalls.arrived_late(late, s.time);
        }
    }

    /// Checks an acknowledgment of new data, `delay` after this data had passed. The previous one was at
    /// `before`.
    #[inline]
    pub(super) fn watch_round_trip(&mut self, delay: i64, before: Option<i64>, freed: u64, time: i64) {
        let gap = before.map_or(0, |before| time - before);
        if gap >= STALL_LEAST && delay >= gap {
            self.on_late_ack(delay, gap, freed, time);
        } else if let Some(signs) = self.ledger.signs() {
            signs.stalls.on_rtt(delay, time);
        }
    }

    /// Handles an acknowledgment after a silence of `gap`, during which data was in flight, for `delay` by
    /// now.
    #[cold]
    fn on_late_ack(&mut self, delay: i64, gap: i64, freed: u64, time: i64) {
        let flight = self.max_end - self.una + freed;
        let Some(rtt) = self.ledger.rtt_recent() else { return };
        // Separate bursts also leave silences, and queues and slow links vary. Only twice the usual time is
        // unusual.
        let late = (delay - rtt).min(gap);
        if late >= STALL_LEAST.get().max(rtt)
            && flight >= STALL_SEGMENTS.get() * self.mss
            && !self.is_stuck_in_closed_window()
        {
            self.ledger.signs_mut().stalls.acknowledged_late(late, rtt, time);
        }
    }
}

/// Rounding unit of a scaled window, bytes (RFC 7323 §2.4).
fn granule(scale: WindowScale) -> u64 {
    match scale {
        WindowScale::Shift(shift) => 1 << shift,
        WindowScale::NotNegotiated | WindowScale::Unknown => 1,
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::SeqNum;

    use super::super::event::{DataEvent, DataKind};
    use super::super::{HandshakeTimes, SynMss};
    use super::*;

    fn half() -> Half {
        let mut half = Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1000)), 0);
        half.ledger.on_rtt(20 * MILLISECOND);
        half
    }

    /// `STALL_LEAST` and `STALL_SEGMENTS`: nothing was acknowledged for 75 ms beyond a round trip, with four
    /// segments in flight.
    #[test]
    fn an_acknowledgment_75_ms_late_shows_a_stall() {
        let stalls = |delay: i64, flight: u64| {
            let mut half = half();
            half.max_end = flight;
            half.watch_round_trip(delay, Some(0), 0, delay);
            half.watch_round_trip(20 * MILLISECOND, Some(delay), 0, delay + 1);
            half.ledger.signs().map_or(0, |signs| signs.stalls.count)
        };
        assert_eq!([95 * MILLISECOND - 1, 95 * MILLISECOND].map(|delay| stalls(delay, 4000)), [0, 1]);
        assert_eq!([3999, 4000].map(|flight| stalls(95 * MILLISECOND, flight)), [0, 1]);
    }

    /// `STALL_LEAST` and `STALL_APART`: data sent within 1/4 of a silence arrived 75 ms later than it was
    /// sent.
    #[test]
    fn data_that_waited_on_the_path_shows_a_stall() {
        let stalls = |silence: i64, apart: u32| {
            let mut half = half();
            half.sender_ticks.note(0, -100 * MILLISECOND);
            half.sender_ticks.note(100, 0);
            let kind = DataKind::New;
            let (time, start, end, is_partial, tsval) = (0, 0, 1000, false, Some(100));
            half.ledger.on_data(&DataEvent { time, start, end, kind, is_partial, tsval, lag_ticks: None });
            half.max_end = 1000;
            let segment = |time: i64| DataSegment {
                time,
                seq: SeqNum(1000),
                len: 1000,
                is_pushed: false,
                tsval: Some(100 + apart),
                tsecr: None,
                ip_id: None,
            };
            half.watch_new_data(&segment(silence * MILLISECOND), 1000, 2000);
            half.last_data = silence * MILLISECOND;
            for _ in 0..4 {
                half.watch_new_data(&segment(silence * MILLISECOND + 1), 1000, 2000);
            }
            half.ledger.signs().map_or(0, |signs| signs.stalls.count)
        };
        assert_eq!([stalls(75, 0), stalls(74, 0)], [1, 0]);
        assert_eq!([stalls(200, 50), stalls(200, 51)], [1, 0]);
    }

    /// Each condition for an ACK that shows a stall: the wait, the silence, the round trip, the bytes in
    /// flight, and an open window.
    #[test]
    fn a_stall_of_acks_is_longer_than_a_round_trip_with_data_in_flight() {
        for (what, rtt, delay, before, flight, freed, expected) in [
            ("75 ms more than a round trip", 20, 95, Some(0), 4000, 0, true),
            ("less", 20, 94, Some(0), 4000, 0, false),
            ("an ACK came in between", 20, 95, Some(21), 4000, 0, false),
            ("it was sent after the silence began", 20, 95, Some(-1), 4000, 0, false),
            ("no ACK before", 20, 95, None, 4000, 0, false),
            ("a round trip more, of 100 ms", 100, 200, Some(0), 4000, 0, true),
            ("less than a round trip more", 100, 199, Some(0), 4000, 0, false),
            ("three segments in flight", 20, 95, Some(0), 3000, 0, false),
            ("and one that this freed", 20, 95, Some(0), 3000, 1000, true),
        ] {
            let mut half = Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1000)), 0);
            half.ledger.on_rtt(rtt * MILLISECOND);
            half.max_end = flight;
            let (delay, time) = (delay * MILLISECOND, delay * MILLISECOND);
            half.watch_round_trip(delay, before.map(|before: i64| before * MILLISECOND), freed, time);
            half.watch_round_trip(0, Some(time), 0, time + 1);
            assert_eq!(half.ledger.signs().map_or(0, |signs| signs.stalls.count), u32::from(expected), "{what}");
        }
    }

    /// The rounding unit of each scale.
    #[test]
    fn a_scale_cuts_off_less_than_its_unit() {
        for (scale, expected) in [
            (WindowScale::Shift(0), 1),
            (WindowScale::Shift(7), 128),
            (WindowScale::NotNegotiated, 1),
            (WindowScale::Unknown, 1),
        ] {
            assert_eq!(granule(scale), expected, "{scale:?}");
        }
    }
}
