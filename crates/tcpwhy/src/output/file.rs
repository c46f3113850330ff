//! A file that was asked for by name.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Result;

use crate::standard_output::stdout;

/// Opened anew, a file that standard output goes to would be written over from its beginning, or replaced.
const STANDARD_OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Writes `content` to `path`: the old file or the whole new one stands there, whatever happens.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    if is_standard_output(path) {
        return Ok(write_out(content)?);
    }
    Ok(tcpwhy_files::replace(path, |out| out.write_all(content))?)
}

/// The folder that the file `path` is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether `path` is another name for standard output.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    STANDARD_OUTPUT.iter().any(|name| path == Path::new(name))
}

/// Writes `content` to standard output.
pub(crate) fn write_out(content: &[u8]) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(content)?;
    out.flush()
}
