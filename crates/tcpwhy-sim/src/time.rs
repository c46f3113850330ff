//! Time of a simulated world.

/// Nanoseconds since the start of the world.
pub type Time = u64;

pub(crate) const MICROSECOND: Time = 1_000;
pub(crate) const MILLISECOND: Time = 1_000_000;
pub(crate) const SECOND: Time = 1_000_000_000;

/// Microseconds, the kernel's unit of round trips (`tcp_stamp_us_delta`).
pub(crate) const fn micros(time: Time) -> u64 {
    time / MICROSECOND
}
