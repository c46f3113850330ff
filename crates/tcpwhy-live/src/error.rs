use std::io;
use std::path::PathBuf;

/// Why a host could not be observed at all.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The live kernel is read on Linux only; saved hosts are read everywhere.
    #[error("reading the live host is supported on Linux only; give a directory saved on a Linux host")]
    Unsupported,
    /// A file or directory could not be read.
    #[error("cannot read {path}: {error}")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There was nothing of a host in it.
    #[error("{path}: nothing of a host found: no `sysctl -a`, no `ss` output, none of the files of /proc/net")]
    NothingFound {
        /// Where.
        path: PathBuf,
    },
}
