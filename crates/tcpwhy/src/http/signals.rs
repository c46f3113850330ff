//! Signals that ask the program to end.

use std::io;
use std::task::Context;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak, CtrlC, CtrlClose, ctrl_break, ctrl_c, ctrl_close};

/// Ctrl-C (SIGINT) and SIGTERM.
#[cfg(unix)]
pub(crate) struct Signals([Signal; 2]);

/// Ctrl-C, Ctrl-Break, and a closed console.
#[cfg(windows)]
pub(crate) struct Signals(CtrlC, CtrlBreak, CtrlClose);

impl Signals {
    /// Replaces their default action, which ends the process.
    #[cfg(unix)]
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self([signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]))
    }

    /// Replaces their default action, which ends the process.
    #[cfg(windows)]
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self(ctrl_c()?, ctrl_break()?, ctrl_close()?))
    }

    /// Whether a signal has arrived; if not, the next one wakes the task of `context`.
    #[cfg(unix)]
    pub(crate) fn is_there(&mut self, context: &mut Context<'_>) -> bool {
        self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready())
    }

    /// Whether a signal has arrived; if not, the next one wakes the task of `context`.
    #[cfg(windows)]
    pub(crate) fn is_there(&mut self, context: &mut Context<'_>) -> bool {
        self.0.poll_recv(context).is_ready()
            || self.1.poll_recv(context).is_ready()
            || self.2.poll_recv(context).is_ready()
    }
}
