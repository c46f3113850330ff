//! Opens entries of folders: regular files only, and without blocking.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens the file at `path`; `None` unless it is a regular file, because it may have been replaced by a link
/// or a FIFO.
pub(crate) fn regular(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    // A FIFO would block, and a symbolic link may point anywhere.
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY);
    #[cfg(windows)]
    {
        /// `FILE_FLAG_OPEN_REPARSE_POINT`: opens the link itself.
        const REPARSE_POINT: u32 = 0x0020_0000;
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, REPARSE_POINT);
    }
    let file = match options.open(path) {
        Ok(file) => file,
        Err(error) if is_link(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(file.metadata()?.is_file().then_some(file))
}

/// Whether `O_NOFOLLOW` rejected a link (`ELOOP`, on FreeBSD `EMLINK`), or the file is a socket (`ENXIO`).
#[cfg(unix)]
fn is_link(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ELOOP | libc::EMLINK | libc::ENXIO))
}

#[cfg(not(unix))]
const fn is_link(_: &io::Error) -> bool {
    false
}
