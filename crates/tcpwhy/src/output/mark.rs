//! Whose picture a file is.

use tcpwhy_report::markup::MARK;
use tcpwhy_view::data::{Entry, Survey};

/// What tells the pictures of one capture from those of another: what is near the beginning of each of them.
/// It is made of what the capture holds, not of its name, so that a copy is the same, and a file that was
/// replaced another.
#[derive(Clone, Debug)]
pub(super) struct Mark(String);

impl Mark {
    /// Of the pictures of `entry`.
    pub(super) fn of(survey: &Survey, entry: &Entry) -> Self {
        let captures = survey.captures();
        // Of merged captures a connection is of all.
        let captures = entry.capture.and_then(|i| captures.get(i..=i)).unwrap_or(captures);
        let start =
            captures.iter().filter_map(|c| c.span).map(|span| span.start().as_nanos()).min().unwrap_or_default();
        let packets: u64 = captures.iter().map(|c| c.packets).sum();
        let bytes: u64 = captures.iter().map(|c| c.original_bytes).sum();
        Self(format!("<!-- tcpwhy: of the capture of {packets} packets, {bytes} bytes, from {start} ns on -->"))
    }

    /// What is searched for in a picture that is there.
    pub(super) fn line(&self) -> &str {
        &self.0
    }

    /// `picture` with this below the mark that all of our pictures have.
    pub(super) fn put_into(&self, picture: &str) -> String {
        picture.replacen(MARK, &format!("{MARK}\n{}", self.0), 1)
    }
}
