use tcpwhy_capture::{CaptureError, CaptureReader};

use crate::error::InputError;

/// One entry of a listing.
pub enum Found {
    /// An open capture, of which only the header was read.
    Capture(Box<FoundCapture>),
    /// An input that could not be read.
    Failed(Failed),
}

/// An open capture.
pub struct FoundCapture {
    /// Name for all output.
    pub name: String,
    /// Whether the user named it.
    pub origin: Origin,
    /// Reader of its packets.
    pub reader: CaptureReader,
    /// Whether it must be read before the listing continues, as for streams and large members of tar
    /// archives.
    pub is_in_place: bool,
    /// Whether it is standard input.
    pub is_standard_input: bool,
}

/// An input that is or should contain a capture, and that cannot be read.
#[derive(Debug)]
pub struct Failed {
    /// Name for all output.
    pub name: String,
    /// Whether the user named it.
    pub origin: Origin,
    /// The reason.
    pub error: InputError,
}

/// How a file was selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user named it.
    Named,
    /// A folder, an archive or a pattern contained it.
    Found,
}

impl Origin {
    /// Whether a file that cannot be opened is skipped. That is so if it was found and neither its content
    /// nor the end of its name indicates a capture.
    pub fn passes_over(self, error: &CaptureError, name: &str) -> bool {
        match (self, error) {
            (Self::Named, _) => false,
            (Self::Found, CaptureError::Empty { .. }) => !is_named_like_capture(name),
            (Self::Found, error) => error.is_other_file() && error.archive().is_none() && !is_named_like_capture(name),
        }
    }
}

/// Whether the name indicates a capture, if the content does not.
fn is_named_like_capture(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stem = [".gz", ".zst"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
    [".pcap", ".pcapng", ".cap", ".dmp"].iter().any(|end| stem.ends_with(end))
}

/// Counts of entries that were found and not read, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Files whose content does not begin like a capture.
    pub others: u64,
    /// Archives within archives.
    pub archives: u64,
    /// Subfolders that were not searched.
    pub folders: u64,
    /// Files and folders whose name begins with a dot.
    pub hidden: u64,
    /// Symbolic links, and links of archives.
    pub links: u64,
    /// FIFOs, sockets, devices, and sparse files in archives.
    pub special: u64,
}

impl PassedOver {
    /// Sum of all counts.
    pub const fn total(&self) -> u64 {
        self.others + self.archives + self.folders + self.hidden + self.links + self.special
    }
}
