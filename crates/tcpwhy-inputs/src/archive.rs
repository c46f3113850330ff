//! What tar and zip have in common.

use std::io::{self, Read};

use tcpwhy_capture::Growth;

/// Bytes of a member's name that are kept: `PATH_MAX` of Linux. Each row of a table repeats the name.
pub(crate) const MOST_NAME: usize = 4096;

/// A member of an archive.
pub(crate) struct Member {
    /// Foreign bytes.
    pub(crate) name: Vec<u8>,
    pub(crate) content: Content,
}

/// What a member is.
pub(crate) enum Content {
    /// A regular file of `len` bytes, and what it may grow to where it is compressed itself. One that is read
    /// in place ends when the next member is requested.
    File { reader: Box<dyn Read + Send>, len: u64, growth: Growth },
    /// A folder, a link or a device.
    Other(Other),
    /// A regular file that cannot be read.
    Unreadable(Unreadable),
}

/// A member that is no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    Folder,
    Link,
    Special,
}

/// Why a member cannot be read, though the archive can.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Encrypted,
    Method(u16),
    Corrupt,
    Failed(io::Error),
}

/// Why an archive cannot be read on.
#[derive(Debug)]
pub(crate) enum Broken {
    /// It ends within a header or a member.
    Ends,
    /// A header makes no sense.
    Corrupt,
    /// The member of this name has bytes that another one has too.
    Overlaps(Vec<u8>),
    /// The operating system or the decompressor failed.
    Failed(io::Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::Ends } else { Self::Failed(error) }
    }
}

/// Whether a member's name has a hidden file or folder in it.
pub(crate) fn is_hidden(name: &[u8]) -> bool {
    name.split(|&byte| byte == b'/').any(|part| part.starts_with(b".") && part != b"." && part != b"..")
}

/// A member's name without the `./` that archives of a whole folder begin their names with.
pub(crate) fn without_dot(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"./").unwrap_or(name)
}
