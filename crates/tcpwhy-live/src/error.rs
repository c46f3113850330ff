use std::io;
use std::path::PathBuf;

use tcpwhy_model::foreign::visible_path;

/// Why a host could not be observed at all.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The live kernel is read on Linux only; saved hosts are read everywhere.
    #[error("reading the live host is supported on Linux only; give a directory saved on a Linux host")]
    Unsupported,
    /// A file or directory could not be read.
    #[error("cannot read {path}: {error}", path = visible_path(path))]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file or directory could not be written.
    #[error("cannot write {path}: {error}", path = visible_path(path))]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There was nothing of a host in it.
    #[error("{path}: nothing of a host found: no `sysctl -a`, no `ss` output, none of the files of /proc/net", path = visible_path(path))]
    NothingFound {
        /// Where.
        path: PathBuf,
    },
}
