//! The chart of the sending socket: its queued data, and how much it may hold.

use std::fmt::Write as _;

use tcpwhy_model::Limit;
use tcpwhy_model::live::{SocketMeasure, SocketPoint};
use tcpwhy_report::palette::Swatch;

use super::super::plot::{num, steps};
use super::super::shapes::path;
use super::super::subject::Subject;
use super::super::theme;
use super::frame::{Frame, HEAD, missing, stage, stroke};

/// Lines of the chart, those that others may hide first: measure, class, name.
const LINES: [(SocketMeasure, &str, &str); 6] = [
    (SocketMeasure::Window, "edge", "series-window"),
    (SocketMeasure::CongestionWindow, "cwnd", "series-socket-cwnd"),
    (SocketMeasure::Unsent, "ack", "series-unsent"),
    (SocketMeasure::Flight, "pipe", "series-flight"),
    (SocketMeasure::Buffer, "level", "series-buffer"),
    (SocketMeasure::Queued, "data", "series-queued"),
];

/// A window this many times as large as the other values is left out, because it would flatten them.
const FAR: u64 = 4;

pub(super) fn draw(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let start = subject.connection.span.start();
    let all = &subject.recording.socket;
    let time = |point: &SocketPoint| point.time.since(start) as f64;
    // Includes the point before the start of the stretch.
    let from = all.partition_point(|point| time(point) < frame.time.from()).saturating_sub(1);
    let to = all.partition_point(|point| time(point) <= frame.time.to());
    let points = all.get(from..to.max(from)).unwrap_or_default();
    let most = |measure| points.iter().filter_map(|point| Some(point.get(measure)?.most)).max();
    let own = [SocketMeasure::Buffer, SocketMeasure::Queued, SocketMeasure::Unsent, SocketMeasure::Flight];
    let own = own.into_iter().filter_map(most).max().unwrap_or(1).max(1);
    let is_near = |&bytes: &u64| bytes <= own.saturating_mul(FAR);
    let windows = [SocketMeasure::CongestionWindow, SocketMeasure::Window].into_iter().filter_map(most);
    let top = windows.filter(is_near).fold(own, u64::max);
    let shown: Vec<_> = LINES.into_iter().filter(|line| most(line.0).as_ref().is_some_and(is_near)).collect();
    let keys: Vec<_> = shown.iter().rev().map(|&(_, class, name)| (class, name)).collect();
    let units = subject.wording.units();
    let values = stage(out, subject, frame, "chart-socket", &keys, (0.0, top as f64 * 1.06), |v| units.bytes(v as u64));
    if points.is_empty() {
        missing(out, subject, frame, "viewer-missing-socket");
    }
    let end = frame.time.at(subject.end(frame.time));
    waits(out, frame, points, &SocketPoint::full(all)[from..to.max(from)], time);
    for (measure, class, _) in shown {
        let known = points.iter().filter_map(|point| {
            let range = point.get(measure)?;
            let x = frame.time.at(time(point)).max(frame.time.at(frame.time.from()));
            Some((x, values.at(range.least as f64), values.at(range.most as f64)))
        });
        stroke(out, class, &steps(known, end));
    }
}

/// Draws a band above the lines while a writing program waits for room.
fn waits(out: &mut String, frame: Frame, points: &[SocketPoint], full: &[bool], time: impl Fn(&SocketPoint) -> f64) {
    let mut d = String::new();
    let x = |nanos: f64| frame.time.at(nanos.clamp(frame.time.from(), frame.time.to()));
    let y = num(frame.top + HEAD + 2.0);
    let mut i = 0;
    while i < points.len() {
        let last = (i..points.len()).take_while(|&at| full[at]).last();
        if let Some(last) = last {
            let until = points.get(last + 1).map_or(frame.time.to(), &time);
            let _ = write!(d, "M{} {y}H{}", num(x(time(&points[i]))), num(x(until)));
        }
        i = last.unwrap_or(i) + 1;
    }
    if !d.is_empty() {
        let class = format!("l-{}", theme::class(Swatch::of_limit(Limit::SendBuffer)));
        path(out, &d, &class, &[("stroke-width", "4")]);
    }
}
