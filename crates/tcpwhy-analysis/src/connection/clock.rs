//! Comparison of the capture's clock with the clocks of the ends.
//!
//! One end sends a packet, the other echoes its timestamp, and the first end echoes that. From the first
//! packet to the last, both clocks measured one round trip (RFC 7323 §4.1). On any path, the capture's round
//! trip is shorter only if the first packet was delayed for longer than the last.
//!
//! A capture that stamps packets when a buffer is read shows many round trips in no time. A clock that jumped
//! forward shows days in which no time passed at an end. A suspended host looks the same: its connections did
//! not experience that time either.

use tcpwhy_model::{Segment, TcpTimestamps};

use crate::outcome::Side;
use crate::seen::ClockTrips;
use crate::thresholds::{
    CLOCK_LEAP, CLOCK_ROUND_TRIP, CLOCK_SHARE, CLOCK_TICKS_LEAST, CLOCK_TICKS_MOST, CLOCK_TICKS_OFF, CLOCK_TICKS_STOOD,
    CLOCK_TIMES, CLOCK_TRIPS_LEAST, SILENCE_MOST, STAMPED_BACK_LEAST, STAMPED_BACK_SHARE, part,
};

/// Shortest tick of timestamps (RFC 7323 §5.4), nanoseconds.
const TICK: i64 = 1_000_000;
/// Tick that Linux may use within a data center (`tcp_usec_ts`), nanoseconds.
const FINE_TICK: i64 = 1_000;

/// Round trips by the capture's clock and by the clock of the end at which they began.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClockCheck {
    start: Option<Start>,
    trips: ClockTrips,
}

impl ClockTrips {
    /// Whether times in the capture are meaningless.
    pub(crate) fn are_contradicted(self) -> bool {
        let is_contradicted = self.contradicted >= CLOCK_TRIPS_LEAST
            && part(i64::from(self.contradicted), i64::from(self.timed)) > CLOCK_SHARE;
        is_contradicted || self.runs_back() || self.leapt() || self.is_beyond
    }

    /// Whether the clock jumped forward within a silence.
    pub(crate) fn leapt(self) -> bool {
        self.stood || self.silence > SILENCE_MOST && !self.ran
    }

    /// Whether many packets have timestamps before those of earlier packets.
    fn runs_back(self) -> bool {
        let packets = i64::try_from(self.packets).unwrap_or(i64::MAX);
        self.stamped_back >= STAMPED_BACK_LEAST && part(i64::from(self.stamped_back), packets) > STAMPED_BACK_SHARE
    }
}

/// The packet with which a round trip begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    side: Side,
    value: u32,
    time: i64,
    /// Timestamp value of the packet that echoed it.
    echo: Option<u32>,
}

impl ClockCheck {
    pub(super) fn trips(&self) -> ClockTrips {
        self.trips
    }

    /// Records a silence of `nanos` before the next packet.
    #[cold]
    pub(super) fn note_silence(&mut self, nanos: i64) {
        if nanos >= CLOCK_LEAP {
            self.trips.silence = self.trips.silence.max(nanos);
        }
    }

    /// Records the next packet, which `side` sent.
    #[inline]
    pub(super) fn follow(&mut self, segment: &Segment, side: Side, time: i64) {
        if let Some(timestamps) = segment.options.timestamps {
            self.follow_timestamps(timestamps, side, time);
        }
    }

    fn follow_timestamps(&mut self, timestamps: TcpTimestamps, side: Side, time: i64) {
        let TcpTimestamps { value, echo_reply } = timestamps;
        let is_past = |mark: u32| echo_reply.wrapping_sub(mark) as i32 >= 0;
        let next = Start { side, value, time, echo: None };
        match &mut self.start {
            Some(start) if start.side == side => {
                let Some(echo) = start.echo else { return };
                if !is_past(echo) {
                    return;
                }
                let ticks = i64::from(value.wrapping_sub(start.value) as i32);
                let nanos = time - start.time;
                self.trips.count(ticks, nanos);
            }
            Some(start) => {
                if start.echo.is_none() && echo_reply == start.value {
                    start.echo = Some(value);
                    return;
                }
                // A later packet was echoed, or none was yet.
                if start.echo.is_some() || !is_past(start.value) {
                    return;
                }
            }
            None => {}
        }
        self.start = Some(next);
    }
}

impl ClockTrips {
    /// Records a round trip of `ticks` by the end's clock and `nanos` by the capture's.
    fn count(&mut self, ticks: i64, nanos: i64) {
        if nanos >= CLOCK_ROUND_TRIP {
            if nanos >= CLOCK_LEAP {
                let stood = (0..CLOCK_TICKS_STOOD.get()).contains(&ticks);
                self.stood |= stood;
                self.ran |= !stood;
            }
            return;
        }
        self.timed = self.timed.saturating_add(1);
        let (fine, off) = (ticks * FINE_TICK, CLOCK_TICKS_OFF.get());
        let is_fine = fine <= off * nanos && nanos <= off * fine;
        let is_known = (CLOCK_TICKS_LEAST.get()..=CLOCK_TICKS_MOST.get()).contains(&ticks);
        if is_known && !is_fine && ticks * TICK > CLOCK_TIMES.get() * nanos {
            self.contradicted = self.contradicted.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MICROSECOND: i64 = 1_000;

    /// Whether `trips` round trips of `ticks` and `micros` each contradict, after `agreeing` ones on which
    /// both clocks agree.
    fn is_contradicted(agreeing: u32, trips: u32, ticks: i64, micros: i64) -> bool {
        let mut all = ClockTrips::default();
        (0..agreeing).for_each(|_| all.count(20, 20_000 * MICROSECOND));
        (0..trips).for_each(|_| all.count(ticks, micros * MICROSECOND));
        all.are_contradicted()
    }

    #[test]
    fn three_packets_that_are_stamped_back_contradict() {
        let back =
            |stamped_back, packets| ClockTrips { stamped_back, packets, ..ClockTrips::default() }.are_contradicted();
        assert!(back(3, 149) && !back(2, 3), "STAMPED_BACK_LEAST");
        assert!(!back(3, 150), "STAMPED_BACK_SHARE");
        assert!(!back(0, 0));
    }

    /// `CLOCK_TIMES`, `CLOCK_TICKS_LEAST` and `CLOCK_TICKS_MOST`: round trips of 10 to 10,000 ticks that are
    /// more than eight times the capture's.
    #[test]
    fn eight_times_the_captures_round_trip_contradict() {
        assert!(is_contradicted(0, 2, 80, 9_999));
        assert!(!is_contradicted(0, 2, 80, 10_000));
        assert!(is_contradicted(0, 2, 10, 1_000) && !is_contradicted(0, 2, 9, 1_000));
        assert!(is_contradicted(0, 2, 10_000, 100_000) && !is_contradicted(0, 2, 10_001, 100_000));
    }

    /// `CLOCK_TRIPS_LEAST` and `CLOCK_SHARE`: at least two round trips, and more than half of all.
    #[test]
    fn most_round_trips_contradict() {
        assert!(!is_contradicted(0, 1, 80, 2_000));
        assert!(is_contradicted(1, 2, 80, 2_000) && !is_contradicted(2, 2, 80, 2_000));
    }

    /// `CLOCK_ROUND_TRIP`: round trips of 200 ms or more are not counted, because they may have other
    /// reasons.
    #[test]
    fn longer_round_trips_do_not_count() {
        assert!(is_contradicted(0, 2, 10_000, 199_999) && !is_contradicted(0, 2, 10_000, 200_000));
        let mut all = ClockTrips::default();
        all.count(200, 200_000 * MICROSECOND);
        assert_eq!(all.timed, 0);
    }

    /// `CLOCK_LEAP`, `CLOCK_TICKS_STOOD`: a day in which an end's clock did not advance is a jump.
    #[test]
    fn a_day_without_ticks_contradicts() {
        const DAY: i64 = 86_400_000 * 1_000 * MICROSECOND;
        let after = |ticks, nanos| {
            let mut all = ClockTrips::default();
            all.count(ticks, nanos);
            all
        };
        assert!(after(0, DAY).are_contradicted() && after(21_599, DAY).are_contradicted());
        assert!(!after(21_600, DAY).are_contradicted() && !after(-1, DAY).are_contradicted(), "its clock ran");
        assert!(!after(0, DAY - 1).are_contradicted(), "it rested");
    }

    /// `SILENCE_MOST`: without timestamps, a silence of more than 30 days is too long.
    #[test]
    fn a_month_of_silence_contradicts() {
        const MONTH: i64 = 30 * 86_400 * 1_000_000 * MICROSECOND;
        let after = |silence, ran| {
            let mut check = ClockCheck::default();
            check.note_silence(silence);
            check.note_silence(silence / 2);
            ClockTrips { ran, ..check.trips() }
        };
        assert!(after(MONTH + 1, false).leapt() && !after(MONTH, false).leapt());
        assert!(!after(MONTH + 1, true).leapt(), "timestamps show that the time passed");
        assert_eq!((after(MONTH / 30, false).silence, after(MONTH / 30 - 1, false).silence), (MONTH / 30, 0));
    }

    /// `CLOCK_TICKS_OFF`: timestamps with microsecond ticks agree within a factor of two.
    #[test]
    fn microseconds_agree() {
        assert!(
            !is_contradicted(0, 2, 500, 500) && !is_contradicted(0, 2, 1_000, 500) && !is_contradicted(0, 2, 250, 500)
        );
        assert!(is_contradicted(0, 2, 1_001, 500) && is_contradicted(0, 2, 249, 500));
    }
}
