//! The subject of a picture, and the range of its charts.

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_report::Wording;

use super::plot::Scale;
use super::style::Style;
use crate::chart::HalfRecording;

/// Width of a picture, and of the margins beside its charts, in pixels.
pub(super) const WIDTH: f64 = 960.0;
pub(super) const LEFT: f64 = 92.0;
pub(super) const RIGHT: f64 = 16.0;

/// The subject of a picture.
pub(super) struct Subject<'a> {
    pub(super) connection: &'a Connection,
    pub(super) half: &'a HalfConnection,
    pub(super) recording: &'a HalfRecording,
    pub(super) wording: Wording<'a>,
    pub(super) style: Style,
}

impl Subject<'_> {
    /// Stretch that is shown, in nanoseconds from the first packet.
    pub(super) fn stretch(&self) -> (f64, f64) {
        if let Some((from, to)) = self.style.stretch {
            return (from * 1e9, to * 1e9);
        }
        let since = |t: tcpwhy_model::Timestamp| t.since(self.connection.span.start()) as f64;
        let (from, to) = (since(self.half.span.start()), since(self.half.span.end()));
        // Includes the packets that close the connection, if they follow soon.
        let marks = self.recording.marks.iter().flat_map(|(_, table)| &table.rows);
        let last = marks.map(|m| m.end as f64).fold(to, f64::max);
        let to = if last - to <= (to - from) / 10.0 { last } else { to };
        (from, to + (to - from) / 100.0)
    }

    /// End of the lines: the last packet of the connection, in nanoseconds from the first.
    pub(super) fn end(&self, time: Scale) -> f64 {
        (self.connection.span.end().since(self.connection.span.start()) as f64).min(time.to())
    }

    /// A word of the catalogue.
    pub(super) fn word(&self, id: &str) -> String {
        self.wording.catalogue().word(id)
    }
}
