use std::io;
use std::path::{Path, PathBuf};

use tcpwhy_model::{Explained, Message};

/// Reason why something could not be written, in one line.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system returned an error.
    #[error("cannot write {path}: {error}")]
    Io {
        /// File or folder that should be written.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// The file is an input, which is never replaced.
    #[error("cannot write {path}: it is an input; name another file")]
    IsInput {
        /// File that should be written.
        path: PathBuf,
    },
    /// A file without our mark, which may belong to another program or a person.
    #[error("cannot write {path}: tcpwhy did not write the existing file; --overwrite replaces it")]
    NotOurs {
        /// File that should be written.
        path: PathBuf,
    },
    /// A file exists although a new one is wanted.
    #[error("cannot write {path}: it exists already; --overwrite replaces it")]
    Exists {
        /// File that should be written.
        path: PathBuf,
    },
    /// A link of another user, who decides where it leads and may change that at any time.
    #[error("cannot write {path}: the link {link} belongs to another user (uid {owner}); name the link's target")]
    ForeignLink {
        /// File that should be written.
        path: PathBuf,
        /// Link on the path to that file.
        link: PathBuf,
        /// User id of the link's owner.
        owner: u32,
    },
    /// A FIFO of another user, who would read the output.
    #[error("cannot write {path}: it is a FIFO of another user (uid {owner})")]
    ForeignFifo {
        /// FIFO that should be written.
        path: PathBuf,
        /// User id of the FIFO's owner.
        owner: u32,
    },
    /// A link, although a folder of this user is wanted.
    #[error("cannot write to {path}: it is a link; name a new directory, or its target")]
    IsLink {
        /// Path of the link.
        path: PathBuf,
    },
    /// A folder of another user, although one of this user is wanted.
    #[error(
        "cannot write to {path}: it belongs to another user (uid {owner}); name a new directory, or one of your own"
    )]
    ForeignFolder {
        /// Path of the folder.
        path: PathBuf,
        /// User id of the folder's owner.
        owner: u32,
    },
    /// A folder in which other users could put files among ours.
    #[error("cannot write to {path}: other users may write there too (mode {mode:03o}); name a new directory")]
    OpenToOthers {
        /// Path of the folder.
        path: PathBuf,
        /// Permissions of the folder.
        mode: u32,
    },
    /// A folder with files, among which ours would be mixed.
    #[error("cannot write to {path}: it is not empty; name a new directory, or an empty one")]
    NotEmpty {
        /// Path of the folder.
        path: PathBuf,
    },
}

impl WriteError {
    pub(crate) fn io(path: &Path, error: impl Into<io::Error>) -> Self {
        Self::Io { path: path.to_owned(), error: error.into() }
    }

    /// The error of the operating system, if there was one.
    pub const fn io_error(&self) -> Option<&io::Error> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl Explained for WriteError {
    fn message(&self) -> Message {
        let say = |id, path: &Path| Message::new(id).with("path", path.display().to_string());
        match self {
            Self::Io { path, error } => say("write", path).with("cause", error),
            Self::IsInput { path } => say("write-input", path),
            Self::NotOurs { path } => say("write-not-ours", path),
            Self::Exists { path } => say("write-exists", path),
            Self::ForeignLink { path, link, owner } => {
                say("write-foreign-link", path).with("link", link.display().to_string()).with("owner", *owner)
            }
            Self::ForeignFifo { path, owner } => say("write-foreign-fifo", path).with("owner", *owner),
            Self::IsLink { path } => say("write-link", path),
            Self::ForeignFolder { path, owner } => say("write-foreign-folder", path).with("owner", *owner),
            Self::OpenToOthers { path, mode } => say("write-open-to-others", path).with("mode", format!("{mode:03o}")),
            Self::NotEmpty { path } => say("write-not-empty", path),
        }
    }
}
