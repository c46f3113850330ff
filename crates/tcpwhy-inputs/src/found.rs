use tcpwhy_capture::CaptureReader;

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
