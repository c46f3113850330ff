//! The same curves as a picture: rate by round-trip time, and by the size asked for.

use tcpwhy_kernel::Point;

use super::{BufferSide, BufferWords, Buffers};
use crate::markup::{Element, MARK};
use crate::{Args, Wording};

/// Size of one chart, and the room around its axes.
const WIDTH: f64 = 540.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 92.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 52.0;

const STYLE: &str = "svg{background:#fff}text{font:12px system-ui,sans-serif;fill:#222}.title{font-weight:600}.grid{stroke:#ddd}\
    .set{fill:none;stroke:#d9730d;stroke-width:2.5}.auto{fill:none;stroke:#2b7a3d;stroke-width:2;stroke-dasharray:6 4}\
    .path{stroke:#2563eb;stroke-width:1.5;stroke-dasharray:2 3}.here{stroke:#888;stroke-dasharray:1 3}\
    @media(prefers-color-scheme:dark){svg{background:#16181d}text{fill:#ddd}.grid{stroke:#333}}";

/// A picture of `buffers`: a row a side, a chart by round-trip time and, where one was given, one by the size asked for.
pub fn svg(wording: Wording<'_>, buffers: &Buffers<'_>) -> String {
    let words = BufferWords { wording, buffers };
    let columns = if buffers.question.round_trip_seconds.is_some() { 2.0 } else { 1.0 };
    let rows = buffers.sides.len().max(1) as f64;
    let (width, height) = (columns * WIDTH, rows * HEIGHT);
    let mut out = String::new();
    let picture = Element::new(&mut out, "svg").with("xmlns", "http://www.w3.org/2000/svg");
    let picture = picture.with("viewBox", format_args!("0 0 {width} {height}")).with("width", width);
    picture.with("height", height).with("role", "img").holding(|out| {
        out.push('\n');
        out.push_str(MARK);
        out.push('\n');
        Element::new(out, "style").text(STYLE);
        out.push('\n');
        for (row, side) in buffers.sides.iter().enumerate() {
            let y = row as f64 * HEIGHT;
            by_round_trip(words, side).write(out, 0.0, y);
            if !side.by_request.is_empty() {
                by_request(words, side).write(out, WIDTH, y);
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
        if !(left < right && low.is_finite()) {
            return;
        }
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
        }
        let mut legend = x0 + LEFT;
        if let Some(bandwidth) = self.bandwidth {
            let at = y(bandwidth);
            path(out, "path", &format!("M{:.1} {at:.1}H{:.1}", x0 + LEFT, x0 + WIDTH - RIGHT));
        }
        for (class, name, points) in &self.curves {
            let d: Vec<_> =
                points.iter().map(|point| format!("{:.1} {:.1}", x(point.at), y(point.rate.bits_per_sec()))).collect();
            path(out, class, &format!("M{}", d.join("L")));
            legend = key(out, class, legend, y0, name);
        }
        if self.bandwidth.is_some() {
            key(out, "path", legend, y0, &self.words.word("buffers-legend-bandwidth"));
        }
    }
}

/// An entry of the legend; gives the place of the next.
fn key(out: &mut String, class: &str, x: f64, y0: f64, name: &str) -> f64 {
    let y = y0 + 34.0;
    path(out, class, &format!("M{x:.1} {:.1}h22", y - 4.0));
    line(out, "", x + 27.0, y, "start", name);
    let width: usize = name.chars().map(|c| if c.is_ascii() { 7 } else { 13 }).sum();
    x + 27.0 + width as f64 + 12.0
}

fn path(out: &mut String, class: &str, d: &str) {
    Element::new(out, "path").with("class", class).with("d", d).end();
    out.push('\n');
}

fn line(out: &mut String, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
    let element = Element::new(out, "text");
    let element = if class.is_empty() { element } else { element.with("class", class) };
    let element = element.with("x", format_args!("{x:.1}")).with("y", format_args!("{y:.1}"));
    element.with("text-anchor", anchor).text(text);
    out.push('\n');
}
