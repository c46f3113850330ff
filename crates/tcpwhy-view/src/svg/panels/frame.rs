//! The common parts of charts: place, heading and strokes.

use std::fmt::Write as _;

use tcpwhy_report::markup::Element;

use super::super::plot::{Scale, num, steps, text_width};
use super::super::shapes::{path, text};
use super::super::subject::{LEFT, RIGHT, Subject, WIDTH};
use crate::chart::{Extent, MarkKind, MarkRow, StateRow, UNKNOWN};

/// The place of a panel.
#[derive(Clone, Copy, Debug)]
pub(in crate::svg) struct Frame {
    pub(in crate::svg) time: Scale,
    pub(in crate::svg) top: f64,
    pub(in crate::svg) bottom: f64,
}

/// Height of a panel's heading, pixels.
pub(super) const HEAD: f64 = 22.0;

pub(super) fn marks<'a>(
    subject: &'a Subject<'_>,
    kinds: &'a [MarkKind],
    time: Scale,
) -> impl Iterator<Item = &'a MarkRow> {
    let tables = subject.recording.marks.iter().filter(move |(kind, _)| kinds.contains(kind));
    tables.flat_map(|(_, table)| &table.rows).filter(move |m| time.has(m.time as f64) || time.has(m.end as f64))
}

/// Draws title, keys, grid and value labels of a panel; returns its value scale.
pub(super) fn stage(
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
    let title = subject.word(title);
    text(out, 16.0, frame.top + 13.0, "h f-ink", &title);
    let mut x = LEFT + text_width(&title).max(60.0) + 8.0;
    for (class, word) in keys {
        let word = subject.word(word);
        let y = frame.top + 9.0;
        let sample = format!("M{} {}h18", num(x), num(y));
        Element::new(out, "path").with("d", sample).with("class", class).with_all(look(class)).end();
        text(out, x + 23.0, y + 4.0, "s f-soft", &word);
        x += 23.0 + text_width(&word) * 0.95 + 16.0;
    }
    let mut grid = String::new();
    let mut texts = String::new();
    for tick in values.ticks(((frame.bottom - top) / 36.0) as usize) {
        let y = values.at(tick);
        let _ = write!(grid, "M{LEFT} {}H{}", num(y), num(WIDTH - RIGHT));
        text(&mut texts, LEFT - 8.0, y + 4.0, "e s f-soft", &name(tick));
    }
    for tick in frame.time.ticks(10) {
        let _ = write!(grid, "M{} {}V{}", num(frame.time.at(tick)), num(top), num(frame.bottom));
    }
    path(out, &grid, "grid", &[]);
    out.push_str(&texts);
    values
}

/// Writes in the middle of a panel that its stretch of time has no data of this kind.
pub(super) fn missing(out: &mut String, subject: &Subject<'_>, frame: Frame, message: &str) {
    let (x, y) = (f64::midpoint(LEFT, WIDTH - RIGHT), f64::midpoint(frame.top + HEAD, frame.bottom));
    text(out, x, y, "m f-soft", &subject.word(message));
}

/// Strokes of the series.
const KEYS: [(&str, &[(&str, &str)]); 12] = [
    ("unused", &[("stroke-width", "9"), ("stroke-opacity", ".25")]),
    ("data", &[("stroke-width", "1.6")]),
    ("ack", &[("stroke-width", "1.5")]),
    ("edge", &[("stroke-width", "1.5"), ("stroke-dasharray", "5 2")]),
    ("resent", &[("stroke-width", "3")]),
    ("late", &[("stroke-width", "3")]),
    ("sack", &[("stroke-width", "2")]),
    ("flight", &[("stroke-width", "1.5")]),
    ("pipe", &[("stroke-width", "1.2"), ("stroke-dasharray", "2 2")]),
    ("cwnd", &[("stroke-width", "1.2"), ("stroke-dasharray", "7 3")]),
    ("level", &[("stroke-width", "1.2"), ("stroke-dasharray", "1 3"), ("stroke-linecap", "round")]),
    ("soft", &[("stroke-width", "1.2")]),
];

/// Attributes of a series in addition to its class.
fn look(class: &str) -> &'static [(&'static str, &'static str)] {
    KEYS.iter().find(|key| key.0 == class).map_or(&[], |key| key.1)
}

pub(super) fn stroke(out: &mut String, class: &str, d: &str) {
    if !d.is_empty() {
        path(out, d, class, look(class));
    }
}

/// The states in the stretch, including the one at its start.
pub(super) fn states<'a>(subject: &'a Subject<'_>, time: Scale) -> &'a [StateRow] {
    let rows = &subject.recording.states.rows;
    let from = rows.partition_point(|r| (r.time as f64) < time.from()).saturating_sub(1);
    let to = rows.partition_point(|r| r.time as f64 <= time.to());
    rows.get(from..to.max(from)).unwrap_or_default()
}

pub(super) fn line(
    out: &mut String,
    subject: &Subject<'_>,
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
    stroke(out, class, &steps(known, frame.time.at(subject.end(frame.time))));
}
