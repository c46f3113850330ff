//! The charts between the limits and the axis.

use std::fmt::Write as _;

use tcpwhy_model::Limit;
use tcpwhy_report::Args;

use super::picture::{LEFT, RIGHT, Subject, WIDTH};
use super::plot::{Scale, bars, num, steps, text_width};
use super::theme;
use crate::chart::{Extent, LineKind, MarkKind, MarkRow, StateRow, UNKNOWN, lines};
use crate::page::escaped;

/// A chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panel {
    /// A line of ticks for each kind of exceptional event, so that none hides behind another.
    Lanes,
    /// Bytes over time.
    Sequence,
    /// Window and flight.
    Window,
    /// Round trips.
    RoundTrips,
    /// Rates.
    Throughput,
}

/// Where a panel stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) time: Scale,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

const LANE: f64 = 15.0;
/// Between the heading of a panel and what is drawn.
const HEAD: f64 = 22.0;

/// What lanes show: words, colour, and the kinds that count.
const LANES: [(&str, &str, &[MarkKind]); 7] = [
    (
        "series-resent",
        "resent",
        &[
            MarkKind::RetransmissionFast,
            MarkKind::RetransmissionRto,
            MarkKind::RetransmissionTlp,
            MarkKind::RetransmissionOther,
        ],
    ),
    ("mark-out-of-order", "late", &[MarkKind::OutOfOrder]),
    ("mark-sack", "sack", &[MarkKind::Sack]),
    ("mark-dsack", "sack", &[MarkKind::Dsack]),
    ("mark-zero-window", "edge", &[MarkKind::ZeroWindow]),
    ("mark-probe", "probe", &[MarkKind::Probe]),
    ("mark-keep-alive", "probe", &[MarkKind::KeepAlive]),
];

/// Pixels that a panel needs; 0 if it has nothing to show.
pub(super) fn height(subject: &Subject<'_>, panel: Panel, time: Scale) -> f64 {
    match panel {
        Panel::Lanes => lanes(subject, time).count() as f64 * LANE,
        Panel::Sequence => 340.0,
        Panel::Window => 230.0,
        Panel::RoundTrips if subject.recording.round_trips.rows.is_empty() => 0.0,
        Panel::RoundTrips | Panel::Throughput => 150.0,
    }
}

/// Draws a panel.
pub(super) fn draw(out: &mut String, subject: &Subject<'_>, panel: Panel, frame: Frame) {
    match panel {
        Panel::Lanes => draw_lanes(out, subject, frame),
        Panel::Sequence => sequence(out, subject, frame),
        Panel::Window => window(out, subject, frame),
        Panel::RoundTrips => round_trips(out, subject, frame),
        Panel::Throughput => throughput(out, subject, frame),
    }
}

fn marks<'a>(subject: &'a Subject<'_>, kinds: &'a [MarkKind], time: Scale) -> impl Iterator<Item = &'a MarkRow> {
    let tables = subject.recording.marks.iter().filter(move |(kind, _)| kinds.contains(kind));
    tables.flat_map(|(_, table)| &table.rows).filter(move |m| time.has(m.time as f64) || time.has(m.end as f64))
}

fn lanes<'a>(
    subject: &'a Subject<'_>,
    time: Scale,
) -> impl Iterator<Item = (&'static str, &'static str, &'static [MarkKind])> + 'a {
    LANES.into_iter().filter(move |(_, _, kinds)| marks(subject, kinds, time).next().is_some())
}

fn draw_lanes(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    for (i, (word, class, kinds)) in lanes(subject, frame.time).enumerate() {
        let top = frame.top + i as f64 * LANE;
        let count: u64 = marks(subject, kinds, frame.time).map(|m| m.count).sum();
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" class=\"e s f-ink\">{}</text>",
            num(LEFT - 8.0),
            num(top + 11.0),
            escaped(&fitted(&subject.wording.catalogue().word(word), LEFT - 10.0))
        );
        // Merged marks are as wide as the time that they stand for.
        let mut path = String::new();
        for m in marks(subject, kinds, frame.time) {
            let x = frame.time.at(m.time as f64);
            let end = frame.time.at(m.end as f64).max(x);
            let _ = if end - x < 1.0 {
                write!(path, "M{} {}v10", num(x), num(top + 2.0))
            } else {
                write!(path, "M{} {}v10M{} {}H{}", num(x), num(top + 2.0), num(x), num(top + 7.0), num(end))
            };
        }
        let _ =
            writeln!(out, "<path d=\"{path}\" class=\"{class}\" stroke-width=\"1.5\"><title>{count}</title></path>");
    }
}

/// Text cut to a width, at 11 pixels.
fn fitted(text: &str, width: f64) -> String {
    if text_width(text) * 11.0 / 12.0 <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if text_width(&short) * 11.0 / 12.0 > width - 18.0 {
            break;
        }
        short.push(c);
    }
    short + "…"
}

/// Title, keys, grid and the names of the values of a panel; its scale of values.
fn stage(
    out: &mut String,
    subject: &Subject<'_>,
    frame: Frame,
    title: &str,
    keys: &[(&str, &str)],
    (from, to): (f64, f64),
    name: impl Fn(f64) -> String,
) -> Scale {
    let top = frame.top + HEAD;
    let values = Scale::new(from, to, frame.bottom, top);
    let _ = writeln!(
        out,
        "<text x=\"16\" y=\"{}\" class=\"h f-ink\">{}</text>",
        num(frame.top + 13.0),
        subject.word(title)
    );
    let mut x = LEFT + text_width(&subject.wording.catalogue().word(title)).max(60.0) + 8.0;
    for (class, word) in keys {
        let text = subject.wording.catalogue().word(word);
        let y = frame.top + 9.0;
        let look = KEYS.iter().find(|k| k.0 == *class).map_or("", |k| k.1);
        let _ = writeln!(
            out,
            "<path d=\"M{} {}h18\" class=\"{class}\" {look}/><text x=\"{}\" y=\"{}\" class=\"s f-soft\">{}</text>",
            num(x),
            num(y),
            num(x + 23.0),
            num(y + 4.0),
            escaped(&text)
        );
        x += 23.0 + text_width(&text) * 0.95 + 16.0;
    }
    let mut grid = String::new();
    let mut texts = String::new();
    for tick in values.ticks(((frame.bottom - top) / 36.0) as usize) {
        let y = values.at(tick);
        let _ = write!(grid, "M{LEFT} {}H{}", num(y), num(WIDTH - RIGHT));
        let _ = writeln!(
            texts,
            "<text x=\"{}\" y=\"{}\" class=\"e s f-soft\">{}</text>",
            num(LEFT - 8.0),
            num(y + 4.0),
            escaped(&name(tick))
        );
    }
    for tick in frame.time.ticks(10) {
        let _ = write!(grid, "M{} {}V{}", num(frame.time.at(tick)), num(top), num(frame.bottom));
    }
    let _ = write!(out, "<path d=\"{grid}\" class=\"grid\"/>\n{texts}");
    values
}

/// Strokes of the series.
const KEYS: [(&str, &str); 12] = [
    ("unused", "stroke-width=\"9\" stroke-opacity=\".25\""),
    ("data", "stroke-width=\"1.6\""),
    ("ack", "stroke-width=\"1.5\""),
    ("edge", "stroke-width=\"1.5\" stroke-dasharray=\"5 2\""),
    ("resent", "stroke-width=\"3\""),
    ("late", "stroke-width=\"3\""),
    ("sack", "stroke-width=\"2\""),
    ("flight", "stroke-width=\"1.5\""),
    ("pipe", "stroke-width=\"1.2\" stroke-dasharray=\"2 2\""),
    ("cwnd", "stroke-width=\"1.2\" stroke-dasharray=\"7 3\""),
    ("level", "stroke-width=\"1.2\" stroke-dasharray=\"1 3\" stroke-linecap=\"round\""),
    ("soft", "stroke-width=\"1.2\""),
];

fn stroke(out: &mut String, class: &str, path: &str) {
    if path.is_empty() {
        return;
    }
    let look = KEYS.iter().find(|k| k.0 == class).map_or("", |k| k.1);
    let _ = writeln!(out, "<path d=\"{path}\" class=\"{class}\" {look}/>");
}

/// The states in the stretch, with the one that held when it began.
fn states<'a>(subject: &'a Subject<'_>, time: Scale) -> &'a [StateRow] {
    let rows = &subject.recording.states.rows;
    let from = rows.partition_point(|r| (r.time as f64) < time.from()).saturating_sub(1);
    let to = rows.partition_point(|r| r.time as f64 <= time.to());
    rows.get(from..to.max(from)).unwrap_or_default()
}

fn line(
    out: &mut String,
    frame: Frame,
    values: Scale,
    rows: &[StateRow],
    class: &str,
    of: impl Fn(&StateRow) -> Extent,
) {
    let known = rows.iter().filter_map(|r| {
        let Extent { lo, hi } = of(r);
        (lo != UNKNOWN).then(|| (frame.time.at(r.time as f64), values.at(lo as f64), values.at(hi as f64)))
    });
    stroke(out, class, &steps(known, frame.time.at(frame.time.to())));
}

fn sequence(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let recording = subject.recording;
    let base = recording.base;
    let time = frame.time;
    let rows = states(subject, time);
    let segments: Vec<_> = recording.segments.rows.iter().filter(|s| time.has(s.time as f64)).collect();
    let relative = |v: u64| v.saturating_sub(base);
    let known = |v: u64| (v != UNKNOWN).then(|| relative(v));
    let bytes = segments.iter().flat_map(|s| [relative(s.lo), relative(s.hi)]);
    let acked = rows.iter().flat_map(|r| [known(r.una.lo), known(r.una.hi)]).flatten();
    let (low, high) = bytes.chain(acked).fold((u64::MAX, 0), |(l, h), v| (l.min(v), h.max(v)));
    let low = if low > high { 0 } else { low };
    let edges = rows.iter().flat_map(|r| [known(r.edge.lo), known(r.edge.hi)]).flatten();
    let edge = edges.fold(high, u64::max);
    // The right edge may be so far above that the data would lie flat.
    let is_edge_far = edge - low > 3 * (high - low).max(1);
    let top = if is_edge_far { high } else { edge };
    let pad = (top - low) as f64 * 0.04;
    let mut keys = vec![("data", "series-data"), ("ack", "series-ack"), ("edge", "series-edge")];
    let has = |kinds: &[MarkKind]| marks(subject, kinds, time).next().is_some();
    for (word, class, kinds) in &LANES[..3] {
        if has(kinds) {
            keys.push((class, word));
        }
    }
    let units = subject.wording.units();
    let values =
        stage(out, subject, frame, "chart-sequence", &keys, ((low as f64 - pad).max(0.0), top as f64 + pad), |v| {
            units.bytes(v.max(0.0) as u64)
        });
    let at = |v: u64| values.at(relative(v) as f64);
    if is_edge_far {
        let text = format!("↑ {}", subject.wording.catalogue().word("series-edge"));
        let text = format!("{text}: {}", units.bytes(edge));
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" class=\"e s f-edge\">{}</text>",
            num(WIDTH - RIGHT - 4.0),
            num(frame.top + HEAD + 12.0),
            escaped(&text)
        );
    } else {
        line(out, frame, values, rows, "edge", |r| shifted(r.edge, base));
    }
    line(out, frame, values, rows, "ack", |r| shifted(r.una, base));
    let bar = |m: &MarkRow| (time.at(m.time as f64), at(m.lo), at(m.hi));
    let placed = |m: &&MarkRow| m.lo != UNKNOWN;
    stroke(out, "sack", &bars(marks(subject, &[MarkKind::Sack, MarkKind::Dsack], time).filter(placed).map(bar), 1.0));
    // What had been sent when the stretch began.
    let before = rows.first().filter(|r| r.una.hi != UNKNOWN && r.time as f64 <= time.from());
    let before = before.map(|r| (time.at(time.from()), at(r.una.hi + r.flight.hi), at(r.una.hi + r.flight.hi)));
    let sent = segments.iter().map(|s| (time.at(s.time as f64), at(s.hi), at(s.hi)));
    let sent = steps(before.into_iter().chain(sent), time.at(time.to()));
    let _ = writeln!(out, "<path d=\"{sent}\" class=\"data\" stroke-opacity=\".35\"/>");
    stroke(out, "data", &bars(segments.iter().map(|s| (time.at(s.time as f64), at(s.lo), at(s.hi))), 1.0));
    stroke(out, "late", &bars(marks(subject, LANES[1].2, time).filter(placed).map(bar), 4.0));
    stroke(out, "resent", &bars(marks(subject, LANES[0].2, time).filter(placed).map(bar), 5.0));
    let mut closed = String::new();
    for m in marks(subject, &[MarkKind::ZeroWindow], time).filter(placed) {
        let _ = write!(closed, "M{} {}h8", num(time.at(m.time as f64) - 4.0), num(at(m.lo)));
    }
    stroke(out, "edge", &closed);
    let mut probes = String::new();
    for m in marks(subject, &[MarkKind::Probe], time).filter(placed) {
        let (x, y) = (time.at(m.time as f64), at(m.lo));
        let _ = write!(probes, "M{} {}l4 7h-8z", num(x), num(y + 3.0));
    }
    if !probes.is_empty() {
        let _ =
            writeln!(out, "<path d=\"{probes}\" class=\"probe f-probe\" style=\"fill:none\" stroke-width=\"1.5\"/>");
    }
    flags(out, subject, frame);
}

fn shifted(extent: Extent, base: u64) -> Extent {
    let shift = |v: u64| if v == UNKNOWN { v } else { v.saturating_sub(base) };
    Extent { lo: shift(extent.lo), hi: shift(extent.hi) }
}

/// SYN, FIN and RST by name.
fn flags(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let mut last = f64::MIN;
    for kind in [MarkKind::Syn, MarkKind::Fin, MarkKind::Rst] {
        for m in marks(subject, &[kind], frame.time).take(40) {
            let x = frame.time.at(m.time as f64);
            let _ = writeln!(out, "<path d=\"M{} {}v8\" class=\"soft\"/>", num(x), num(frame.bottom - 8.0));
            if (x - last).abs() < 30.0 {
                continue;
            }
            last = x;
            let is_right = x > WIDTH - RIGHT - 30.0;
            let (class, dx) = if is_right { ("e s f-soft halo", -3.0) } else { ("s f-soft halo", 3.0) };
            let word = kind.id().to_ascii_uppercase();
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" class=\"{class}\">{word}</text>",
                num(x + dx),
                num(frame.bottom - 10.0)
            );
        }
    }
}

fn window(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let rows = states(subject, frame.time);
    let highest =
        |of: fn(&StateRow) -> Extent| rows.iter().map(|r| of(r).hi).filter(|&v| v != UNKNOWN).max().unwrap_or(0);
    let flight = highest(|r| r.flight).max(1);
    let offered = highest(|r| r.window);
    let levels = lines(subject.half, subject.recording);
    // A window many times the flight would make the flight a line on the ground, and so would one short peak.
    let usual = subject.half.flight.map_or(flight, |f| f.p95).clamp(1, flight);
    let is_window_far = offered > 12 * usual;
    let top = if is_window_far { flight.min(usual * 8 / 5) } else { offered.max(flight) };
    let has_sack = marks(subject, &[MarkKind::Sack], frame.time).next().is_some();
    let mut keys = vec![
        ("flight", "series-flight"),
        ("edge", "series-window"),
        ("cwnd", "series-cwnd"),
        ("unused", "series-unused"),
    ];
    if has_sack {
        keys.insert(1, ("pipe", "series-pipe"));
    }
    let units = subject.wording.units();
    let values = stage(out, subject, frame, "chart-window", &keys, (0.0, top as f64 * 1.06), |v| units.bytes(v as u64));
    unused(out, subject, frame, values, rows);
    line(out, frame, values, rows, "cwnd", |r| r.cwnd_floor);
    if has_sack {
        line(out, frame, values, rows, "pipe", |r| r.pipe);
    }
    line(out, frame, values, rows, "edge", |r| r.window);
    line(out, frame, values, rows, "flight", |r| r.flight);
    let mut taken: Vec<f64> = Vec::new();
    for level in levels {
        let (word, class) = match level.kind {
            LineKind::Plateau => ("line-plateau", "level"),
            LineKind::BandwidthDelay => ("line-bdp", "soft"),
            LineKind::WindowMax => ("line-window-max", "edge"),
        };
        let text = subject.wording.catalogue().text(word, &Args::new().text("bytes", units.bytes(level.bytes)));
        let is_above = level.bytes as f64 > values.to();
        let y = values.at(level.bytes as f64);
        let mut at = if is_above { y + 12.0 } else { y - 4.0 };
        while taken.iter().any(|t| (t - at).abs() < 13.0) {
            at += 13.0;
        }
        taken.push(at);
        if !is_above {
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {}H{}\" class=\"{class}\" stroke-dasharray=\"1 3\" stroke-linecap=\"round\"/>",
                num(y),
                num(WIDTH - RIGHT)
            );
        }
        let text = if is_above { format!("↑ {text}") } else { text };
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" class=\"e s halo f-{class}\">{}</text>",
            num(WIDTH - RIGHT - 4.0),
            num(at),
            escaped(&text)
        );
    }
    let above = [("series-window", "edge", offered), ("series-flight", "flight", flight)];
    let above = above.into_iter().filter(|a| a.2 as f64 > values.to());
    for (i, (word, class, bytes)) in above.enumerate() {
        let text = format!("↑ {}: {}", subject.wording.catalogue().word(word), units.bytes(bytes));
        let y = frame.top + HEAD + 12.0 + i as f64 * 14.0;
        let text = escaped(&text);
        let x = num(LEFT + 6.0);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" class=\"s halo f-{class}\">{text}</text>", num(y));
    }
}

/// What was offered and not used, in the colour of what kept it from use.
fn unused(out: &mut String, subject: &Subject<'_>, frame: Frame, values: Scale, rows: &[StateRow]) {
    let start = subject.connection.span.start();
    let intervals = subject.half.limits.intervals();
    let mut paths: Vec<String> = vec![String::new(); Limit::ALL.len()];
    let (mut row, mut interval) = (0, 0);
    let (left, right) = (frame.time.at(frame.time.from()), frame.time.at(frame.time.to()));
    let nanos = (frame.time.to() - frame.time.from()) / (right - left).max(1.0);
    for column in 0..(right - left) as usize {
        let middle = frame.time.from() + nanos * (column as f64 + 0.5);
        while rows.get(row + 1).is_some_and(|r| r.time as f64 <= middle) {
            row += 1;
        }
        while intervals.get(interval).is_some_and(|i| i.span.end().since(start) as f64 <= middle) {
            interval += 1;
        }
        let (Some(state), Some(i)) = (rows.get(row), intervals.get(interval)) else { continue };
        let is_known = state.window.lo != UNKNOWN && state.flight.hi != UNKNOWN && state.time as f64 <= middle;
        if is_known && state.window.lo > state.flight.hi {
            let (top, bottom) = (values.at(state.window.lo as f64), values.at(state.flight.hi as f64));
            let _ = write!(
                paths[i.cause.limit as usize],
                "M{} {}V{}",
                num(left + column as f64 + 0.5),
                num(bottom),
                num(top)
            );
        }
    }
    for limit in Limit::ALL {
        let path = &paths[limit as usize];
        if !path.is_empty() {
            let class = theme::class(limit);
            let _ = writeln!(out, "<path d=\"{path}\" class=\"l-{class}\" stroke-opacity=\".16\"/>");
        }
    }
}

fn round_trips(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let rows = subject.recording.round_trips.rows.iter().filter(|r| frame.time.has(r.time as f64));
    let highest = rows.clone().map(|r| r.nanos.hi).max().unwrap_or(1).max(1);
    let units = subject.wording.units();
    let keys = [("data", "series-rtt"), ("level", "series-rtt-min")];
    let lowest = rows.clone().map(|r| r.nanos.lo).min().unwrap_or(0);
    let lowest = subject.half.rtt.map_or(lowest, |(d, _)| d.min.min(lowest));
    // From zero, unless all would lie in the upper half.
    let from = if lowest * 2 > highest { lowest as f64 - (highest - lowest) as f64 * 0.15 } else { 0.0 };
    let to = highest as f64 + (highest as f64 - from) * 0.06;
    let values = stage(out, subject, frame, "chart-rtt", &keys, (from, to), |v| units.nanos(v as i64));
    let points =
        rows.map(|r| (frame.time.at(r.time as f64), values.at(r.nanos.hi as f64), values.at(r.nanos.lo as f64)));
    stroke(out, "data", &bars(points, 1.8));
    if let Some((rtt, _)) = subject.half.rtt {
        let y = values.at(rtt.min as f64);
        stroke(out, "level", &format!("M{LEFT} {}H{}", num(y), num(WIDTH - RIGHT)));
    }
}

fn throughput(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let table = &subject.recording.throughput;
    let time = frame.time;
    // Bins of some round trips, so that whether one more fell into a bin does not show; of one where there are few.
    let rtt = subject.half.rtt.map_or(0.0, |(d, _)| d.median as f64);
    let span = time.to() - time.from();
    let width = (span / 200.0).max((4.0 * rtt).min(span / 20.0)).max(rtt).max(table.bin as f64).max(1.0);
    let bins = (span / width).floor().max(1.0) as usize;
    let width = span / bins as f64;
    let mut sums = vec![(0_u64, 0_u64, 0_u64); bins];
    for row in table.rows.iter().filter(|r| time.has(r.time as f64)) {
        let bin = (((row.time as f64 - time.from()) / width) as usize).min(bins - 1);
        sums[bin].0 += row.acked;
        sums[bin].1 += row.sent;
        sums[bin].2 += row.resent;
    }
    let rate = |bytes: u64| bytes as f64 * 8e9 / width;
    let highest = sums.iter().map(|s| rate(s.0.max(s.1))).fold(1.0, f64::max);
    let units = subject.wording.units();
    let has_resent = sums.iter().any(|s| s.2 > 0);
    let mut keys = vec![("ack", "series-acked"), ("soft", "series-sent")];
    if has_resent {
        keys.push(("resent", "series-resent"));
    }
    let values =
        stage(out, subject, frame, "chart-throughput", &keys, (0.0, highest * 1.06), |v| units.bits_per_second(v));
    let end = time.at(time.to());
    let points = |of: fn(&(u64, u64, u64)) -> u64| {
        sums.iter()
            .enumerate()
            .map(move |(i, s)| (time.at(time.from() + width * i as f64), values.at(rate(of(s)))))
            .map(|(x, y)| (x, y, y))
    };
    let filled = steps(points(|s| s.0), end);
    if !filled.is_empty() {
        let _ = writeln!(
            out,
            "<path d=\"{filled}V{}H{LEFT}z\" class=\"f-ack\" style=\"fill-opacity:.15\"/>",
            num(frame.bottom)
        );
    }
    stroke(out, "soft", &steps(points(|s| s.1), end));
    stroke(out, "ack", &filled);
    if has_resent {
        let ground = frame.bottom;
        let resent = points(|s| s.2).zip(&sums).filter(|(_, s)| s.2 > 0).map(|((x, y, _), _)| (x, y, ground));
        stroke(out, "resent", &bars(resent, 3.0));
    }
}
