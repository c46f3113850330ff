//! Whether the capture's clock agrees with those of the ends.
//!
//! One end sends a packet, the other echoes its timestamp, and the first echoes that. From the first packet
//! to the last, both clocks saw one round trip (RFC 7323 §4.1). On any path the capture's is shorter only
//! by what the first packet was delayed more than the last. A capture that stamps packets when a buffer is
//! read sees many round trips in no time.

use tcpwhy_model::{Segment, TcpTimestamps};

use crate::outcome::Side;
use crate::seen::ClockTrips;
use crate::thresholds::{
    CLOCK_ROUND_TRIP, CLOCK_SHARE, CLOCK_TICKS_LEAST, CLOCK_TICKS_MOST, CLOCK_TICKS_OFF, CLOCK_TIMES,
    CLOCK_TRIPS_LEAST, STAMPED_BACK_LEAST, STAMPED_BACK_SHARE, part,
};

/// The fastest that timestamps tick (RFC 7323 §5.4), nanoseconds.
const TICK: i64 = 1_000_000;
/// The ticks that Linux may use within a data center (`tcp_usec_ts`), nanoseconds.
const FINE_TICK: i64 = 1_000;

/// Round trips by the capture's clock and by that of the end that they began at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClockCheck {
    start: Option<Start>,
    trips: ClockTrips,
}

impl ClockTrips {
    /// Whether times in the capture mean nothing.
    pub(crate) fn are_contradicted(self) -> bool {
        let is_contradicted = self.contradicted >= CLOCK_TRIPS_LEAST
            && part(i64::from(self.contradicted), i64::from(self.timed)) > CLOCK_SHARE;
        is_contradicted || self.runs_back()
    }

    /// Whether packets are stamped back again and again.
    fn runs_back(self) -> bool {
        let packets = i64::try_from(self.packets).unwrap_or(i64::MAX);
        self.stamped_back >= STAMPED_BACK_LEAST && part(i64::from(self.stamped_back), packets) > STAMPED_BACK_SHARE
    }
}

/// The packet that a round trip begins with.
#[derive(Clone, Copy, Debug)]
struct Start {
    side: Side,
    value: u32,
    time: i64,
    /// The timestamp of the packet that echoed it.
    echo: Option<u32>,
}

impl ClockCheck {
    pub(super) fn trips(&self) -> ClockTrips {
        self.trips
    }

    /// Takes the next packet, which `side` sent.
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
    /// Takes a round trip of `ticks` by the end's clock and `nanos` by the capture's.
    fn count(&mut self, ticks: i64, nanos: i64) {
        if nanos >= CLOCK_ROUND_TRIP {
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

    /// Whether as many round trips of `ticks` and `micros` each, after some that both clocks agree on,
    /// contradict.
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

    /// `CLOCK_TIMES`, `CLOCK_TICKS_LEAST` and `CLOCK_TICKS_MOST`: round trips of 10 ticks and more, and of
    /// more than eight times the capture's.
    #[test]
    fn eight_times_the_captures_round_trip_contradict() {
        assert!(is_contradicted(0, 2, 80, 9_999));
        assert!(!is_contradicted(0, 2, 80, 10_000));
        assert!(is_contradicted(0, 2, 10, 1_000) && !is_contradicted(0, 2, 9, 1_000));
        assert!(is_contradicted(0, 2, 10_000, 100_000) && !is_contradicted(0, 2, 10_001, 100_000));
    }

    /// `CLOCK_TRIPS_LEAST` and `CLOCK_SHARE`: two round trips, and more than half of all.
    #[test]
    fn most_round_trips_contradict() {
        assert!(!is_contradicted(0, 1, 80, 2_000));
        assert!(is_contradicted(1, 2, 80, 2_000) && !is_contradicted(2, 2, 80, 2_000));
    }

    /// `CLOCK_ROUND_TRIP`: in 200 ms or more something else may have happened; such a round trip does not
    /// count.
    #[test]
    fn longer_round_trips_do_not_count() {
        assert!(is_contradicted(0, 2, 10_000, 199_999) && !is_contradicted(0, 2, 10_000, 200_000));
        let mut all = ClockTrips::default();
        all.count(200, 200_000 * MICROSECOND);
        assert_eq!(all.timed, 0);
    }

    /// `CLOCK_TICKS_OFF`: timestamps that tick each microsecond agree, within a factor of two.
    #[test]
    fn microseconds_agree() {
        assert!(
            !is_contradicted(0, 2, 500, 500) && !is_contradicted(0, 2, 1_000, 500) && !is_contradicted(0, 2, 250, 500)
        );
        assert!(is_contradicted(0, 2, 1_001, 500) && is_contradicted(0, 2, 249, 500));
    }
}
