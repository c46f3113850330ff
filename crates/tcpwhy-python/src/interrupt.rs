//! Handling of Ctrl-C while the interpreter's lock is released.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Interval of checks for signals. Each one needs the interpreter's lock.
pub(crate) const CHECK_EVERY: Duration = Duration::from_millis(50);

/// Checks for signals on the thread of the Python call, and stops the work if a handler raises.
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

    /// Runs the handlers of signals that have arrived, if a check is due. On other threads than the main one,
    /// no handler runs.
    pub(crate) fn check(&mut self) {
        if self.error.is_some() || self.last.elapsed() < CHECK_EVERY {
            return;
        }
        self.last = Instant::now();
        if let Err(error) = check_signals() {
            self.error = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The exception raised by a handler.
    pub(crate) fn into_error(self) -> Option<PyErr> {
        self.error
    }
}

/// Runs the handlers of signals that have arrived, with the interpreter's lock.
pub(crate) fn check_signals() -> PyResult<()> {
    #[allow(clippy::redundant_closure_for_method_calls, reason = "the method is of one lifetime")]
    Python::attach(|py| py.check_signals())
}

/// The main thread of Python: the only one that runs signal handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MainThread(ThreadId);

impl MainThread {
    /// This thread, if it is the main one.
    pub(crate) fn seen(py: Python<'_>) -> PyResult<Option<Self>> {
        let threading = py.import("threading")?;
        let is_main = threading.call_method0("current_thread")?.is(&threading.call_method0("main_thread")?);
        Ok(is_main.then(|| Self(thread::current().id())))
    }

    /// Whether the caller runs on it. Does not need the interpreter's lock.
    pub(crate) fn is_this(self) -> bool {
        thread::current().id() == self.0
    }
}

/// Raises `error` in the main thread as soon as that runs Python code again. For callers that cannot return
/// an exception.
pub(crate) fn raise_later(error: PyErr) {
    let raised = Box::into_raw(Box::new(error));
    // SAFETY: any thread may call it. `raise` is called once for each call that succeeds.
    #[expect(unsafe_code, reason = "the interpreter has no other way to raise an exception later")]
    let code = unsafe { pyo3::ffi::Py_AddPendingCall(Some(raise), raised.cast()) };
    if code != 0 {
        // The interpreter's queue is full: an exception that is already queued ends the work.
        // SAFETY: the pointer was created above, and no other code has it.
        #[expect(unsafe_code, reason = "takes back what was handed over above")]
        drop(unsafe { Box::from_raw(raised) });
    }
}

/// Called by the interpreter, with its lock, in the main thread.
extern "C" fn raise(error: *mut c_void) -> c_int {
    // SAFETY: the pointer comes from `raise_later`, once.
    #[expect(unsafe_code, reason = "takes over what was handed over in `raise_later`")]
    let error = unsafe { Box::from_raw(error.cast::<PyErr>()) };
    Python::attach(|py| error.restore(py));
    -1
}
