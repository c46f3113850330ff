//! When watching is to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::message::failure;
use crate::wrong::{Context as _, Result};

/// Whether somebody wants this to end: an interrupt ends the watching, not the answer.
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// From here on signals end nothing by themselves.
    pub(crate) fn on_signals() -> Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        Self::on(&[SIGINT, SIGTERM, SIGHUP])
    }

    /// The same on a screen: whose terminal is gone has nothing to give back, and crossterm 0.29 would read the end of a terminal
    /// for ever, so that signal ends the process at once.
    pub(crate) fn on_interrupts() -> Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        Self::on(&[SIGINT, SIGTERM])
    }

    fn on(signals: &[i32]) -> Result<Self> {
        let flag = Arc::new(AtomicBool::new(false));
        for &signal in signals {
            // A second one ends the process whatever it does.
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&flag))
                .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&flag)))
                .context(failure("waiting-for-signals"))?;
        }
        Ok(Self(flag))
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
