//! What asks the program to end.

use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll};

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak, CtrlC, CtrlClose, ctrl_break, ctrl_c, ctrl_close};

/// Ctrl-C, and a polite end by others.
#[cfg(unix)]
pub(super) struct Signals([Signal; 2]);

/// Ctrl-C, Ctrl-Break, and a console that is closed.
#[cfg(windows)]
pub(super) struct Signals(CtrlC, CtrlBreak, CtrlClose);

impl Signals {
    /// From here on they end nothing by themselves.
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self([signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]))
    }

    /// From here on they end nothing by themselves.
    #[cfg(windows)]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self(ctrl_c()?, ctrl_break()?, ctrl_close()?))
    }

    /// Waits for any of them.
    pub(super) async fn any(&mut self) {
        poll_fn(|context| if self.is_there(context) { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    #[cfg(unix)]
    fn is_there(&mut self, context: &mut Context<'_>) -> bool {
        self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready())
    }

    #[cfg(windows)]
    fn is_there(&mut self, context: &mut Context<'_>) -> bool {
        self.0.poll_recv(context).is_ready()
            || self.1.poll_recv(context).is_ready()
            || self.2.poll_recv(context).is_ready()
    }
}
