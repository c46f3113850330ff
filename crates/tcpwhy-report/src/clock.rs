//! Wall-clock times, so that a capture can be compared with logs.

use std::ffi::OsStr;
use std::path::Path;

use jiff::Zoned;
use jiff::fmt::temporal::DateTimePrinter;
use jiff::tz::TimeZone;
use tcpwhy_model::Timestamp;

/// The time zone that times are written and read in.
#[derive(Clone, Debug)]
pub struct Zone(TimeZone);

impl Zone {
    /// UTC.
    pub const fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// The zone of this machine, or of `TZ`; UTC if it is unknown.
    pub fn local() -> Self {
        let directory = std::env::var_os("TZDIR").unwrap_or_default();
        if std::env::var_os("TZ").is_some_and(|name| is_no_file(Path::new(&directory), &name)) {
            return Self::utc();
        }
        Self::of(linked().unwrap_or_else(TimeZone::system))
    }

    /// Replaces zones that equal UTC under another name by UTC.
    fn of(zone: TimeZone) -> Self {
        if zone.iana_name().is_some_and(is_utc) { Self::utc() } else { Self(zone) }
    }

    /// The zone in which times typed by the user are read.
    pub const fn time_zone(&self) -> &TimeZone {
        &self.0
    }

    /// `22:13:20.123`.
    pub(crate) fn time_of_day(&self, time: Timestamp) -> String {
        self.zoned(time).strftime("%H:%M:%S%.3f").to_string()
    }

    /// `22:13:20.123456`.
    pub(crate) fn fine_time_of_day(&self, time: Timestamp) -> String {
        self.zoned(time).strftime("%H:%M:%S%.6f").to_string()
    }

    /// `2023-11-14 22:13:20.123 UTC`, elsewhere with the offset: `2023-11-14 23:13:20.123 +01:00`.
    pub fn date_and_time(&self, time: Timestamp) -> String {
        let format = if self.0 == TimeZone::UTC { "%Y-%m-%d %H:%M:%S%.3f UTC" } else { "%Y-%m-%d %H:%M:%S%.3f %:z" };
        self.zoned(time).strftime(format).to_string()
    }

    fn zoned(&self, time: Timestamp) -> Zoned {
        instant(time).to_zoned(self.0.clone())
    }
}

/// The zone that `/etc/localtime` links to, unless `TZ` is set. [`TimeZone::system`] first reads the names of
/// all zones, which took a tenth of the time of a short run.
fn linked() -> Option<TimeZone> {
    const LOCAL_TIME: &str = "/etc/localtime";
    if std::env::var_os("TZ").is_some() {
        return None;
    }
    let target = std::fs::read_link(LOCAL_TIME).ok()?;
    let (_, name) = target.to_str()?.rsplit_once("zoneinfo/")?;
    TimeZone::tzif(name, &std::fs::read(LOCAL_TIME).ok()?).ok()
}

/// Whether `name` of `TZ`, alone or below the `directory` of `TZDIR`, is a device, a FIFO or a file too large
/// for a zone. Reading it could block or never end, and [`TimeZone::system`] does not check.
fn is_no_file(directory: &Path, name: &OsStr) -> bool {
    /// Files of the zone database have at most 4 kB.
    const MOST: u64 = 1 << 20;
    let name = name.to_str().map_or(name, |name| OsStr::new(name.strip_prefix(':').unwrap_or(name)));
    let is_other = |path: &Path| {
        std::fs::metadata(path).is_ok_and(|found| !found.is_dir() && (!found.is_file() || found.len() > MOST))
    };
    is_other(Path::new(name)) || is_other(&directory.join(name))
}

/// Whether a zone of this name in the IANA database is UTC (the links of `Etc/UTC`).
fn is_utc(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    matches!(name.strip_prefix("etc/").unwrap_or(&name), "utc" | "uct" | "universal" | "zulu")
}

/// RFC 3339 in UTC, to the nanosecond: `2023-11-14T22:13:20.123456789Z`. JavaScript and jq cannot represent
/// numbers of nanoseconds exactly.
pub(crate) fn rfc3339(time: Timestamp) -> String {
    const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(9));
    PRINTER.timestamp_to_string(&instant(time))
}

fn instant(time: Timestamp) -> jiff::Timestamp {
    // 64 bits of nanoseconds reach only years within the range of the calendar.
    jiff::Timestamp::from_nanosecond(i128::from(time.as_nanos())).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If the machine sets its zone in another way, or `TZ` is set, the test has nothing to compare.
    #[test]
    fn the_zone_of_the_link_is_that_of_the_database() {
        let time = Timestamp::from_nanos(1_700_000_000_123_456_789);
        if let Some(zone) = linked() {
            assert_eq!(zone.iana_name(), TimeZone::system().iana_name());
            assert_eq!(Zone::of(zone).date_and_time(time), Zone::of(TimeZone::system()).date_and_time(time));
        }
    }

    #[test]
    fn times_in_zones() {
        let time = Timestamp::from_nanos(1_700_000_000_123_456_789);
        let utc = Zone::utc();
        assert_eq!(utc.time_of_day(time), "22:13:20.123");
        assert_eq!(utc.fine_time_of_day(time), "22:13:20.123456");
        assert_eq!(utc.date_and_time(time), "2023-11-14 22:13:20.123 UTC");
        let zone = Zone(TimeZone::fixed(jiff::tz::offset(-5)));
        assert_eq!(zone.date_and_time(time), "2023-11-14 17:13:20.123 -05:00");
        for name in ["UTC", "Etc/UTC", "etc/utc", "Zulu", "Etc/Universal", "UCT"] {
            assert!(is_utc(name), "{name}");
            // Skipped if the machine has no zone database.
            if let Ok(zone) = TimeZone::get(name) {
                assert_eq!(Zone::of(zone).date_and_time(time), "2023-11-14 22:13:20.123 UTC", "{name}");
            }
        }
        for name in ["Europe/London", "Etc/GMT-1", "Etc/GMT"] {
            assert!(!is_utc(name), "{name}");
        }
        assert_eq!(rfc3339(time), "2023-11-14T22:13:20.123456789Z");
        assert_eq!(rfc3339(Timestamp::ZERO), "1970-01-01T00:00:00.000000000Z");
        assert_eq!(rfc3339(Timestamp::from_nanos(-1)), "1969-12-31T23:59:59.999999999Z");
        assert_eq!(rfc3339(Timestamp::from_nanos(i64::MAX)), "2262-04-11T23:47:16.854775807Z");
    }
}
