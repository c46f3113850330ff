//! Terminals: that of the program, and that of the visitor while it shows the program.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{OptionalActions, Termios, Winsize, tcgetattr, tcgetwinsize, tcsetattr, tcsetwinsize};

use super::request::Size;

/// Opens a terminal of this thread's user. Returns the side that is shown, and the side of the program.
pub(super) fn open(size: Size) -> io::Result<(OwnedFd, File)> {
    let shown = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    unlockpt(&shown)?;
    // The peer is opened by descriptor, because its path may lead to another terminal in another mount
    // namespace.
    let program = ioctl_tiocgptpeer(&shown, OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    resize(&shown, size)?;
    Ok((shown, File::from(program)))
}

/// Rows and columns of a terminal.
pub(super) fn size(terminal: impl AsFd) -> io::Result<Size> {
    let size = tcgetwinsize(terminal)?;
    Ok(Size { rows: size.ws_row, columns: size.ws_col })
}

/// Sets rows and columns.
pub(super) fn resize(terminal: impl AsFd, size: Size) -> io::Result<()> {
    Ok(tcsetwinsize(terminal, Winsize { ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0 })?)
}

/// A terminal whose keys go unchanged to a program elsewhere. Dropping this restores the terminal.
pub(super) struct Raw {
    terminal: OwnedFd,
    before: Termios,
}

impl Raw {
    pub(super) fn new(terminal: impl AsFd) -> io::Result<Self> {
        let before = tcgetattr(&terminal)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&terminal, OptionalActions::Flush, &raw)?;
        Ok(Self { terminal: terminal.as_fd().try_clone_to_owned()?, before })
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // An error means that the terminal is gone.
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.before);
    }
}
