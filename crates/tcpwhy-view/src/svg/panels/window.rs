//! The chart of window and bytes in flight.

use std::fmt::Write as _;

use tcpwhy_report::Args;
use tcpwhy_report::palette::Swatch;

use super::super::plot::{Scale, num};
use super::super::shapes::{path, text};
use super::super::subject::{LEFT, RIGHT, Subject, WIDTH};
use super::super::theme;
use super::frame::{Frame, HEAD, line, marks, missing, stage, states};
use crate::chart::{Extent, LineKind, MarkKind, StateRow, UNKNOWN, lines};

pub(super) fn draw(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let rows = states(subject, frame.time);
    let (flight, offered) = peaks(rows);
    let levels = lines(subject.half, subject.recording);
    let top = subject.style.tops.window.unwrap_or_else(|| top(subject, frame.time));
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
    if rows.is_empty() {
        missing(out, subject, frame, "viewer-missing-window");
    }
    unused(out, subject, frame, values, rows);
    line(out, subject, frame, values, rows, "cwnd", |r| r.cwnd_floor);
    if has_sack {
        line(out, subject, frame, values, rows, "pipe", |r| r.pipe);
    }
    line(out, subject, frame, values, rows, "edge", |r| r.window);
    line(out, subject, frame, values, rows, "flight", |r| r.flight);
    let mut taken: Vec<f64> = Vec::new();
    for level in levels {
        let (word, class) = match level.kind {
            LineKind::Plateau => ("line-plateau", "level"),
            LineKind::BandwidthDelay => ("line-bdp", "soft"),
            LineKind::WindowMax => ("line-window-max", "edge"),
        };
        let words = subject.wording.catalogue().text(word, &Args::new().text("bytes", units.bytes(level.bytes)));
        let is_above = level.bytes as f64 > values.to();
        let y = values.at(level.bytes as f64);
        let mut at = if is_above { y + 12.0 } else { y - 4.0 };
        while taken.iter().any(|t| (t - at).abs() < 13.0) {
            at += 13.0;
        }
        taken.push(at);
        if !is_above {
            let level = format!("M{LEFT} {}H{}", num(y), num(WIDTH - RIGHT));
            path(out, &level, class, &[("stroke-dasharray", "1 3"), ("stroke-linecap", "round")]);
        }
        let words = if is_above { format!("↑ {words}") } else { words };
        text(out, WIDTH - RIGHT - 4.0, at, &format!("e s halo f-{class}"), &words);
    }
    let above = [("series-window", "edge", offered), ("series-flight", "flight", flight)];
    let above = above.into_iter().filter(|a| a.2 as f64 > values.to());
    for (i, (word, class, bytes)) in above.enumerate() {
        let words = format!("↑ {}: {}", subject.word(word), units.bytes(bytes));
        let y = frame.top + HEAD + 12.0 + i as f64 * 14.0;
        text(out, LEFT + 6.0, y, &format!("s halo f-{class}"), &words);
    }
}

/// Most bytes in flight, and the largest window.
fn peaks(rows: &[StateRow]) -> (u64, u64) {
    let highest =
        |of: fn(&StateRow) -> Extent| rows.iter().map(|r| of(r).hi).filter(|&v| v != UNKNOWN).max().unwrap_or(0);
    (highest(|r| r.flight).max(1), highest(|r| r.window))
}

/// End of the axis, bytes.
pub(super) fn top(subject: &Subject<'_>, time: Scale) -> u64 {
    let (flight, offered) = peaks(states(subject, time));
    // A window many times as large as the bytes in flight would flatten their line, and so would one short
    // peak.
    let usual = subject.half.flight.map_or(flight, |f| f.p95).clamp(1, flight);
    // Less than a segment in flight is a pause, as during a zero window; only the peaks then show the
    // transfer.
    let segment = subject.half.mss.unwrap_or(1).min(flight);
    let usual = if usual < segment { flight } else { usual };
    let is_window_far = offered > 12 * usual;
    if is_window_far { flight.min(usual * 8 / 5) } else { offered.max(flight) }
}

/// Draws the unused part of the window in the colour of the limit.
fn unused(out: &mut String, subject: &Subject<'_>, frame: Frame, values: Scale, rows: &[StateRow]) {
    let start = subject.connection.span.start();
    let intervals = subject.half.limits.intervals();
    let mut paths: Vec<String> = vec![String::new(); Swatch::ALL.len()];
    let (mut row, mut interval) = (0, 0);
    let end = subject.end(frame.time);
    let (left, right) = (frame.time.at(frame.time.from()), frame.time.at(end));
    let nanos = (end - frame.time.from()) / (right - left).max(1.0);
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
                paths[Swatch::of(i.cause) as usize],
                "M{} {}V{}",
                num(left + column as f64 + 0.5),
                num(bottom),
                num(top)
            );
        }
    }
    for swatch in Swatch::ALL {
        let d = &paths[swatch as usize];
        if !d.is_empty() {
            path(out, d, &format!("l-{}", theme::class(swatch)), &[("stroke-opacity", ".16")]);
        }
    }
}
