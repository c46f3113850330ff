//! Standard output, which reports an error if it cannot be written.
#![allow(unsafe_code, reason = "whether it was open is known only before the runtime starts")]

use std::fs::File;
use std::io::{self, BufWriter, IoSlice, IsTerminal, Stdout, Write};

use serde::Serialize;
use tcpwhy_report::json;

use crate::message::failure;

#[cfg(unix)]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Whether the descriptor was closed at the start. The Rust runtime replaces a closed one with
    /// `/dev/null`, so that no file gets its number; output would be lost silently.
    static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// Runs before the Rust runtime starts.
    // SAFETY: the loader calls functions in this section once, in the first thread. This one needs nothing of
    // the runtime.
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    #[used]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        // SAFETY: asks about a descriptor, whether it is open or not.
        let is_closed = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) } == -1;
        WAS_CLOSED.store(is_closed, Ordering::Relaxed);
    }

    pub(super) fn was_closed() -> bool {
        WAS_CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(windows)]
mod at_start {
    use std::io::stdout;
    use std::os::windows::io::AsRawHandle as _;

    /// Whether there is no handle: the Rust runtime then discards output without an error.
    pub(super) fn was_closed() -> bool {
        stdout().as_raw_handle().is_null()
    }
}

/// Standard output.
pub(crate) fn stdout() -> StandardOutput {
    StandardOutput(io::stdout())
}

/// Like [`Stdout`], but writing fails if it is closed, and errors name standard output.
#[derive(Debug)]
pub(crate) struct StandardOutput(Stdout);

impl StandardOutput {
    pub(crate) fn is_terminal(&self) -> bool {
        self.0.is_terminal()
    }

    /// Writes a JSON document and a newline: indented on a terminal, otherwise on one line.
    pub(crate) fn write_json(&mut self, document: &impl Serialize) -> io::Result<()> {
        if self.is_terminal() {
            json::to_writer_pretty(&mut *self, document)?;
        } else {
            json::to_writer(&mut *self, document)?;
        }
        writeln!(self)
    }
}

impl StandardOutput {
    /// A writer for large output in few calls. Unless on a terminal, it bypasses the line buffer of
    /// [`Stdout`] and supports vectored writes.
    pub(crate) fn for_much(mut self) -> Box<dyn Write> {
        if self.is_terminal() || self.flush().is_err() {
            return Box::new(BufWriter::new(self));
        }
        match self.copy() {
            Ok(file) => Box::new(Direct(file)),
            // Duplicating fails if no descriptor is left.
            Err(_) => Box::new(BufWriter::new(self)),
        }
    }

    #[cfg(unix)]
    fn copy(&self) -> io::Result<File> {
        use std::os::fd::AsFd as _;
        self.0.as_fd().try_clone_to_owned().map(File::from)
    }

    #[cfg(windows)]
    fn copy(&self) -> io::Result<File> {
        use std::os::windows::io::AsHandle as _;
        self.0.as_handle().try_clone_to_owned().map(File::from)
    }
}

/// Standard output without a buffer.
struct Direct(File);

impl Write for Direct {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_open()?;
        self.0.write(bytes).map_err(named)
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        check_open()?;
        self.0.write_vectored(pieces).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_open()?;
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(named)
    }
}

/// Checks that standard output is open, for output that bypasses [`StandardOutput`].
pub(crate) fn check_open() -> io::Result<()> {
    if at_start::was_closed() {
        return Err(named(io::Error::from_raw_os_error(libc::EBADF)));
    }
    Ok(())
}

/// The same error, naming standard output.
#[allow(clippy::needless_pass_by_value, reason = "it becomes another one")]
pub(crate) fn named(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), failure("standard-output").with("cause", &error))
}
