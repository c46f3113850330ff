//! Thresholds for pairs of connections that a proxy joins, and for the slower leg (`legs/`). They change no
//! label, so their last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::problem;
use crate::thresholds::Threshold;

thresholds! {
    after problem::END;

    /// Pairs of connections are compared by size, and small exchanges of the same size are common.
    LEG_LEAST: u64 = 10_000, "bytes", "chosen: ten times RELAY_HEADERS", UNMEASURED;
    /// The payload of two legs differs by less than this: a relay may compress headers or frame the data.
    LEG_SHARE: f64 = 0.03, "of payload", "chosen", UNMEASURED;
    /// The payload may also differ by headers that the relay adds or removes (`Via`, `X-Forwarded-For`, the
    /// request line of a CONNECT).
    RELAY_HEADERS: u64 = 1_000, "bytes", "chosen", UNMEASURED;
    /// If only one leg is encrypted, the bytes of its TLS handshake are added to the allowed difference.
    TLS_HANDSHAKE: u64 = 8_000, "bytes", "chosen: certificates of several kB", UNMEASURED;
    /// A pair whose payload is less than this many times the allowed difference proves nothing.
    LEG_RATIO: u64 = 4, "times", "chosen", UNMEASURED;
    /// A leg waits for the other leg if its sender waited for at least this part of the time.
    LEG_WAITS: f64 = 0.5, "of time", "most of it", UNMEASURED;
}
