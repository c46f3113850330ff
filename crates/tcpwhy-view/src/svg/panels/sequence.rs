//! The chart of bytes over time.

use std::fmt::Write as _;

use super::super::plot::{Scale, bars, num, steps};
use super::super::shapes::{path, text};
use super::super::subject::{RIGHT, Subject, WIDTH};
use super::frame::{Frame, HEAD, line, marks, missing, stage, states, stroke};
use super::lanes::LANES;
use crate::chart::{Extent, MarkKind, MarkRow, UNKNOWN};

/// Positions in the stream, bytes.
#[derive(Clone, Copy)]
pub(super) struct Heights {
    low: u64,
    high: u64,
    edge: u64,
    /// Whether the right edge is so high that the data would be a flat line.
    is_edge_far: bool,
}

impl Heights {
    /// The heights in the stretch that is shown.
    pub(super) fn of(subject: &Subject<'_>, time: Scale) -> Self {
        let rows = states(subject, time);
        let relative = |v: u64| v.saturating_sub(subject.recording.base);
        let known = |v: u64| (v != UNKNOWN).then(|| relative(v));
        let segments = subject.recording.segments.rows.iter().filter(|s| time.has(s.time as f64));
        let bytes = segments.flat_map(|s| [relative(s.lo), relative(s.hi)]);
        let acked = rows.iter().flat_map(|r| [known(r.una.lo), known(r.una.hi)]).flatten();
        let (low, high) = bytes.chain(acked).fold((u64::MAX, 0), |(l, h), v| (l.min(v), h.max(v)));
        let low = if low > high { 0 } else { low };
        let edges = rows.iter().flat_map(|r| [known(r.edge.lo), known(r.edge.hi)]).flatten();
        let edge = edges.fold(high, u64::max);
        Self { low, high, edge, is_edge_far: edge - low > 3 * (high - low).max(1) }
    }

    /// End of the axis.
    pub(super) fn top(self) -> u64 {
        if self.is_edge_far { self.high } else { self.edge }
    }
}

pub(super) fn draw(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let recording = subject.recording;
    let base = recording.base;
    let time = frame.time;
    let rows = states(subject, time);
    let segments: Vec<_> = recording.segments.rows.iter().filter(|s| time.has(s.time as f64)).collect();
    let relative = |v: u64| v.saturating_sub(base);
    let heights = Heights::of(subject, time);
    let Heights { low, edge, is_edge_far, .. } = heights;
    let top = subject.style.tops.sequence.unwrap_or_else(|| heights.top());
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
        let words = format!("↑ {}: {}", subject.word("series-edge"), units.bytes(edge));
        text(out, WIDTH - RIGHT - 4.0, frame.top + HEAD + 12.0, "e s f-edge", &words);
    } else {
        line(out, subject, frame, values, rows, "edge", |r| shifted(r.edge, base));
    }
    line(out, subject, frame, values, rows, "ack", |r| shifted(r.una, base));
    let bar = |m: &MarkRow| (time.at(m.time as f64), at(m.lo), at(m.hi));
    let placed = |m: &&MarkRow| m.lo != UNKNOWN;
    stroke(out, "sack", &bars(marks(subject, &[MarkKind::Sack, MarkKind::Dsack], time).filter(placed).map(bar), 1.0));
    // The data that had been sent before the stretch.
    let before = rows.first().filter(|r| r.una.hi != UNKNOWN && r.time as f64 <= time.from());
    let before = before.map(|r| (time.at(time.from()), at(r.una.hi + r.flight.hi), at(r.una.hi + r.flight.hi)));
    let sent = segments.iter().map(|s| (time.at(s.time as f64), at(s.hi), at(s.hi)));
    let sent = steps(before.into_iter().chain(sent), time.at(subject.end(time)));
    path(out, &sent, "data", &[("stroke-opacity", ".35")]);
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
        path(out, &probes, "probe f-probe", &[("style", "fill:none"), ("stroke-width", "1.5")]);
    }
    flags(out, subject, frame);
    if segments.is_empty() && !has(&MarkKind::ALL) {
        missing(out, subject, frame, "viewer-missing-sequence");
    }
}

fn shifted(extent: Extent, base: u64) -> Extent {
    let shift = |v: u64| if v == UNKNOWN { v } else { v.saturating_sub(base) };
    Extent { lo: shift(extent.lo), hi: shift(extent.hi) }
}

/// Labels SYN, FIN and RST.
fn flags(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let mut last = f64::MIN;
    for kind in [MarkKind::Syn, MarkKind::Fin, MarkKind::Rst] {
        for m in marks(subject, &[kind], frame.time).take(40) {
            let x = frame.time.at(m.time as f64);
            path(out, &format!("M{} {}v8", num(x), num(frame.bottom - 8.0)), "soft", &[]);
            if (x - last).abs() < 30.0 {
                continue;
            }
            last = x;
            let is_right = x > WIDTH - RIGHT - 30.0;
            let (class, dx) = if is_right { ("e s f-soft halo", -3.0) } else { ("s f-soft halo", 3.0) };
            let word = kind.id().to_ascii_uppercase();
            text(out, x + dx, frame.bottom - 10.0, class, &word);
        }
    }
}
