//! Scales, ticks and paths.

use std::fmt::Write as _;

/// A linear scale from values to positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl Scale {
    /// Maps values in `[from, to]` to positions in `[start, end]`.
    pub(super) fn new(from: f64, to: f64, start: f64, end: f64) -> Self {
        let to = if to > from { to } else { from + 1.0 };
        Self { from, to, start, end }
    }

    /// The position of `value`, limited to the scale.
    pub(super) fn at(self, value: f64) -> f64 {
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.start + share * (self.end - self.start)
    }

    /// Whether `value` is on the scale.
    pub(super) fn has(self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// The smallest value.
    pub(super) fn from(self) -> f64 {
        self.from
    }

    /// The largest value.
    pub(super) fn to(self) -> f64 {
        self.to
    }

    /// About `count` round values on the scale, with a distance of 1, 2 or 5 times a power of ten.
    pub(super) fn ticks(self, count: usize) -> Vec<f64> {
        let raw = (self.to - self.from) / count.max(1) as f64;
        let power = 10_f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&s| s >= raw * 0.999).unwrap_or(raw);
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// A position with one decimal.
pub(super) fn num(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Width of the columns that can be distinguished, pixels.
const COLUMN: f64 = 0.5;

/// The path of a step function with a value or a range at each point. It has at most three strokes per
/// column, and keeps all extremes.
pub(super) fn steps(points: impl Iterator<Item = (f64, f64, f64)>, end: f64) -> String {
    let mut path = String::new();
    let mut column: Option<Column> = None;
    for (x, low, high) in points {
        match &mut column {
            Some(c) if x - c.x < COLUMN => {
                c.low = c.low.min(low.min(high));
                c.high = c.high.max(high.max(low));
                c.last = high;
            }
            _ => {
                if let Some(c) = column.take() {
                    c.write(&mut path);
                }
                column = Some(Column { x, first: low, low: low.min(high), high: high.max(low), last: high });
            }
        }
    }
    if let Some(c) = column {
        c.write(&mut path);
        let _ = write!(path, "H{}", num(end));
    }
    path
}

struct Column {
    x: f64,
    first: f64,
    low: f64,
    high: f64,
    last: f64,
}

impl Column {
    fn write(&self, path: &mut String) {
        let x = num(self.x);
        if path.is_empty() {
            let _ = write!(path, "M{x} {}", num(self.first));
        } else {
            let _ = write!(path, "H{x}V{}", num(self.first));
        }
        let mut at = num(self.first);
        for y in [self.low, self.high, self.last].map(num) {
            if y != at {
                let _ = write!(path, "V{y}");
                at = y;
            }
        }
    }
}

/// Vertical bars as one path. Touching bars of a column are joined, and none is shorter than `least`.
pub(super) fn bars(bars: impl Iterator<Item = (f64, f64, f64)>, least: f64) -> String {
    let mut path = String::new();
    let mut last: Option<(String, f64, f64)> = None;
    let flush = |path: &mut String, (x, top, bottom): (String, f64, f64)| {
        let (top, bottom) = if bottom - top < least {
            let middle = f64::midpoint(top, bottom);
            (middle - least / 2.0, middle + least / 2.0)
        } else {
            (top, bottom)
        };
        let _ = write!(path, "M{x} {}V{}", num(bottom), num(top));
    };
    for (x, a, b) in bars {
        let x = num((x / COLUMN).round() * COLUMN);
        let (top, bottom) = (a.min(b), a.max(b));
        match &mut last {
            Some((lx, lt, lb)) if *lx == x && top <= *lb + COLUMN && bottom >= *lt - COLUMN => {
                *lt = lt.min(top);
                *lb = lb.max(bottom);
            }
            _ => {
                if let Some(done) = last.replace((x, top, bottom)) {
                    flush(&mut path, done);
                }
            }
        }
    }
    if let Some(done) = last {
        flush(&mut path, done);
    }
    path
}

/// Approximate width of text at a font size of 12 pixels.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars()
        .map(|c| {
            if c.is_ascii() {
                6.4
            } else if c < '\u{2e80}' {
                7.5
            } else {
                12.2
            }
        })
        .sum()
}

/// Wraps text of font size `size` to lines of at most `width` pixels. Chinese breaks anywhere, other text
/// between words.
pub(super) fn wrapped(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0.0;
    let mut word = String::new();
    let mut flush = |word: &mut String, used: &mut f64| {
        let wide = text_width(word) * size / 12.0;
        if *used + wide > width && *used > 0.0 {
            lines.push(String::new());
            *used = 0.0;
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(if line.is_empty() { word.trim_start() } else { word });
        }
        *used += wide;
        word.clear();
    };
    let mut before = ' ';
    for c in text.chars() {
        let is_wide = c >= '\u{2e80}';
        // A unit stays on the line of its number.
        let may_break_before = (c == ' ' && !before.is_ascii_digit()) || (is_wide && !"，。；：、）”".contains(c));
        if may_break_before && !word.is_empty() {
            flush(&mut word, &mut used);
        }
        word.push(c);
        before = c;
    }
    flush(&mut word, &mut used);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(Scale::new(0.0, 5.09, 0.0, 1.0).ticks(8), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(Scale::new(1.2, 1.4, 0.0, 1.0).ticks(4).len(), 5);
    }

    #[test]
    fn a_column_keeps_its_extremes() {
        let points = [(0.0, 5.0, 5.0), (10.0, 1.0, 1.0), (10.1, 9.0, 9.0), (10.2, 4.0, 4.0), (20.0, 3.0, 3.0)];
        assert_eq!(steps(points.into_iter(), 30.0), "M0 5H10V1V9V4H20V3H30");
        assert_eq!(steps(std::iter::empty(), 30.0), "");
    }

    #[test]
    fn bars_join_and_stay_visible() {
        assert_eq!(bars([(1.0, 5.0, 4.0), (1.1, 4.0, 3.0), (1.1, 1.0, 1.0)].into_iter(), 1.0), "M1 5V3M1 1.5V0.5");
    }

    #[test]
    fn text_wraps_in_both_languages() {
        assert_eq!(wrapped("aaaa bbbb cccc", 70.0, 12.0), ["aaaa bbbb", " cccc"].map(|l| l.trim_start().to_owned()));
        assert_eq!(wrapped("about 193 kB", 70.0, 12.0), ["about", "193 kB"]);
        assert_eq!(wrapped("发送缓冲区，太小", 62.0, 12.0), ["发送缓冲", "区，太小"]);
    }
}
