//! The chart of rates.

use super::super::plot::{bars, num, steps};
use super::super::shapes::path;
use super::super::subject::{LEFT, Subject};
use super::frame::{Frame, missing, stage, stroke};

pub(super) fn draw(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    let table = &subject.recording.throughput;
    let time = frame.time;
    // Bins of about four round trips hide whether one more round trip fell into a bin. A transfer of few
    // round trips has bins of one.
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
    if sums.iter().all(|s| s.0 == 0 && s.1 == 0) {
        missing(out, subject, frame, "viewer-missing-throughput");
    }
    let end = time.at(time.to());
    let points = |of: fn(&(u64, u64, u64)) -> u64| {
        sums.iter()
            .enumerate()
            .map(move |(i, s)| (time.at(time.from() + width * i as f64), values.at(rate(of(s)))))
            .map(|(x, y)| (x, y, y))
    };
    let filled = steps(points(|s| s.0), end);
    if !filled.is_empty() {
        let ground = format!("{filled}V{}H{LEFT}z", num(frame.bottom));
        path(out, &ground, "f-ack", &[("style", "fill-opacity:.15")]);
    }
    stroke(out, "soft", &steps(points(|s| s.1), end));
    stroke(out, "ack", &filled);
    if has_resent {
        let ground = frame.bottom;
        let resent = points(|s| s.2).zip(&sums).filter(|(_, s)| s.2 > 0).map(|((x, y, _), _)| (x, y, ground));
        stroke(out, "resent", &bars(resent, 3.0));
    }
}
