use std::io;
use std::path::{Path, PathBuf};

use tcpwhy_model::{Explained, Message};

/// Why something could not be written, in one line.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The kernel said no.
    #[error("cannot write {path}: {error}")]
    Io {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// What is read is never replaced.
    #[error("cannot write {path}: it is an input; name another file")]
    IsInput {
        /// What was to be written.
        path: PathBuf,
    },
    /// A file without our mark, which another program or a person may have written.
    #[error("cannot write {path}: tcpwhy did not write the existing file; --overwrite replaces it")]
    NotOurs {
        /// What was to be written.
        path: PathBuf,
    },
    /// A file where a new one is wanted.
    #[error("cannot write {path}: it exists already; --overwrite replaces it")]
    Exists {
        /// What was to be written.
        path: PathBuf,
    },
    /// Who made the link decides where it leads, and may change that at any time.
    #[error("cannot write {path}: the link {link} belongs to another user (uid {owner}); name the link's target")]
    ForeignLink {
        /// What was to be written.
        path: PathBuf,
        /// The link on the way there.
        link: PathBuf,
        /// Who made it.
        owner: u32,
    },
    /// Whoever made it reads what is written.
    #[error("cannot write {path}: it is a FIFO of another user (uid {owner})")]
    ForeignFifo {
        /// What was to be written.
        path: PathBuf,
        /// Who made it.
        owner: u32,
    },
    /// A link where a folder of one's own is wanted.
    #[error("cannot write to {path}: it is a link; name its target, or a new directory")]
    IsLink {
        /// Which.
        path: PathBuf,
    },
    /// A folder where one's own is wanted.
    #[error(
        "cannot write to {path}: it belongs to another user (uid {owner}); name a new directory, or one of your own"
    )]
    ForeignFolder {
        /// Which.
        path: PathBuf,
        /// Whose.
        owner: u32,
    },
    /// Others could put their files among ours.
    #[error("cannot write to {path}: other users may write there too (mode {mode:03o}); name a new directory")]
    OpenToOthers {
        /// Which.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// Files would be mixed with others.
    #[error("cannot write to {path}: it is not empty; name a new directory, or an empty one")]
    NotEmpty {
        /// Which.
        path: PathBuf,
    },
}

impl WriteError {
    pub(crate) fn io(path: &Path, error: impl Into<io::Error>) -> Self {
        Self::Io { path: path.to_owned(), error: error.into() }
    }

    /// What the kernel said, if it was the kernel.
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
