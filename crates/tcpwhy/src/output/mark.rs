//! Identifies the capture of a picture.

use tcpwhy_report::markup::MARK;
use tcpwhy_view::data::{Entry, Survey};

/// A mark near the beginning of each picture, which identifies its capture. It is derived from the capture's
/// content. So a copy has the same mark, and a replaced file has another one, whatever their names.
#[derive(Clone, Debug)]
pub(super) struct Mark(String);

impl Mark {
    /// The mark for the pictures of `entry`.
    pub(super) fn of(survey: &Survey, entry: &Entry) -> Self {
        let captures = survey.captures();
        // With merged captures, a connection belongs to all of them.
        let captures = entry.capture.and_then(|i| captures.get(i..=i)).unwrap_or(captures);
        let start =
            captures.iter().filter_map(|c| c.span).map(|span| span.start().as_nanos()).min().unwrap_or_default();
        let packets: u64 = captures.iter().map(|c| c.packets).sum();
        let bytes: u64 = captures.iter().map(|c| c.original_bytes).sum();
        Self(format!("<!-- tcpwhy: of the capture of {packets} packets, {bytes} bytes, from {start} ns on -->"))
    }

    /// The text to search for in an existing picture.
    pub(super) fn line(&self) -> &str {
        &self.0
    }

    /// `picture` with this mark below the general mark of tcpwhy's pictures.
    pub(super) fn put_into(&self, picture: &str) -> String {
        picture.replacen(MARK, &format!("{MARK}\n{}", self.0), 1)
    }
}
