use tcpwhy_model::{ByteCount, Rate};

use crate::Figure;

/// A path that a transfer takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Round-trip time in seconds, over 0.
    pub round_trip_seconds: f64,
    /// Bandwidth of its narrowest link.
    pub bandwidth: Rate,
}

impl Path {
    /// Bytes that fill it: bandwidth times round-trip time.
    pub fn bandwidth_delay_product(&self) -> ByteCount {
        (self.bandwidth.bytes_per_sec() * self.round_trip_seconds).ceil() as ByteCount
    }

    /// The rate that `flight` bytes a round trip make here.
    pub fn rate(&self, flight: ByteCount) -> Rate {
        let window_rate = rate_of_window(flight, self.round_trip_seconds);
        if window_rate.bytes_per_sec() < self.bandwidth.bytes_per_sec() { window_rate } else { self.bandwidth }
    }
}

/// The rate of `flight` bytes a round trip, whatever the bandwidth.
pub fn rate_of_window(flight: ByteCount, round_trip_seconds: f64) -> Rate {
    Rate::from_bytes_per_sec(flight as f64 / round_trip_seconds.max(1e-9))
}

/// Whether a limit on the bytes in flight lets a path be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coverage {
    /// The whole range does.
    Covered,
    /// Part of the range does.
    Doubtful,
    /// Nothing of it does.
    TooSmall,
}

impl Coverage {
    /// How `flight` stands to `product` bytes.
    pub fn of(flight: &Figure, product: ByteCount) -> Self {
        if flight.low >= product {
            Self::Covered
        } else if flight.high.is_none_or(|high| high >= product) {
            Self::Doubtful
        } else {
            Self::TooSmall
        }
    }

    /// Stable kebab-case id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Covered => "covered",
            Self::Doubtful => "doubtful",
            Self::TooSmall => "too-small",
        }
    }
}
