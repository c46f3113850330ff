//! The chart of round-trip times.

use super::super::plot::{bars, num};
use super::super::subject::{LEFT, RIGHT, Subject, WIDTH};
use super::frame::{Frame, missing, stage, stroke};

pub(super) fn draw(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let rows = subject.recording.round_trips.rows.iter().filter(|r| frame.time.has(r.time as f64));
    let highest = rows.clone().map(|r| r.nanos.hi).max().unwrap_or(1).max(1);
    let units = subject.wording.units();
    let keys = [("data", "series-rtt"), ("level", "series-rtt-min")];
    let lowest = rows.clone().map(|r| r.nanos.lo).min().unwrap_or(0);
    let lowest = subject.half.rtt.map_or(lowest, |(d, _)| d.min.min(lowest));
    // The axis begins at zero, unless all values would be in its upper half.
    let from = if lowest * 2 > highest { lowest as f64 - (highest - lowest) as f64 * 0.15 } else { 0.0 };
    let to = highest as f64 + (highest as f64 - from) * 0.06;
    let values = stage(out, subject, frame, "chart-rtt", &keys, (from, to), |v| units.nanos(v as i64));
    if rows.clone().next().is_none() {
        missing(out, subject, frame, "viewer-missing-rtt");
    }
    let points =
        rows.map(|r| (frame.time.at(r.time as f64), values.at(r.nanos.hi as f64), values.at(r.nanos.lo as f64)));
    stroke(out, "data", &bars(points, 1.8));
    if let Some((rtt, _)) = subject.half.rtt {
        let y = values.at(rtt.min as f64);
        stroke(out, "level", &format!("M{LEFT} {}H{}", num(y), num(WIDTH - RIGHT)));
    }
}
