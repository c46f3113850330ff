//! Types and functions that tar and zip share.

use std::io::{self, Read};

use tcpwhy_capture::Growth;

/// Bytes of a member's name that are kept: `PATH_MAX` of Linux. The limit matters because each row of a table
/// repeats the name.
pub(crate) const MOST_NAME: usize = 4096;

/// A member of an archive.
pub(crate) struct Member {
    /// Name as stored in the archive, in any encoding.
    pub(crate) name: Vec<u8>,
    pub(crate) content: Content,
}

/// Kind and content of a member.
pub(crate) enum Content {
    /// A regular file of `len` bytes, and the limit of its size if it is compressed itself. A reader in place
    /// ends when the next member is requested.
    File { reader: Box<dyn Read + Send>, len: u64, growth: Growth },
    /// A folder, a link or a device.
    Other(Other),
    /// A regular file that cannot be read.
    Unreadable(Unreadable),
}

/// A member that is not a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    Folder,
    Link,
    Special,
}

/// Reason why a member cannot be read, although the archive can.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Encrypted,
    Method(u16),
    Corrupt,
    Failed(io::Error),
}

/// Reason why the rest of an archive cannot be read.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The archive ends within a header or a member.
    Ends,
    /// A header is invalid.
    Corrupt,
    /// The member of this name shares bytes with another one.
    Overlaps(Vec<u8>),
    /// The operating system or the decompressor reported an error.
    Failed(io::Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::Ends } else { Self::Failed(error) }
    }
}

/// Whether a member's name contains a hidden file or folder.
pub(crate) fn is_hidden(name: &[u8]) -> bool {
    name.split(|&byte| byte == b'/').any(|part| part.starts_with(b".") && part != b"." && part != b"..")
}

/// A member's name without the `./` prefix, which archives of a whole folder have.
pub(crate) fn without_dot(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"./").unwrap_or(name)
}
