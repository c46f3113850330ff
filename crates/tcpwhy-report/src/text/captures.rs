//! The captures that were read, and their damage.

use tcpwhy_model::CaptureSummary;

use super::page::Page;
use super::palette::{DIM, WARNING};
use crate::{Args, Wording};

pub(super) fn write(page: &mut Page, wording: Wording<'_>, captures: &[CaptureSummary]) {
    if captures.is_empty() {
        return;
    }
    let catalogue = wording.catalogue();
    let units = wording.units();
    page.heading(&catalogue.word("heading-capture"));
    for capture in captures {
        let args = Args::new()
            .text("path", wording.capture_name(&capture.path))
            .text("format", capture.format.id())
            .number("packets", capture.packets)
            .number("segments", capture.segments)
            .text("bytes", units.bytes(capture.original_bytes))
            .text("time", units.nanos(capture.span.map_or(0, tcpwhy_model::Span::nanos)));
        let line = match capture.span {
            None => catalogue.text("capture-line", &args),
            Some(span) => {
                let start = catalogue.zone().date_and_time(span.start());
                catalogue.text("capture-line-from", &args.text("start", start))
            }
        };
        page.wrapped(&line, 2, DIM);
        for anomaly in capture.anomalies.iter() {
            page.wrapped(&wording.anomaly(anomaly), 4, WARNING);
        }
    }
}
