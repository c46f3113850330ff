//! Which two connections are legs of one, and which leg is slower (`legs/`). They move no label, so their
//! last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::problem;
use crate::thresholds::Threshold;

thresholds! {
    after problem::END;

    /// A relayed pair is compared by size, and small talk of the same size is common.
    LEG_LEAST: u64 = 10_000, "bytes", "chosen: ten times RELAY_HEADERS", UNMEASURED;
    /// Payload of both legs differs by less: a relay may compress headers or frame the data.
    LEG_SHARE: f64 = 0.03, "of payload", "chosen", UNMEASURED;
    /// And by headers that the relay adds or removes (`Via`, `X-Forwarded-For`, the line of a CONNECT).
    RELAY_HEADERS: u64 = 1_000, "bytes", "chosen", UNMEASURED;
    /// Where one leg only is encrypted, its handshake comes on top.
    TLS_HANDSHAKE: u64 = 8_000, "bytes", "chosen: certificates of several kB", UNMEASURED;
    /// A difference that may be that large proves nothing where a pair carries less than so many times it.
    LEG_RATIO: u64 = 4, "times", "chosen", UNMEASURED;
    /// A leg waits for the other one where it does so for this part of the time.
    LEG_WAITS: f64 = 0.5, "of time", "most of it", UNMEASURED;
}
