//! Signals that end the watching.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::message::failure;
use crate::wrong::{Context as _, Result};

/// Whether an interrupt arrived: it ends the watching, but the result is still printed.
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Replaces the signals' default action, which ends the process.
    pub(crate) fn on_signals() -> Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        Self::on(&[SIGINT, SIGTERM, SIGHUP])
    }

    /// The same for a screen, without SIGHUP. Without its terminal there is nothing to restore, and crossterm
    /// 0.29 would read its end of file for ever. So that signal ends the process at once.
    pub(crate) fn on_interrupts() -> Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        Self::on(&[SIGINT, SIGTERM])
    }

    fn on(signals: &[i32]) -> Result<Self> {
        let flag = Arc::new(AtomicBool::new(false));
        for &signal in signals {
            // A second signal ends the process even if it does not react to the first.
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
