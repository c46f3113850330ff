use tcpwhy_capture::{CaptureError, CaptureReader};

use crate::error::InputError;

/// One entry of a listing.
pub enum Found {
    /// A capture, opened, of which nothing was read but its header.
    Capture(Box<FoundCapture>),
    /// What could not be read.
    Failed(Failed),
}

/// A capture, opened.
pub struct FoundCapture {
    /// As everything shows it.
    pub name: String,
    /// Whether somebody named it.
    pub origin: Origin,
    /// Reads it.
    pub reader: CaptureReader,
    /// Whether it ends when the listing goes on: large members of tar archives, and streams.
    pub is_in_place: bool,
    /// Whether it is standard input.
    pub is_standard_input: bool,
}

/// Something that is a capture, or should have some, and cannot be read.
#[derive(Debug)]
pub struct Failed {
    /// As everything shows it.
    pub name: String,
    /// Whether somebody named it.
    pub origin: Origin,
    /// Why.
    pub error: InputError,
}

/// Who chose a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Somebody typed its name.
    Named,
    /// It was found in a folder or an archive, or by a pattern.
    Found,
}

impl Origin {
    /// Whether a file that cannot be opened is passed over: it was found, and neither begins like a capture
    /// nor has a name that ends like one.
    pub fn passes_over(self, error: &CaptureError, name: &str) -> bool {
        match (self, error) {
            (Self::Named, _) => false,
            (Self::Found, CaptureError::Empty { .. }) => !is_named_like_capture(name),
            (Self::Found, error) => error.is_other_file() && error.archive().is_none() && !is_named_like_capture(name),
        }
    }
}

/// Whether a file should have been a capture: where its content does not say so, its name does.
fn is_named_like_capture(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stem = [".gz", ".zst"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
    [".pcap", ".pcapng", ".cap", ".dmp"].iter().any(|end| stem.ends_with(end))
}

/// What was found and is not read, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Files that do not begin like a capture.
    pub others: u64,
    /// Archives within archives.
    pub archives: u64,
    /// Folders that were not to be looked into.
    pub folders: u64,
    /// Files and folders whose name begins with a dot.
    pub hidden: u64,
    /// Symbolic links, and links of archives.
    pub links: u64,
    /// FIFOs, sockets, devices, and files of archives that are stored with holes.
    pub special: u64,
}

impl PassedOver {
    /// All of them.
    pub const fn total(&self) -> u64 {
        self.others + self.archives + self.folders + self.hidden + self.links + self.special
    }
}
