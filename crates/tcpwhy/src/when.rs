//! Times for `--from` and `--to`.

use std::str::FromStr;

use jiff::ToSpan as _;
use jiff::civil::{DateTime, Time};
use tcpwhy_model::Timestamp;
use tcpwhy_report::Zone;

use crate::message::{Failure, failure};
use crate::moment::Moment;

/// A time since the first packet of the capture (`3.2`, `3.2s`, `150ms`), or a time of day (`14:03`,
/// `14:03:05.5`). It may have a date (`2026-11-22 14:03:05`), and an offset for another time zone
/// (`2026-11-22T14:03:05Z`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum When {
    /// Relative to the first packet.
    SinceStart(Moment),
    /// On the day of the first packet.
    TimeOfDay(Time),
    /// Date and time in the zone of the output.
    Local(DateTime),
    /// Date and time with an offset.
    Instant(jiff::Timestamp),
}

impl FromStr for When {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: Failure = failure("when-expected");
        let text = text.trim();
        if !text.contains(':') {
            return text.parse().map(Self::SinceStart).map_err(|_| EXPECTED);
        }
        if !text.contains('-') && !text.contains('+') && !text.ends_with(['Z', 'z']) {
            return text.parse().map(Self::TimeOfDay).map_err(|_| EXPECTED);
        }
        let instant = text.parse().map(Self::Instant);
        instant.or_else(|_| text.parse().map(Self::Local)).map_err(|_| EXPECTED)
    }
}

impl When {
    /// The absolute time in a capture whose first packet passed at `start`; `None` if it is out of range.
    pub(crate) fn resolve(self, start: Timestamp, zone: &Zone) -> Option<Timestamp> {
        let zone = zone.time_zone();
        let nanos = |time: jiff::Timestamp| i64::try_from(time.as_nanosecond()).ok().map(Timestamp::from_nanos);
        match self {
            Self::SinceStart(moment) => Some(start.plus(moment.nanos)),
            Self::Instant(time) => nanos(time),
            Self::Local(time) => nanos(time.to_zoned(zone.clone()).ok()?.timestamp()),
            Self::TimeOfDay(time) => {
                let first = jiff::Timestamp::from_nanosecond(i128::from(start.as_nanos())).ok()?;
                let day = first.to_zoned(zone.clone()).date();
                // In a capture that passes midnight, the time may be on the next day: the nearest one is
                // used.
                let days = [-1, 0, 1].into_iter().filter_map(|n| day.checked_add(n.days()).ok());
                let times =
                    days.filter_map(|day| nanos(day.to_datetime(time).to_zoned(zone.clone()).ok()?.timestamp()));
                times.min_by_key(|time| time.since(start).unsigned_abs())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2023-11-14 22:13:20 UTC.
    const START: i64 = 1_700_000_000;

    fn seconds(text: &str) -> f64 {
        let start = Timestamp::from_nanos(START * 1_000_000_000);
        text.parse::<When>().unwrap().resolve(start, &Zone::utc()).unwrap().since(start) as f64 / 1e9
    }

    #[test]
    fn times_as_people_write_them() {
        for (text, expected) in [
            ("3.2", 3.2),
            ("150ms", 0.15),
            ("22:13:21.5", 1.5),
            ("22:14", 40.0),
            ("22:00", -800.0),
            // The next day is nearer.
            ("00:13:20", 7200.0),
            ("2023-11-14 22:13:30", 10.0),
            ("2023-11-14T22:13:30Z", 10.0),
            ("2023-11-14T23:13:30+01:00", 10.0),
            ("2023-11-15T00:13:20", 7200.0),
        ] {
            assert!((seconds(text) - expected).abs() < 1e-6, "{text}: {}", seconds(text));
        }
        for bad in ["", "soon", "25:00", "14:03:99", "-3", "2023-13-01 10:00", "2023-11-14", "12:00 noon", "1:2:3:4"] {
            assert!(bad.parse::<When>().is_err(), "{bad}");
        }
    }
}
