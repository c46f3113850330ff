//! Whose picture a file is.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use tcpwhy_view::data::{Entry, Survey};

/// More than a mark takes at the end of a picture.
const MOST_MARK: u64 = 256;

/// What tells the pictures of one capture from those of another: what stands at the end of each of them. It is made of what
/// the capture holds, not of its name, so that a copy is the same, and a file that was replaced another.
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
        Self(format!("<!-- tcpwhy: of the capture of {packets} packets, {bytes} bytes, from {start} ns on -->\n"))
    }

    /// What is written behind the picture.
    pub(super) fn line(&self) -> &str {
        &self.0
    }

    /// Whether there is a file that does not end with this mark, or that cannot be read to see.
    pub(super) fn is_missing_in(&self, path: &Path) -> bool {
        match fs::symlink_metadata(path) {
            Err(error) => error.kind() != io::ErrorKind::NotFound,
            Ok(metadata) if !metadata.is_file() => true,
            Ok(_) => !end_of(path).is_ok_and(|end| end.ends_with(self.0.as_bytes())),
        }
    }
}

/// The last bytes of a file.
fn end_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    file.seek(SeekFrom::Start(len.saturating_sub(MOST_MARK)))?;
    let mut end = Vec::new();
    file.take(MOST_MARK).read_to_end(&mut end)?;
    Ok(end)
}
