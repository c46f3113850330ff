use std::io;
use std::path::{Path, PathBuf};

use tcpwhy_model::foreign::visible_path;
use tcpwhy_model::{Explained, Message};

/// Why a host could not be observed at all.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The live kernel is read on Linux only; saved hosts are read everywhere.
    #[error("reading the live host works on Linux only; give a directory that was saved on a Linux host")]
    Unsupported,
    /// A file or directory could not be read.
    #[error("cannot read {path}: {error}", path = visible_path(path))]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The file is larger than the caller's limit for such a file.
    #[error("{path} is larger than {most} bytes, the limit for such a file", path = visible_path(path))]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit, bytes.
        most: u64,
    },
    /// A device, a socket or a directory: it may never end, or has no bytes to read.
    #[error("{path} is neither a file nor a pipe", path = visible_path(path))]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A pipe that gave no data: it has no writer, or the writer stayed silent for too long.
    #[error("{path} is a pipe to which nobody writes", path = visible_path(path))]
    Silent {
        /// The path.
        path: PathBuf,
    },
    /// The path contains no data of a host.
    #[error("{path} has no data of a host: expected `sysctl -a`, `ss` output or files of /proc/net", path = visible_path(path))]
    NothingFound {
        /// The path.
        path: PathBuf,
    },
}

impl LiveError {
    /// Replaces the path in the error by `name` of it, for a path that the user knows under another name.
    #[must_use]
    pub fn map_path(mut self, name: impl FnOnce(&Path) -> PathBuf) -> Self {
        match &mut self {
            Self::Unsupported => {}
            Self::Read { path, .. }
            | Self::TooLarge { path, .. }
            | Self::NotAFile { path }
            | Self::Silent { path }
            | Self::NothingFound { path } => *path = name(path),
        }
        self
    }
}

impl Explained for LiveError {
    fn message(&self) -> Message {
        let say = |id, path: &Path| Message::new(id).with("path", visible_path(path));
        match self {
            Self::Unsupported => Message::new("read-elsewhere"),
            Self::Read { path, error } => say("read", path).with("cause", error),
            Self::TooLarge { path, most } => say("read-too-large", path).with("most", *most),
            Self::NotAFile { path } => say("read-not-a-file", path),
            Self::Silent { path } => say("read-silent-pipe", path),
            Self::NothingFound { path } => say("read-nothing-found", path),
        }
    }
}
