//! Opening what was found in a folder: regular files only, and without waiting for anybody.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens the file at `path`; `None` unless it is a regular one. It may have become a link or a FIFO.
pub(crate) fn regular(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    // A FIFO would be waited for, a link lead anywhere.
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY);
    #[cfg(windows)]
    {
        /// `FILE_FLAG_OPEN_REPARSE_POINT`: the link itself.
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

/// `O_NOFOLLOW` fails for a link with `ELOOP`, on FreeBSD with `EMLINK`; a socket fails with `ENXIO`.
#[cfg(unix)]
fn is_link(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ELOOP | libc::EMLINK | libc::ENXIO))
}

#[cfg(not(unix))]
const fn is_link(_: &io::Error) -> bool {
    false
}
