use std::io;

use tcpwhy_capture::CaptureError;
use tcpwhy_model::foreign::visible;
use tcpwhy_model::{Explained, Message, MessageValue};

/// Why a capture, an archive or a folder cannot be read. Each prints as one line that names it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The capture itself.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A folder.
    #[error("cannot read the folder {path}: {cause}", path = visible(path))]
    Folder {
        /// Which.
        path: String,
        /// What the operating system said.
        cause: io::Error,
    },
    /// No file has a name that the pattern means.
    #[error("{pattern} matches no file", pattern = visible(pattern))]
    NoMatch {
        /// As typed.
        pattern: String,
    },
    /// The archive has no such member, or it is no regular file.
    #[error("the archive has no file {path}", path = visible(path))]
    NoMember {
        /// As typed.
        path: String,
    },
    /// A member of an archive was to be read more than once.
    #[error("{path} can be read only once: unpack the archive first", path = visible(path))]
    ReadOnce {
        /// As typed.
        path: String,
    },
    /// What follows in an archive, or one member, cannot be read.
    #[error("cannot read {path}: {cause}", path = visible(path))]
    Archive {
        /// The archive or the member.
        path: String,
        /// What the operating system or the decompressor said.
        cause: io::Error,
    },
    /// The archive, or a member, ends too early.
    #[error("{path} ends within the archive: the rest is missing", path = visible(path))]
    ArchiveEnds {
        /// The archive or the member.
        path: String,
    },
    /// Headers of the archive make no sense.
    #[error("{path} is a damaged archive: the rest cannot be read", path = visible(path))]
    ArchiveCorrupt {
        /// The archive or the member.
        path: String,
    },
    /// Two members of the archive have bytes in common, as no program writes them.
    #[error("{path} shares bytes with another member: the rest of the archive is not read", path = visible(path))]
    Overlaps {
        /// The second one of the two.
        path: String,
    },
    /// Compressed bytes grow to more than is believed of captures.
    #[error("{path} grows to more than 1000 times its size: the rest is not read (see --max-unpacked)", path = visible(path))]
    Growth {
        /// The archive or the member.
        path: String,
    },
    /// A member is encrypted.
    #[error("{path} is encrypted: unpack the archive with its password first", path = visible(path))]
    Encrypted {
        /// Which member.
        path: String,
    },
    /// A member is compressed in a way that is not read.
    #[error("tcpwhy cannot read {path}: its zip compression method {method} is not supported", path = visible(path))]
    Method {
        /// Which member.
        path: String,
        /// APPNOTE.TXT, section 4.4.5.
        method: u16,
    },
    /// The directory of a zip archive is at its end, which a stream has only when all is over.
    #[error("{path} is a zip archive in a stream: save it as a file first", path = visible(path))]
    ZipStream {
        /// What was read.
        path: String,
    },
}

impl InputError {
    /// The same with another name for the folder or the file.
    #[must_use]
    pub fn renamed(mut self, rename: impl Fn(&str) -> String) -> Self {
        match &mut self {
            // It has the name that it was opened by.
            Self::Capture(_) => {}
            Self::Folder { path, .. }
            | Self::NoMatch { pattern: path }
            | Self::NoMember { path }
            | Self::ReadOnce { path }
            | Self::Archive { path, .. }
            | Self::ArchiveEnds { path }
            | Self::ArchiveCorrupt { path }
            | Self::Overlaps { path }
            | Self::Growth { path }
            | Self::Encrypted { path }
            | Self::Method { path, .. }
            | Self::ZipStream { path } => *path = rename(path),
        }
        self
    }
}

impl Explained for InputError {
    fn message(&self) -> Message {
        let say = |id, path: &str| {
            let path: MessageValue =
                if path == "-" { Message::new("standard-input").into() } else { visible(path).into_owned().into() };
            Message::new(id).with("path", path)
        };
        match self {
            Self::Capture(error) => error.message(),
            Self::Folder { path, cause } => say("input-folder", path).with("cause", cause),
            Self::NoMatch { pattern } => say("input-no-match", pattern),
            Self::NoMember { path } => say("input-no-member", path),
            Self::ReadOnce { path } => say("input-read-once", path),
            Self::Archive { path, cause } => say("input-archive", path).with("cause", cause),
            Self::ArchiveEnds { path } => say("input-archive-ends", path),
            Self::ArchiveCorrupt { path } => say("input-archive-corrupt", path),
            Self::Overlaps { path } => say("input-overlaps", path),
            Self::Growth { path } => say("input-growth", path),
            Self::Encrypted { path } => say("input-encrypted", path),
            Self::Method { path, method } => say("input-method", path).with("method", u64::from(*method)),
            Self::ZipStream { path } => say("input-zip-stream", path),
        }
    }
}
