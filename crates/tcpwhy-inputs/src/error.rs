use std::io;

use tcpwhy_capture::CaptureError;
use tcpwhy_model::foreign::visible;
use tcpwhy_model::{Explained, Message, MessageValue};

/// Reason why a capture, an archive or a folder cannot be read. Each error prints as one line with its name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The capture cannot be read.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// The folder cannot be read.
    #[error("cannot read the folder {path}: {cause}", path = visible(path))]
    Folder {
        /// Path of the folder.
        path: String,
        /// Error of the operating system.
        cause: io::Error,
    },
    /// No file matches the pattern.
    #[error("{pattern} matches no file", pattern = visible(pattern))]
    NoMatch {
        /// The pattern as typed.
        pattern: String,
    },
    /// The archive has no such member, or the member is not a regular file.
    #[error("the archive has no file {path}", path = visible(path))]
    NoMember {
        /// Archive and member as typed.
        path: String,
    },
    /// A member of an archive would have to be read more than once.
    #[error("{path} can be read only once: unpack the archive first", path = visible(path))]
    ReadOnce {
        /// Archive and member as typed.
        path: String,
    },
    /// The rest of an archive, or one member, cannot be read.
    #[error("cannot read {path}: {cause}", path = visible(path))]
    Archive {
        /// Name of the archive or the member.
        path: String,
        /// Error of the operating system or the decompressor.
        cause: io::Error,
    },
    /// The archive or a member is truncated.
    #[error("{path} ends within the archive: the rest is missing", path = visible(path))]
    ArchiveEnds {
        /// Name of the archive or the member.
        path: String,
    },
    /// Headers of the archive are invalid.
    #[error("{path} is a damaged archive: the rest cannot be read", path = visible(path))]
    ArchiveCorrupt {
        /// Name of the archive or the member.
        path: String,
    },
    /// Two members of the archive share bytes, which no regular program writes.
    #[error("{path} shares bytes with another member: the rest of the archive is not read", path = visible(path))]
    Overlaps {
        /// Name of the second member.
        path: String,
    },
    /// Compressed data exceeds the limit of its unpacked size, as captures do not.
    #[error("{path} grows to more than 1000 times its size: the rest is not read (see --max-unpacked)", path = visible(path))]
    Growth {
        /// Name of the archive or the member.
        path: String,
    },
    /// A member is encrypted.
    #[error("{path} is encrypted: unpack the archive with its password first", path = visible(path))]
    Encrypted {
        /// Name of the member.
        path: String,
    },
    /// A member has an unsupported compression method.
    #[error("tcpwhy cannot read {path}: its zip compression method {method} is not supported", path = visible(path))]
    Method {
        /// Name of the member.
        path: String,
        /// Number of the method (APPNOTE.TXT, section 4.4.5).
        method: u16,
    },
    /// A zip archive comes from a stream. Its directory is at the end, so it can only be read from a file.
    #[error("{path} is a zip archive in a stream: save it as a file first", path = visible(path))]
    ZipStream {
        /// Name of the stream.
        path: String,
    },
}

impl InputError {
    /// The same error with the name of the folder or file replaced.
    #[must_use]
    pub fn renamed(mut self, rename: impl Fn(&str) -> String) -> Self {
        match &mut self {
            // The capture was opened under its shown name already.
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
