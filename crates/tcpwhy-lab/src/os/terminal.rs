//! Programs that control a terminal.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use super::check;

/// Makes `command` start a session of its own, whose terminal is its standard input. Keys such as Ctrl-C
/// reach the programs in it, and they end when the terminal is closed. setsid(2), TIOCSCTTY(2const).
pub(crate) fn lead_terminal(command: &mut Command) {
    let lead = || -> io::Result<()> {
        // SAFETY: setsid takes no argument, and changes this process alone.
        check(unsafe { libc::setsid() })?;
        // SAFETY: TIOCSCTTY takes its argument by value; standard input is open.
        check(unsafe { libc::ioctl(libc::STDIN_FILENO, libc::TIOCSCTTY as libc::c_ulong as _, 0) })
    };
    // SAFETY: between fork and exec only system calls are made, which async-signal-safe code may do;
    // nothing is allocated.
    unsafe { command.pre_exec(lead) };
}
