//! The lines about functions that waited for space in a send buffer.

use tcpwhy_report::live::{Line, Piece, Tone};
use tcpwhy_report::text::Look;
use tcpwhy_report::{Args, Wording};

use crate::watching::{BlockedWriters, Place, Waits};

/// Lines for the `most` functions with the longest waits.
pub(super) fn lines(blocked: &BlockedWriters, most: usize, wording: Wording<'_>, look: Look) -> Vec<Line> {
    let line = |(place, waits): (&Place, Waits)| {
        let id = if place.function.is_some() { "live-blocked" } else { "live-blocked-somewhere" };
        let args = Args::new()
            .text("process", &*place.process)
            .text("time", wording.units().nanos(waits.nanos))
            .text("place", place.function.clone().unwrap_or_default())
            .number("count", waits.count);
        look.wrap(&wording.catalogue().text(id, &args)).into_iter().map(|text| vec![Piece { text, tone: Tone::Plain }])
    };
    blocked.most(most).into_iter().flat_map(line).collect()
}
