use tcpwhy_model::{ByteCount, Rate};

use crate::Figure;

/// The path of a transfer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Round-trip time in seconds, positive.
    pub round_trip_seconds: f64,
    /// Bandwidth of its narrowest link.
    pub bandwidth: Rate,
}

impl Path {
    /// Bandwidth-delay product in bytes.
    pub fn bandwidth_delay_product(&self) -> ByteCount {
        (self.bandwidth.bytes_per_sec() * self.round_trip_seconds).ceil() as ByteCount
    }

    /// Rate with `flight` bytes per round trip on this path.
    pub fn rate(&self, flight: ByteCount) -> Rate {
        let window_rate = rate_of_window(flight, self.round_trip_seconds);
        if window_rate.bytes_per_sec() < self.bandwidth.bytes_per_sec() { window_rate } else { self.bandwidth }
    }
}

/// Rate of `flight` bytes per round trip, without a limit by bandwidth.
pub fn rate_of_window(flight: ByteCount, round_trip_seconds: f64) -> Rate {
    Rate::from_bytes_per_sec(flight as f64 / round_trip_seconds.max(1e-9))
}

/// Whether a limit of the bytes in flight is large enough to fill a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coverage {
    /// The whole range is large enough.
    Covered,
    /// Part of the range is large enough.
    Doubtful,
    /// The whole range is too small.
    TooSmall,
}

impl Coverage {
    /// Compares `flight` with the bandwidth-delay product.
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
