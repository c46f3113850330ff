//! A chart of sizes, one row each, on one logarithmic axis. It has dots and not bars, because such an axis
//! has no zero at which bars could start.

use tcpwhy_kernel::{Figure, ForeignBuffer, Ground, Sysctl};
use tcpwhy_model::ByteCount;

use super::marks::{BOTTOM, HEIGHT, Key, TOP, WIDTH, legend, line, path};
use crate::Args;
use crate::buffers::{BufferWords, WindowAnswer};
use crate::markup::Element;

/// Width of the names of the rows, and of the number after the last mark, pixels.
const LABELS: f64 = 172.0;
const BEHIND: f64 = 68.0;
/// Width of a number next to its mark, pixels.
const NUMBER: f64 = 60.0;
/// Longest value that fits under the name of its row, characters.
const LONG: usize = 22;
/// Radius of a dot, and half of the height of a tick.
const DOT: f64 = 5.0;
const TICK: f64 = 11.0;
/// Most names on the axis: more would touch each other.
const MOST_TICKS: u32 = 5;

/// A chart with one row per size.
pub(super) struct Levels<'a> {
    words: BufferWords<'a>,
    title: String,
    rows: Vec<Row>,
    legend: Vec<Key>,
}

/// One size, and the largest size that the settings allow.
struct Row {
    label: String,
    value: Option<Figure>,
    /// The value as text.
    text: String,
    allowed: Option<ByteCount>,
}

impl Row {
    /// CSS class that shows whether the settings allow enough; `None` without a setting.
    fn limit_class(&self) -> Option<&'static str> {
        let allowed = self.allowed?;
        Some(if self.value.is_some_and(|value| allowed < value.value) { "short" } else { "allowed" })
    }
}

impl<'a> Levels<'a> {
    /// The chart of the settings that give a window, and of what the current settings allow.
    pub(super) fn of_window(words: BufferWords<'a>, answer: &WindowAnswer) -> Self {
        let settings = answer.settings;
        let sysctls = words.buffers.question.sysctls;
        let is_linux = words.buffers.system.linux().is_some();
        let number = |sysctl| sysctls.number(sysctl).and_then(|value| ByteCount::try_from(value).ok());
        let third = |sysctl| sysctls.triple(sysctl).map(|[.., third]| third);
        let options = [
            ("SO_RCVBUF", settings.rcvbuf, number(Sysctl::RmemMax)),
            ("tcp_rmem[2]", settings.rmem_third, third(Sysctl::TcpRmem)),
            ("SO_SNDBUF", settings.sndbuf, number(Sysctl::WmemMax)),
            ("tcp_wmem[2]", settings.wmem_third, third(Sysctl::TcpWmem)),
        ];
        let exact = |label: String, bytes: ByteCount, allowed: Option<ByteCount>| Row {
            label,
            value: Some(Figure::exact(bytes)),
            text: words.exact(bytes),
            allowed: allowed.filter(|_| is_linux),
        };
        let mut rows = vec![
            exact(words.word("buffers-row-window-given"), settings.window, None),
            exact(words.word("buffers-row-usable"), answer.flight.value, None),
        ];
        rows.extend(options.into_iter().filter_map(|(option, bytes, allowed)| {
            let label = words.wording.catalogue().text("buffers-row-least", &Args::new().text("option", option));
            Some(exact(label, bytes?, allowed))
        }));
        let has = |class| rows.iter().filter_map(Row::limit_class).any(|found| found == class);
        let legend = [
            ("needed", "buffers-legend-needed"),
            ("allowed", "buffers-legend-allowed"),
            ("short", "buffers-legend-short"),
        ];
        let legend: Vec<_> = legend
            .into_iter()
            .filter(|&(class, _)| class == "needed" || has(class))
            .map(|(class, id)| Key { class, name: words.word(id) })
            .collect();
        Self { words, title: words.word("buffers-heading-window"), rows, legend }
    }

    /// The chart of what is known about a buffer of another system.
    pub(super) fn of_foreign(words: BufferWords<'a>, name: String, foreign: &ForeignBuffer) -> Self {
        let known = |id: &str, value: Option<Figure>| Row {
            label: words.word(id),
            text: value.map_or_else(|| words.word("unknown"), |value| words.figure(&value)),
            value,
            allowed: None,
        };
        let mut rows = Vec::new();
        match foreign.request {
            Some(request) => {
                let bytes = ByteCount::try_from(request.bytes).ok();
                let asked = known("buffers-row-asked", bytes.map(Figure::exact));
                rows.push(Row { text: words.asked(request), ..asked });
                rows.push(known("buffers-row-reported", foreign.reported));
            }
            None => rows.push(known("buffers-row-first", foreign.initial_buffer)),
        }
        rows.push(known("buffers-row-autotuned", foreign.largest_buffer));
        Self { words, title: name, rows, legend: Vec::new() }
    }

    pub(super) fn write(&self, out: &mut String, x0: f64, y0: f64) {
        let ends = |figure: &Figure| [Some(figure.low), Some(figure.value), figure.high];
        let sizes = self.rows.iter().flat_map(|row| {
            let value = row.value.as_ref().map_or([None; 3], ends);
            value.into_iter().chain([row.allowed]).flatten()
        });
        // A logarithmic axis has no zero.
        let sizes: Vec<f64> = sizes.map(|bytes| bytes.max(1) as f64).collect();
        let low = sizes.iter().copied().reduce(f64::min).unwrap_or(1.0).log10().floor();
        let high = sizes.iter().copied().fold(1.0, f64::max).log10().ceil().max(low + 1.0);
        let (left, right) = (x0 + LABELS, x0 + WIDTH - BEHIND);
        let x = |bytes: ByteCount| left + ((bytes.max(1) as f64).log10() - low) / (high - low) * (right - left);
        let (top, bottom) = (y0 + TOP, y0 + HEIGHT - BOTTOM);
        line(out, "title", x0 + 16.0, y0 + 18.0, "start", &self.title);
        // If nothing is known, there is no axis.
        if !sizes.is_empty() {
            let (first, last) = (low as u32, high as u32);
            for power in (first..=last).step_by((last - first).div_ceil(MOST_TICKS).max(1) as usize) {
                let bytes = 10_u64.saturating_pow(power);
                path(out, "grid", &format!("M{:.1} {top:.1}V{bottom:.1}", x(bytes)));
                line(out, "", x(bytes), bottom + 16.0, "middle", &self.words.rough(bytes));
            }
            line(out, "", f64::midpoint(left, right), bottom + 36.0, "middle", &self.words.word("buffers-axis-size"));
        }
        let step = (bottom - top) / self.rows.len().max(1) as f64;
        for (index, row) in self.rows.iter().enumerate() {
            let y = top + (index as f64 + 0.5) * step;
            line(out, "", left - 10.0, y - 3.0, "end", &row.label);
            if row.text.chars().count() > LONG {
                line(out, "value", left + 6.0, y + 20.0, "start", &row.text);
            } else {
                line(out, "value", left - 10.0, y + 12.0, "end", &row.text);
            }
            path(out, "grid", &format!("M{left:.1} {y:.1}H{right:.1}"));
            if let Some(value) = &row.value {
                let end = value.high.map_or(right, x);
                if value.ground != Ground::Exact && Some(value.low) != value.high {
                    path(out, "set", &format!("M{:.1} {y:.1}L{end:.1} {y:.1}", x(value.low)));
                }
                Element::new(out, "circle")
                    .with("class", "needed")
                    .with("cx", format_args!("{:.1}", x(value.value)))
                    .with("cy", format_args!("{y:.1}"))
                    .with("r", DOT)
                    .end();
                out.push('\n');
            }
            if let Some((allowed, class)) = row.allowed.zip(row.limit_class()) {
                let at = x(allowed);
                path(out, class, &format!("M{at:.1} {:.1}v{:.1}", y - TICK, 2.0 * TICK));
                // The number goes to the side of its mark on which there is no dot.
                let dot = row.value.map_or(at, |value| x(value.value));
                let is_close = dot > at && dot - at < NUMBER;
                let (anchor, at) = if is_close { ("end", at - 6.0) } else { ("start", at + 6.0) };
                line(out, "value", at, y - 6.0, anchor, &self.words.rough(allowed));
            }
        }
        legend(out, x0 + 16.0, y0, &self.legend);
    }
}
