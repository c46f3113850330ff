//! Parsing of quantities as users type them: `64k`, `20ms`, `100mbit`. Errors are messages for the user.

use crate::Message;
use crate::foreign::quoted;

/// A number of bytes: `1500`, `64k`, `10MB`, `1GiB`. k, M, G and T are powers of 1000; Ki, Mi, Gi and Ti of
/// 1024.
pub fn bytes(text: &str) -> Result<u64, Message> {
    let expected = || Message::new("size-expected");
    let text = text.trim().to_ascii_lowercase();
    let (number, unit) = number_and_unit(&text).ok_or_else(expected)?;
    let factor: f64 = match unit {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "ki" | "kib" => 1024.0,
        "mi" | "mib" => 1024.0 * 1024.0,
        "gi" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "ti" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        other => {
            return Err(Message::new("size-unit").with("unit", quoted(other)));
        }
    };
    Ok((number * factor) as u64)
}

/// A time in seconds: `20ms`, `350us`, `0.2s`. Zero is allowed.
pub fn seconds(text: &str) -> Result<f64, Message> {
    let text = text.trim().to_ascii_lowercase();
    let expected = || Message::new("time-expected");
    let (number, unit) = number_and_unit(&text).ok_or_else(expected)?;
    match unit {
        "s" => Ok(number),
        "ms" => Ok(number / 1e3),
        "us" | "µs" => Ok(number / 1e6),
        _ => Err(expected()),
    }
}

/// A size for `setsockopt`, as in [`bytes`]. Also `max` for the largest `int`, and `-1`, which some programs
/// pass.
pub fn buffer_size(text: &str) -> Result<i32, Message> {
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "max" => return Ok(i32::MAX),
        "-1" => return Ok(-1),
        _ => {}
    }
    number_and_unit(&text).ok_or(Message::new("buffer-size-expected"))?;
    i32::try_from(bytes(&text)?).map_err(|_| Message::new("buffer-size-range"))
}

/// A round-trip time or an interval in seconds, as in [`seconds`], within the range of real paths.
pub fn round_trip_seconds(text: &str) -> Result<f64, Message> {
    let seconds = seconds(text)?;
    if !(1e-7..=1e4).contains(&seconds) {
        return Err(Message::new("time-range"));
    }
    Ok(seconds)
}

/// A rate in bits per second: `100mbit`, `1gbit`, `12.5MB/s`, between 1 bit/s and 1 Pbit/s.
pub fn bits_per_sec(text: &str) -> Result<f64, Message> {
    let text = text.trim().to_ascii_lowercase();
    let expected = || Message::new("rate-expected");
    let (number, unit) = number_and_unit(&text).ok_or_else(expected)?;
    let unit = unit.strip_suffix("/s").map_or_else(|| (unit, false), |unit| (unit, true));
    let bits = match unit {
        ("bit", _) => 1.0,
        ("kbit", _) => 1e3,
        ("mbit", _) => 1e6,
        ("gbit", _) => 1e9,
        ("tbit", _) => 1e12,
        ("kb", true) => 8e3,
        ("mb", true) => 8e6,
        ("gb", true) => 8e9,
        ("bps" | "kbps" | "mbps" | "gbps", _) => {
            return Err(Message::new("rate-unit"));
        }
        _ => return Err(expected()),
    };
    let bits = number * bits;
    if !(1.0..=1e15).contains(&bits) {
        return Err(Message::new("bandwidth-range"));
    }
    Ok(bits)
}

/// Splits `4.5mib` into 4.5 and `mib`; the number is never negative.
pub(crate) fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    number.parse().ok().map(|number: f64| (number, unit.trim()))
}
