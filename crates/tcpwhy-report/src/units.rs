//! Quantities as people read them: three significant digits, decimal prefixes (or binary ones for sizes), and
//! the same rounding everywhere.

mod table;

use self::table::{BIT_RATES, LACKING, PERCENT, SIZES, THREE_DIGITS, TIMES, TWO_DIGITS};
use crate::{Args, Catalogue, SizeSteps};

/// Units of durations. The last three are written with the next smaller unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds,
    Minutes,
    Hours,
    Days,
}

impl Step {
    /// The unit for a duration of this many seconds. A duration that would be rounded up to the next unit has
    /// that unit.
    fn of(seconds: f64) -> Self {
        let steps =
            [Self::Nanoseconds, Self::Microseconds, Self::Milliseconds, Self::Seconds, Self::Minutes, Self::Hours];
        TIMES.iter().zip(steps).find(|(below, _)| seconds < **below).map_or(Self::Days, |(_, step)| step)
    }

    /// Units per second; for units written in pairs, seconds per second.
    const fn per_second(self) -> f64 {
        match self {
            Self::Nanoseconds => 1e9,
            Self::Microseconds => 1e6,
            Self::Milliseconds => 1e3,
            Self::Seconds | Self::Minutes | Self::Hours | Self::Days => 1.0,
        }
    }
}

/// Writes quantities with the units in a catalogue's language.
#[derive(Clone, Copy)]
pub struct Units<'a> {
    catalogue: &'a Catalogue,
}

impl<'a> Units<'a> {
    /// Units in the language of `catalogue`.
    pub const fn new(catalogue: &'a Catalogue) -> Self {
        Self { catalogue }
    }

    fn unit(self, id: &str, number: String) -> String {
        self.catalogue.text(id, &Args::new().text("n", number))
    }

    /// Formats a size: `512 B`, `16.4 kB`, `22.0 MB`; with binary prefixes `512 B`, `16.0 KiB`, `21.0 MiB`.
    pub fn bytes(self, bytes: u64) -> String {
        let (step, names) = match self.catalogue.sizes() {
            SizeSteps::Decimal => (1000, SIZES),
            SizeSteps::Binary => (1024, ["", "KiB", "MiB", "GiB", "TiB", "PiB"]),
        };
        if bytes < step {
            return self.unit("unit-bytes", bytes.to_string());
        }
        scaled(bytes as f64, step as f64, &names, three_digits)
    }

    /// Formats a rate: `7.03 Mbit/s`.
    pub fn bits_per_second(self, rate: f64) -> String {
        if !rate.is_finite() {
            return self.catalogue.word("unknown");
        }
        scaled(rate, 1000.0, &BIT_RATES, three_digits)
    }

    /// Formats a rate as [`Units::bits_per_second`], with two significant digits: `7.0 Mbit/s`, `140 Mbit/s`.
    pub(crate) fn rough_bits_per_second(self, rate: f64) -> String {
        let magnitude = 10_f64.powf(rate.abs().log10().floor() - 1.0);
        if !(magnitude.is_finite() && magnitude > 0.0) {
            return self.bits_per_second(rate);
        }
        scaled((rate / magnitude).round() * magnitude, 1000.0, &BIT_RATES, two_digits)
    }

    /// Formats a duration as [`Units::seconds`], with two significant digits: `2.0 s`, `1.8 s`.
    pub fn rough_seconds(self, seconds: f64) -> String {
        self.duration(seconds, two_digits)
    }

    /// Formats a factor with two digits: `1.4`, `12`, `350`.
    pub fn times(self, times: f64) -> String {
        let exponent = times.abs().log10().floor() as i32;
        let step = 10_f64.powi((exponent - 1).max(0));
        if exponent < 1 { two_digits(times) } else { two_digits((times / step).round() * step) }
    }

    /// Formats a duration: `850 µs`, `20.1 ms`, `24.0 s`, `3 min 20 s`, `29 h 5 min`. The unit depends only
    /// on the value, so a value has the same unit and digits in sentences and columns.
    pub fn seconds(self, seconds: f64) -> String {
        self.duration(seconds, three_digits)
    }

    /// Formats a part of a duration: `41.2 of 60.0 s`, `850 ms of 60.0 s`. A common unit is written once.
    pub fn part_of(self, part: f64, all: f64) -> String {
        let step = Step::of(part.abs());
        let is_same = part > 0.0 && !matches!(step, Step::Minutes | Step::Hours | Step::Days) && step == Step::of(all);
        let part = if is_same { three_digits(part * step.per_second()) } else { self.seconds(part) };
        let args = Args::new().text("part", part).text("all", self.seconds(all));
        self.catalogue.text("unit-part-of", &args)
    }

    fn duration(self, seconds: f64, digits: fn(f64) -> String) -> String {
        if !seconds.is_finite() {
            return self.catalogue.word("unknown");
        }
        if seconds == 0.0 {
            return self.unit("unit-seconds", "0".into());
        }
        let text = self.in_step(seconds.abs(), Step::of(seconds.abs()), digits);
        if seconds < 0.0 { format!("-{text}") } else { text }
    }

    fn in_step(self, seconds: f64, step: Step, digits: fn(f64) -> String) -> String {
        let one = |id| self.unit(id, digits(seconds * step.per_second()));
        match step {
            Step::Nanoseconds => one("unit-nanoseconds"),
            Step::Microseconds => one("unit-microseconds"),
            Step::Milliseconds => one("unit-milliseconds"),
            Step::Seconds => one("unit-seconds"),
            Step::Minutes => {
                let whole = seconds.round() as u64;
                self.two("unit-minutes-seconds", whole / 60, whole % 60)
            }
            Step::Hours => {
                let minutes = (seconds / 60.0).round() as u64;
                self.two("unit-hours-minutes", minutes / 60, minutes % 60)
            }
            Step::Days => {
                let hours = (seconds / 3600.0).round() as u64;
                self.two("unit-days-hours", hours / 24, hours % 24)
            }
        }
    }

    fn two(self, id: &str, large: u64, small: u64) -> String {
        self.catalogue.text(id, &Args::new().text("large", large.to_string()).text("small", small.to_string()))
    }

    /// Formats a duration in nanoseconds.
    pub fn nanos(self, nanos: i64) -> String {
        self.seconds(nanos as f64 / 1e9)
    }

    /// Formats a share between 0 and 1: `96%`, `0.4%`, `<0.1%`.
    pub fn share(self, share: f64) -> String {
        self.percent(share * 100.0)
    }

    /// Formats a percentage: `96%`, `0.4%`, `<0.1%`. A part is never rounded up to 100%.
    pub fn percent(self, percent: f64) -> String {
        if !percent.is_finite() {
            return self.catalogue.word("unknown");
        }
        match percent {
            p if p <= 0.0 => format!("{p:.0}%").replace("-0", "0"),
            p if p < PERCENT[0] => "<0.1%".into(),
            p if p < PERCENT[1] => fixed(p, 1) + "%",
            p if p > PERCENT[2] && p < PERCENT[3] => fixed(p, 1) + "%",
            p if p > PERCENT[2] && p < 100.0 => ">99.9%".into(),
            p => fixed(p, 0) + "%",
        }
    }

    /// Formats a whole number in groups of three digits.
    pub fn count(self, count: u64) -> String {
        self.catalogue.text("unit-count", &Args::new().number("n", count))
    }

    /// Formats a plain number with three significant digits.
    pub fn real(self, value: f64) -> String {
        if value.is_finite() { three_digits(value) } else { self.catalogue.word("unknown") }
    }
}

fn scaled(value: f64, step: f64, names: &[&str], digits: fn(f64) -> String) -> String {
    let mut value = value;
    let mut steps = 0;
    // A value that would be rounded up to the next unit has that unit.
    while value.abs() >= step - LACKING && steps + 1 < names.len() {
        value /= step;
        steps += 1;
    }
    let number = if steps == 0 && value.fract() == 0.0 { fixed(value, 0) } else { digits(value) };
    number + " " + names[steps]
}

/// Three significant digits without an exponent: `0.1`, `7.03`, `16.4`, `384`.
fn three_digits(value: f64) -> String {
    match value.abs() {
        v if v >= THREE_DIGITS[0] => fixed(value, 0),
        v if v >= THREE_DIGITS[1] => fixed(value, 1),
        v if v >= THREE_DIGITS[2] => fixed(value, 2),
        0.0 => "0".into(),
        _ => {
            let mut text = fixed(value, 3);
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
            if text.is_empty() || text == "-" { "0".into() } else { text }
        }
    }
}

/// Two significant digits: `1.8`, `24`. From 100 on whole numbers, although their last digits are not
/// significant.
fn two_digits(value: f64) -> String {
    match value.abs() {
        v if v >= TWO_DIGITS[0] => fixed(value, 0),
        v if v >= TWO_DIGITS[1] => fixed(value, 1),
        _ => three_digits(value),
    }
}

/// Gives the same text as `format!("{value:.decimals$}")`, which takes several times as long because it
/// computes exact digits. `decimals` is at most three.
fn fixed(value: f64, decimals: usize) -> String {
    /// Below this value, a product is exact to a hundredth of [`NEAR`].
    const LARGE: f64 = 1e9;
    /// Within this distance of the middle between two numbers, the exact method decides.
    const NEAR: f64 = 1e-5;
    /// Length of the text: digits of numbers below [`LARGE`], the point, and room for a suffix.
    const USUAL: usize = 24;
    let scaled = value * [1.0, 10.0, 100.0, 1000.0][decimals];
    let fraction = scaled.fract();
    // Also covers negative numbers and NaN.
    if !(scaled.is_sign_positive() && scaled < LARGE) || (fraction - 0.5).abs() < NEAR {
        return format!("{value:.decimals$}");
    }
    let mut rest = scaled as u32 + u32::from(fraction > 0.5);
    let mut text = [b'0'; 16];
    let mut at = text.len();
    for digit in 0.. {
        // At least one digit precedes the point.
        if rest == 0 && digit > decimals {
            break;
        }
        if decimals > 0 && digit == decimals {
            at -= 1;
            text[at] = b'.';
        }
        at -= 1;
        // The remainder is less than ten, so it fits a `u8`.
        text[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let mut out = String::with_capacity(USUAL);
    out.extend(text[at..].iter().map(|&digit| char::from(digit)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn times_have_two_digits() {
        let catalogue = Catalogue::new(Language::English);
        let units = crate::Wording::new(&catalogue).units();
        for (times, expected) in
            [(1.44, "1.4"), (9.94, "9.9"), (12.4, "12"), (169.3, "170"), (1_749.0, "1700"), (0.3, "0.3")]
        {
            assert_eq!(units.times(times), expected, "{times}");
        }
    }

    #[test]
    fn reads_like_people_write() {
        let catalogue = Catalogue::new(Language::English);
        let u = Units::new(&catalogue);
        assert_eq!(u.bytes(0), "0 B");
        assert_eq!(u.bytes(999), "999 B");
        assert_eq!(u.bytes(1448), "1.45 kB");
        assert_eq!(u.bytes(16_384), "16.4 kB");
        assert_eq!(u.bytes(999_600), "1.00 MB");
        assert_eq!(u.bytes(22_000_000), "22.0 MB");
        assert_eq!(u.bits_per_second(7_034_000.0), "7.03 Mbit/s");
        assert_eq!(u.bits_per_second(0.0), "0 bit/s");
        assert_eq!(u.seconds(0.0), "0 s");
        assert_eq!(u.seconds(0.000_85), "850 µs");
        assert_eq!(u.seconds(0.020_1), "20.1 ms");
        assert_eq!(u.seconds(0.999_6), "1.00 s");
        assert_eq!(u.seconds(24.02), "24.0 s");
        assert_eq!(u.rough_seconds(2.004), "2.0 s");
        assert_eq!(u.rough_seconds(24.02), "24 s");
        assert_eq!(u.rough_bits_per_second(143_500_000.0), "140 Mbit/s");
        assert_eq!(u.rough_bits_per_second(77_400_000.0), "77 Mbit/s");
        assert_eq!(u.rough_bits_per_second(1_330_000_000.0), "1.3 Gbit/s");
        assert_eq!(u.rough_bits_per_second(0.0), "0 bit/s");
        assert_eq!(u.seconds(200.0), "3 min 20 s");
        assert_eq!(u.seconds(104_700.0), "29 h 5 min");
        assert_eq!(u.share(0.96), "96%");
        assert_eq!(u.share(0.004), "0.4%");
        assert_eq!(u.share(0.000_4), "<0.1%");
        assert_eq!(u.share(0.999_9), ">99.9%");
        assert_eq!(u.share(1.0), "100%");
        assert_eq!(u.share(0.0), "0%");
        assert_eq!(u.seconds(f64::NAN), "unknown");
    }

    /// A value that would be rounded up to the next unit has that unit: each unit is tested at its boundary
    /// and just below.
    #[test]
    fn units_end_where_rounding_would_reach_the_next() {
        let catalogue = Catalogue::new(Language::English);
        let u = Units::new(&catalogue);
        for (seconds, text) in [
            (999.4e-9, "999 ns"),
            (999.6e-9, "1.00 µs"),
            (999.4e-6, "999 µs"),
            (999.6e-6, "1.00 ms"),
            (0.999_49, "999 ms"),
            (0.999_6, "1.00 s"),
            (9.994, "9.99 s"),
            (9.996, "10.0 s"),
            (99.94, "99.9 s"),
            (99.95, "100 s"),
            (119.94, "120 s"),
            (119.95, "2 min 0 s"),
            (120.4, "2 min 0 s"),
            (120.5, "2 min 1 s"),
            (7_199.4, "119 min 59 s"),
            (7_199.5, "2 h 0 min"),
            (7_229.9, "2 h 0 min"),
            (7_230.0, "2 h 1 min"),
            (172_799.0, "48 h 0 min"),
            (172_800.0, "2 d 0 h"),
            (174_600.0, "2 d 1 h"),
            (-119.95, "-2 min 0 s"),
        ] {
            assert_eq!(u.seconds(seconds), text, "{seconds} s");
        }
        for (seconds, text) in
            [(0.994, "994 ms"), (9.94, "9.9 s"), (9.96, "10 s"), (99.4, "99 s"), (119.95, "2 min 0 s")]
        {
            assert_eq!(u.rough_seconds(seconds), text, "{seconds} s, roughly");
        }
        for (bytes, text) in [
            (999, "999 B"),
            (1_000, "1.00 kB"),
            (9_994, "9.99 kB"),
            (9_996, "10.0 kB"),
            (99_940, "99.9 kB"),
            (99_950, "100 kB"),
            (999_499, "999 kB"),
            (999_500, "1.00 MB"),
            (999_500_000, "1.00 GB"),
            (999_500_000_000, "1.00 TB"),
            (999_500_000_000_000, "1.00 PB"),
        ] {
            assert_eq!(u.bytes(bytes), text, "{bytes} B");
        }
        for (rate, text) in [
            (999.0, "999 bit/s"),
            (999.5, "1.00 kbit/s"),
            (999.4e3, "999 kbit/s"),
            (999.5e3, "1.00 Mbit/s"),
            (999.5e6, "1.00 Gbit/s"),
            (999.5e9, "1.00 Tbit/s"),
        ] {
            assert_eq!(u.bits_per_second(rate), text, "{rate} bit/s");
        }
        for (rate, text) in
            [(9.94e6, "9.9 Mbit/s"), (9.96e6, "10 Mbit/s"), (994e6, "990 Mbit/s"), (996e6, "1.0 Gbit/s")]
        {
            assert_eq!(u.rough_bits_per_second(rate), text, "{rate} bit/s, roughly");
        }
        for (percent, text) in [
            (0.0, "0%"),
            (0.094, "<0.1%"),
            (0.096, "0.1%"),
            (9.94, "9.9%"),
            (9.95, "10%"),
            (98.9, "99%"),
            (99.0, "99%"),
            (99.1, "99.1%"),
            (99.94, "99.9%"),
            (99.95, ">99.9%"),
            (100.0, "100%"),
        ] {
            assert_eq!(u.percent(percent), text, "{percent} per cent");
        }
        for (value, text) in [(0.000_4, "0"), (0.000_6, "0.001"), (0.999_4, "0.999"), (0.999_6, "1.00")] {
            assert_eq!(u.real(value), text, "{value}");
        }
    }

    #[test]
    fn numbers_are_written_as_the_standard_library_writes_them() {
        let mut some =
            vec![0.0, -0.0, 0.5, 1.5, 2.5, 0.05, 0.25, 0.35, 1e9, 1e300, -1.25, f64::NAN, f64::INFINITY, 5e-324];
        // Values in the middle between two rounded numbers, and their floating-point neighbours.
        for n in 0..3_000_u32 {
            let middle = (f64::from(n) + 0.5) / 1000.0;
            some.extend([middle, middle.next_down(), middle.next_up(), middle * 100.0, f64::from(n) / 100.0]);
        }
        // Arbitrary values from a linear congruential generator (Knuth's MMIX).
        let mut state = 1_u64;
        for _ in 0..30_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            some.push((state >> 11) as f64 / 2_f64.powi((state % 64) as i32));
        }
        for value in some {
            for decimals in 0..4 {
                assert_eq!(fixed(value, decimals), format!("{value:.decimals$}"), "{value:e}");
            }
        }
    }

    #[test]
    fn sizes_in_binary_steps_when_asked_for() {
        let catalogue = Catalogue::new(Language::English).with_sizes(SizeSteps::Binary);
        let u = Units::new(&catalogue);
        assert_eq!(u.bytes(1023), "1023 B");
        assert_eq!(u.bytes(1024), "1.00 KiB");
        assert_eq!(u.bytes(16_384), "16.0 KiB");
        assert_eq!(u.bytes(1_048_000), "1023 KiB");
        assert_eq!(u.bytes(6 << 20), "6.00 MiB");
        assert_eq!(u.bits_per_second(7_034_000.0), "7.03 Mbit/s");
    }

    #[test]
    fn chinese_units() {
        let catalogue = Catalogue::new(Language::SimplifiedChinese);
        let u = Units::new(&catalogue);
        assert_eq!(u.seconds(24.02), "24.0 秒");
        assert_eq!(u.seconds(0.0201), "20.1 ms");
        assert_eq!(u.bytes(999), "999 字节");
    }
}
