//! A line of ticks per kind of marked event.

use std::fmt::Write as _;

use tcpwhy_report::markup::Element;

use super::super::plot::{Scale, num, text_width};
use super::super::shapes::text;
use super::super::subject::{LEFT, Subject};
use super::frame::{Frame, marks};
use crate::chart::MarkKind;

const LANE: f64 = 15.0;

/// Contents of the lanes: words, colour, and the kinds that are included.
pub(super) const LANES: [(&str, &str, &[MarkKind]); 7] = [
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

/// Height of the lanes in pixels; 0 without events.
pub(super) fn height(subject: &Subject<'_>, time: Scale) -> f64 {
    lanes(subject, time).count() as f64 * LANE
}

fn lanes<'a>(
    subject: &'a Subject<'_>,
    time: Scale,
) -> impl Iterator<Item = (&'static str, &'static str, &'static [MarkKind])> + 'a {
    LANES.into_iter().filter(move |(_, _, kinds)| marks(subject, kinds, time).next().is_some())
}

pub(super) fn draw(out: &mut String, subject: &Subject<'_>, frame: Frame) {
    for (i, (word, class, kinds)) in lanes(subject, frame.time).enumerate() {
        let top = frame.top + i as f64 * LANE;
        let count: u64 = marks(subject, kinds, frame.time).map(|m| m.count).sum();
        text(out, LEFT - 8.0, top + 11.0, "e s f-ink", &fitted(&subject.word(word), LEFT - 10.0));
        // A merged mark is as wide as the time that it covers.
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
        let lane = Element::new(out, "path").with("d", path).with("class", class).with("stroke-width", "1.5");
        lane.holding(|out| Element::new(out, "title").text(count));
        out.push('\n');
    }
}

/// Text cut to a width, for a font size of 11 pixels.
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
