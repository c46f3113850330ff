//! Ctrl-C while the interpreter's lock is released.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often signals are checked for. Each time costs the interpreter's lock.
pub(crate) const CHECK_EVERY: Duration = Duration::from_millis(50);

/// Checks for signals on the thread that Python called from, and stops the work when a handler raises.
pub(crate) struct Interrupt<'a> {
    stop: &'a AtomicBool,
    last: Instant,
    error: Option<PyErr>,
}

impl<'a> Interrupt<'a> {
    /// One that sets `stop`.
    pub(crate) fn new(stop: &'a AtomicBool) -> Self {
        Self { stop, last: Instant::now(), error: None }
    }

    /// Runs the handlers of signals that have arrived, if it is time to. Other threads than the main one find
    /// none.
    pub(crate) fn check(&mut self) {
        if self.error.is_some() || self.last.elapsed() < CHECK_EVERY {
            return;
        }
        self.last = Instant::now();
        #[expect(clippy::redundant_closure_for_method_calls, reason = "the method is of one lifetime")]
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            self.error = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The exception that a handler raised.
    pub(crate) fn into_error(self) -> Option<PyErr> {
        self.error
    }
}
