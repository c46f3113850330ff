//! Duration of a transfer, slow start included.

use tcpwhy_model::{ByteCount, Rate};

use crate::send::INITIAL_WINDOW;
use crate::{BufferKind, Figure};

/// A waiting writer wakes when one part in three is free (`sk_stream_is_writeable`).
const WAKE_SHARE: ByteCount = 3;

/// A path with an optional bandwidth. Without one, only the bytes in flight limit the rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Route {
    /// Round-trip time in seconds, positive.
    pub round_trip_seconds: f64,
    /// Bandwidth of its narrowest link.
    pub bandwidth: Option<Rate>,
    /// Payload of a full segment.
    pub mss: ByteCount,
}

/// A duration in seconds, with its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds {
    /// Best single value.
    pub value: f64,
    /// Lower end of the range.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Route {
    /// Seconds from the first segment of `bytes` to the ACK of the last one, on an established connection
    /// without loss.
    ///
    /// Slow start sends ten segments first (RFC 6928) and doubles each round trip (RFC 5681 section 3.1). It
    /// ends when `flight` bytes are in flight or the link is full.
    pub fn seconds(&self, bytes: ByteCount, flight: ByteCount) -> f64 {
        let round_trip = self.round_trip_seconds.max(1e-9);
        let flight = flight.max(1) as f64;
        let link = self.bandwidth.map_or(f64::INFINITY, |rate| rate.bytes_per_sec().max(1.0));
        let (mut rest, mut window) = (bytes as f64, (INITIAL_WINDOW * self.mss.max(1)) as f64);
        let mut seconds = 0.0;
        // The window doubles, so the loop ends after about fifty rounds.
        while window < flight && window / round_trip < link && rest > window {
            seconds += round_trip;
            rest -= window;
            window *= 2.0;
        }
        let window = window.min(flight);
        if window / round_trip >= link {
            return seconds + rest / link + round_trip;
        }
        // Whole rounds of one window, and a last one for the remaining bytes.
        seconds + (rest / window).ceil().max(1.0) * round_trip
    }

    /// Like [`Self::seconds`], for the range of `flight`. The most bytes in flight give the shortest time.
    ///
    /// A writer that waits for room in its send buffer wakes when a third of it is free
    /// (`sk_stream_write_space`), and a link spreads the ACKs of that third. So a sender's round trip may be
    /// longer by the time that the link needs for a third of the bytes in flight.
    ///
    /// Measured on 6.18 at 20 ms and 100 Mbit/s, with writes of 1,448 bytes and an `SO_SNDBUF` of 133,120: 22
    /// MB took 3.7 to 3.8 s. One buffer per round trip would take 2.7 to 3.1 s.
    pub fn seconds_of(&self, bytes: ByteCount, flight: &Figure, kind: BufferKind) -> Seconds {
        let refill = match (kind, self.bandwidth) {
            (BufferKind::Send, Some(link)) => (flight.low / WAKE_SHARE) as f64 / link.bytes_per_sec().max(1.0),
            (BufferKind::Send | BufferKind::Receive, _) => 0.0,
        };
        let late = Self { round_trip_seconds: self.round_trip_seconds + refill, ..*self };
        let [low, value] =
            [flight.high.unwrap_or(ByteCount::MAX), flight.value].map(|flight| self.seconds(bytes, flight));
        // Rounding may give more bytes in flight a slightly longer time.
        Seconds { value, low: low.min(value), high: late.seconds(bytes, flight.low).max(value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ground;

    fn route(milliseconds: f64, megabits: Option<f64>) -> Route {
        let bandwidth = megabits.map(|megabits| Rate::from_bits_per_sec(megabits * 1e6));
        Route { round_trip_seconds: milliseconds / 1e3, bandwidth, mss: 1000 }
    }

    #[test]
    fn rounds_are_counted() {
        for (what, bytes, flight, rounds) in [
            ("ten segments", 10_000, 1 << 30, 1.0),
            ("one more", 11_000, 1 << 30, 2.0),
            ("10 + 20 + 40 segments", 70_000, 1 << 30, 3.0),
            ("10 + 20 + 25 + 15 segments", 70_000, 25_000, 4.0),
            ("less than the first window", 4000, 2000, 2.0),
            ("nothing", 0, 2000, 1.0),
        ] {
            let seconds = route(100.0, None).seconds(bytes, flight);
            assert!((seconds - rounds * 0.1).abs() < 1e-9, "{what}: {seconds}");
        }
    }

    /// 10 + 20 + 40 + 80 segments in four round trips, then 12.5 MB/s.
    #[test]
    fn a_full_link_ends_slow_start() {
        let seconds = route(10.0, Some(100.0)).seconds(12_500_000, 1 << 30);
        let expected = 0.040 + (12_500_000.0 - 150_000.0) / 12.5e6 + 0.010;
        assert!((seconds - expected).abs() < 1e-9, "{seconds}, expected {expected}");
    }

    #[test]
    fn more_in_flight_takes_less_time() {
        let flight = Figure::range(20_000, 10_000, Some(40_000), Ground::Measured);
        let seconds = route(10.0, None).seconds_of(1_000_000, &flight, BufferKind::Receive);
        assert!(seconds.low < seconds.value && seconds.value < seconds.high, "{seconds:?}");
        let open =
            route(10.0, Some(100.0)).seconds_of(1_000_000, &Figure { high: None, ..flight }, BufferKind::Receive);
        assert!(open.low >= 0.08, "the link still bounds it: {open:?}");
    }

    /// 12.5 MB/s need 0.8 ms for a third of 30,000 bytes, so a round trip takes 10.8 ms. The value assumes
    /// one buffer per round trip.
    #[test]
    fn a_writer_waits_for_a_third_of_its_buffer() {
        let flight = Figure::range(30_000, 30_000, Some(30_000), Ground::Measured);
        let of = |kind| route(10.0, Some(100.0)).seconds_of(3_000_000, &flight, kind);
        let [send, receive] = [BufferKind::Send, BufferKind::Receive].map(of);
        assert!((send.value - receive.value).abs() < 1e-9 && (receive.high - receive.value).abs() < 1e-9);
        assert!((send.high / send.value - 1.08).abs() < 0.001, "{send:?}");
    }
}
