//! The answer as a picture. Its charts show the rate by round-trip time and by requested size, the settings
//! for a window, and data about other systems.

mod levels;
mod marks;

use tcpwhy_kernel::{Point, rate_by_round_trip};

use self::levels::Levels;
use self::marks::{BOTTOM, HEIGHT, Key, TOP, WIDTH, legend, line, path};
use super::{BufferSide, BufferWords, Buffers, WindowAnswer};
use crate::markup::{Element, MARK};
use crate::{Args, Wording};

/// Margins left and right of the axes, pixels.
const LEFT: f64 = 92.0;
const RIGHT: f64 = 28.0;
/// Height of a line of the sentences above the charts, and the margin below them, pixels.
const HEAD_LINE: f64 = 20.0;
const HEAD_FOOT: f64 = 10.0;
/// Approximate widths of a Latin and of a full-width character in bold text of 14 pixels, pixels.
const LATIN: f64 = 7.8;
const WIDE: f64 = 14.0;
/// Start of the axis of rates if no buffer lets anything through, bits per second.
const LOWEST: f64 = 1e3;

const STYLE: &str = "svg{background:#fff}text{font:12px system-ui,sans-serif;fill:#222}.title{font-weight:600}.grid{stroke:#ddd}\
    .set{fill:none;stroke:#d9730d;stroke-width:2.5}.auto{fill:none;stroke:#2b7a3d;stroke-width:2;stroke-dasharray:6 4}\
    .path{stroke:#2563eb;stroke-width:1.5;stroke-dasharray:2 3}.here{stroke:#888;stroke-dasharray:1 3}\
    .head{font-size:14px;font-weight:600}.value{fill:#666}.needed{fill:#d9730d;stroke:#d9730d;stroke-width:5}\
    .allowed{stroke:#2b7a3d;stroke-width:3}.short{stroke:#c0262d;stroke-width:3}\
    @media(prefers-color-scheme:dark){svg{background:#16181d}text{fill:#ddd}.value{fill:#aaa}.grid{stroke:#333}}";

/// One chart of the picture.
enum Panel<'a> {
    Curves(Chart<'a>),
    Levels(Levels<'a>),
}

impl Panel<'_> {
    fn write(&self, out: &mut String, x0: f64, y0: f64) {
        match self {
            Self::Curves(chart) => chart.write(out, x0, y0),
            Self::Levels(levels) => levels.write(out, x0, y0),
        }
    }
}

/// The charts of `buffers`, row by row. A window has a chart of its settings and one of its rate. A side of a
/// connection has a chart of its rate and, if a round-trip time was given, of the rate by requested size.
fn panels(words: BufferWords<'_>) -> Vec<Vec<Panel<'_>>> {
    let buffers = words.buffers;
    let mut rows = Vec::new();
    if let Some(answer) = &buffers.window {
        let rate = Panel::Curves(of_window(words, answer));
        rows.push(vec![Panel::Levels(Levels::of_window(words, answer)), rate]);
    }
    for (kind, foreign) in &buffers.foreign {
        let option = BufferWords::option(*kind, foreign.request);
        let args = Args::new().text("name", words.name(*kind)).text("option", option);
        let name = words.wording.catalogue().text("buffers-heading-what", &args);
        rows.push(vec![Panel::Levels(Levels::of_foreign(words, name, foreign))]);
    }
    for side in &buffers.sides {
        let mut row = vec![Panel::Curves(by_round_trip(words, side))];
        if !side.by_request.is_empty() {
            row.push(Panel::Curves(by_request(words, side)));
        }
        rows.push(row);
    }
    rows
}

/// The first sentences of the answer: how large the buffer or window is, and which rate it allows.
fn head(words: BufferWords<'_>) -> Vec<String> {
    let all = if let Some(answer) = &words.buffers.window {
        vec![words.window(answer), words.window_rate(answer)]
    } else {
        words.buffers.narrowest().map_or_else(Vec::new, |side| vec![words.grant(side), words.rate(side)])
    };
    all.into_iter().filter(|said| !said.is_empty()).collect()
}

/// `text` in lines of at most `room` pixels, broken at spaces or between wide characters.
fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0.0;
    for word in text.split_inclusive(|c: char| c == ' ' || c >= '\u{2e80}') {
        let width: f64 = word.chars().map(|c| if c >= '\u{2e80}' { WIDE } else { LATIN }).sum();
        if used > 0.0 && used + width > room {
            lines.push(String::new());
            used = 0.0;
        }
        used += width;
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Draws `buffers` as an SVG picture.
pub fn svg(wording: Wording<'_>, buffers: &Buffers<'_>) -> String {
    let words = BufferWords { wording, buffers };
    let rows = panels(words);
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default().max(1) as f64;
    let head: Vec<String> = head(words).iter().flat_map(|said| wrapped(said, columns * WIDTH - RIGHT)).collect();
    let top = if head.is_empty() { 0.0 } else { head.len() as f64 * HEAD_LINE + HEAD_FOOT };
    let (width, height) = (columns * WIDTH, top + rows.len().max(1) as f64 * HEIGHT);
    let mut out = String::new();
    let picture = Element::new(&mut out, "svg").with("xmlns", "http://www.w3.org/2000/svg");
    let picture = picture.with("viewBox", format_args!("0 0 {width} {height}")).with("width", width);
    picture.with("height", height).with("role", "img").holding(|out| {
        out.push('\n');
        out.push_str(MARK);
        out.push('\n');
        Element::new(out, "style").text(STYLE);
        out.push('\n');
        for (index, said) in head.iter().enumerate() {
            line(out, "head", 16.0, (index + 1) as f64 * HEAD_LINE, "start", said);
        }
        for (row, panels) in rows.iter().enumerate() {
            for (column, panel) in panels.iter().enumerate() {
                panel.write(out, column as f64 * WIDTH, top + row as f64 * HEIGHT);
            }
        }
    });
    out.push('\n');
    out
}

/// One chart; both axes are logarithmic.
struct Chart<'a> {
    words: BufferWords<'a>,
    title: String,
    axis: String,
    tick: fn(BufferWords<'_>, f64) -> String,
    curves: Vec<(&'static str, String, Vec<Point>)>,
    bandwidth: Option<f64>,
    here: Option<f64>,
}

fn by_round_trip<'a>(words: BufferWords<'a>, side: &BufferSide) -> Chart<'a> {
    let catalogue = words.wording.catalogue();
    let set = if side.granted.is_some() { "buffers-legend-set" } else { "buffers-legend-auto" };
    let mut curves = vec![("set", words.word(set), side.by_round_trip.0.clone())];
    curves.extend(side.by_round_trip.1.clone().map(|points| ("auto", words.word("buffers-legend-auto"), points)));
    Chart {
        words,
        title: catalogue.text("buffers-heading-by-rtt", &Args::new().text("name", words.name(side.kind))),
        axis: words.word("buffers-axis-rtt"),
        tick: |words, seconds| words.wording.units().seconds(seconds),
        curves,
        bandwidth: words.buffers.question.bandwidth.map(tcpwhy_model::Rate::bits_per_sec),
        here: words.buffers.question.round_trip_seconds,
    }
}

/// The chart of the rate that a window allows. Both buffers have that size, so it does not matter which side
/// sets it.
fn of_window<'a>(words: BufferWords<'a>, answer: &WindowAnswer) -> Chart<'a> {
    let question = &words.buffers.question;
    let name = words.word("buffers-name-window");
    Chart {
        words,
        title: words.wording.catalogue().text("buffers-heading-by-rtt", &Args::new().text("name", name.as_str())),
        axis: words.word("buffers-axis-rtt"),
        tick: |words, seconds| words.wording.units().seconds(seconds),
        curves: vec![("set", name, rate_by_round_trip(answer.flight.value, question.bandwidth))],
        bandwidth: question.bandwidth.map(tcpwhy_model::Rate::bits_per_sec),
        here: question.round_trip_seconds,
    }
}

fn by_request<'a>(words: BufferWords<'a>, side: &BufferSide) -> Chart<'a> {
    let catalogue = words.wording.catalogue();
    let option = BufferWords::option(side.kind, None);
    let rtt = words.buffers.question.round_trip_seconds.unwrap_or_default();
    let args = Args::new().text("option", option).text("rtt", words.wording.units().seconds(rtt));
    let mut curves = vec![("set", words.word("buffers-legend-set"), side.by_request.clone())];
    let autotuned = side.autotuned.map_or(side.flight, |(_, flight)| flight);
    if let Some(rate) =
        words.buffers.path().map(|path| path.rate(autotuned.value)).or_else(|| words.buffers.rate(autotuned.value))
    {
        let points = side.by_request.iter().map(|point| Point { rate, ..*point }).collect();
        curves.push(("auto", words.word("buffers-legend-auto"), points));
    }
    Chart {
        words,
        title: catalogue.text("buffers-heading-by-request", &args),
        axis: catalogue.text("buffers-axis-request", &args),
        tick: |_, bytes| BufferWords::binary(bytes),
        curves,
        bandwidth: words.buffers.question.bandwidth.map(tcpwhy_model::Rate::bits_per_sec),
        here: side.granted.map(|granted| f64::from(granted.request.bytes)).filter(|bytes| *bytes > 0.0),
    }
}

impl Chart<'_> {
    fn write(&self, out: &mut String, x0: f64, y0: f64) {
        let points = || self.curves.iter().flat_map(|(_, _, points)| points);
        let rates = || points().map(|point| point.rate.bits_per_sec()).chain(self.bandwidth).filter(|rate| *rate > 0.0);
        let span = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)))
        };
        let (left, right) = span(&mut points().map(|point| point.at));
        let (low, high) = span(&mut rates());
        let (low, high) = if low.is_finite() { (low, high) } else { (LOWEST, LOWEST) };
        let (low, high) = (10_f64.powf(low.log10().floor()), 10_f64.powf(high.log10().ceil()).max(low * 20.0));
        let x = |at: f64| x0 + LEFT + (at / left).log10() / (right / left).log10() * (WIDTH - LEFT - RIGHT);
        let y = |rate: f64| {
            y0 + HEIGHT - BOTTOM - (rate.max(low) / low).log10() / (high / low).log10() * (HEIGHT - TOP - BOTTOM)
        };
        let (bottom, top) = (y0 + HEIGHT - BOTTOM, y0 + TOP);
        line(out, "title", x0 + LEFT, y0 + 18.0, "start", &self.title);
        let mut rate = low;
        while rate <= high * 1.001 {
            let at = y(rate);
            path(out, "grid", &format!("M{:.1} {at:.1}H{:.1}", x0 + LEFT, x0 + WIDTH - RIGHT));
            line(out, "", x0 + LEFT - 8.0, at + 4.0, "end", &self.words.wording.units().bits_per_second(rate));
            rate *= 10.0;
        }
        let first = self.curves.first().map_or(&[][..], |(_, _, points)| points);
        let every = first.len().div_ceil(6).max(1);
        for point in first.iter().step_by(every) {
            let at = x(point.at);
            path(out, "grid", &format!("M{at:.1} {top:.1}V{bottom:.1}"));
            line(out, "", at, bottom + 16.0, "middle", &(self.tick)(self.words, point.at));
        }
        line(out, "", x0 + (LEFT + WIDTH - RIGHT) / 2.0, bottom + 36.0, "middle", &self.axis);
        if let Some(here) = self.here.filter(|here| (left..=right).contains(here)) {
            path(out, "here", &format!("M{:.1} {top:.1}V{bottom:.1}", x(here)));
            let named = (self.tick)(self.words, here);
            line(out, "value", x(here) + 4.0, bottom - 6.0, "start", &named);
        }
        if let Some(bandwidth) = self.bandwidth {
            let at = y(bandwidth);
            path(out, "path", &format!("M{:.1} {at:.1}H{:.1}", x0 + LEFT, x0 + WIDTH - RIGHT));
        }
        for (class, _, points) in &self.curves {
            let d: Vec<_> =
                points.iter().map(|point| format!("{:.1} {:.1}", x(point.at), y(point.rate.bits_per_sec()))).collect();
            path(out, class, &format!("M{}", d.join("L")));
        }
        let mut keys: Vec<Key> = self.curves.iter().map(|(class, name, _)| Key { class, name: name.clone() }).collect();
        let bandwidth = self.bandwidth.map(|_| self.words.word("buffers-legend-bandwidth"));
        keys.extend(bandwidth.map(|name| Key { class: "path", name }));
        legend(out, x0 + LEFT, y0, &keys);
    }
}
