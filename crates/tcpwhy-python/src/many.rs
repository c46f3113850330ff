//! `tcpwhy.explain_many`: several captures at the same time, with results in their order.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyIterator, PyMemoryView, PyString};
use tcpwhy_model::Message;

use crate::anonymize::Anonymize;
use crate::errors::{Failure, raised};
use crate::explain::{OnError, recorded};
use crate::input::Input;
use crate::language::Words;
use crate::options::{Filter, Options, Several, threads_of};
use crate::report::Report;
use crate::worker::{Analysed, Pending, Workers};

/// Captures per thread that are queued: one is ready when a thread has finished.
const AHEAD: usize = 2;

/// Interval of signal checks while waiting for a capture.
const CHECK_EVERY: Duration = Duration::from_millis(50);

/// Explains several captures at the same time, each on one thread. Returns an iterator of `Report`, in the
/// order of `paths`.
///
/// `paths` is an iterable of sources as in `explain()`; it is read as far as needed. `threads` captures are
/// analysed at a time, by default one per processor. A capture that cannot be read gives a report with
/// `error` and without connections; with `on_error="raise"` its error is raised. The other arguments are
/// those of `explain()`.
///
/// Issues no warning: `Report.captures` contains the anomalies.
#[pyfunction]
#[pyo3(signature = (
    paths, *, threads = None, on_error = OnError::default(), host = None, port = None, min_bytes = None,
    lang = Words::default(), anonymize = Anonymize::default(), exchanges = false, server_names = false
))]
#[pyo3(
    text_signature = "(paths, *, threads=None, on_error='record', host=None, port=None, min_bytes=None, lang='en', anonymize=None, exchanges=False, server_names=False)"
)]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn explain_many(
    paths: &Bound<'_, PyAny>,
    threads: Option<usize>,
    on_error: OnError,
    host: Option<Several<String>>,
    port: Option<Several<u16>>,
    min_bytes: Option<u64>,
    lang: Words,
    anonymize: Anonymize,
    exchanges: bool,
    server_names: bool,
) -> PyResult<Reports> {
    refuse_one(paths)?;
    let all = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = threads_of(threads, lang)?.unwrap_or_else(all);
    let options = Arc::new(Options {
        filter: Filter::new(host, port, min_bytes)?,
        exchanges: exchanges.into(),
        server_names: server_names.into(),
        ..Options::new(lang, Some(1), anonymize)?
    });
    let most_ahead = AHEAD * threads.get();
    let workers = Workers::start(threads, most_ahead, &options)?;
    let paths = paths.try_iter()?.unbind();
    let state = State { paths: Some(paths), pending: VecDeque::new(), workers: Some(workers) };
    Ok(Reports { options, on_error, most_ahead, state: Mutex::new(state) })
}

/// Refuses one capture instead of several: a `str` would be iterated letter by letter, a file line by line.
fn refuse_one(paths: &Bound<'_, PyAny>) -> PyResult<()> {
    let is_bytes = paths.is_instance_of::<PyBytes>() || paths.is_instance_of::<PyByteArray>();
    let is_one = is_bytes
        || paths.is_instance_of::<PyString>()
        || paths.is_instance_of::<PyMemoryView>()
        || paths.hasattr("__fspath__")?
        || paths.hasattr("read")?;
    if is_one {
        let kind = paths.get_type().name()?;
        return Err(raised::<PyTypeError>(
            Words::default(),
            &Message::new("python-many-source").with("kind", kind.to_string()),
        ));
    }
    Ok(())
}

/// Iterates over the reports of several captures.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Reports {
    options: Arc<Options>,
    on_error: OnError,
    most_ahead: usize,
    state: Mutex<State>,
}

struct State {
    /// `None` after it has ended or has raised.
    paths: Option<Py<PyIterator>>,
    pending: VecDeque<Waiting>,
    /// `None` after an error.
    workers: Option<Workers>,
}

/// A queued capture, or the error in its place.
enum Waiting {
    Capture(Pending),
    /// The source was not a path, bytes or file; or the iterable raised.
    Raised(PyErr),
}

impl State {
    /// Submits captures until `most` are queued. An error of the iterable is raised in its turn; an exception
    /// that is not an `Exception`, such as Ctrl-C, is raised at once.
    fn hand_out(&mut self, py: Python<'_>, most: usize) -> PyResult<()> {
        while self.pending.len() < most {
            let (Some(paths), Some(workers)) = (&self.paths, &self.workers) else { return Ok(()) };
            let Some(source) = paths.bind(py).clone().next() else {
                self.paths = None;
                return Ok(());
            };
            let waiting = source.and_then(|source| Input::of(&source, None));
            match waiting {
                Ok(input) => self.pending.push_back(Waiting::Capture(workers.submit(input))),
                Err(error) if !error.is_instance_of::<PyException>(py) => return Err(error),
                Err(error) => {
                    self.paths = None;
                    self.pending.push_back(Waiting::Raised(error));
                }
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Reports {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        let mut state = self.lock(py);
        let next = state.hand_out(py, self.most_ahead).map(|()| state.pending.pop_front());
        let result = match next {
            Ok(None) => return Ok(None),
            Err(error) | Ok(Some(Waiting::Raised(error))) => Err(error),
            Ok(Some(Waiting::Capture(pending))) => {
                let Pending { name, is_named, analysed } = pending;
                let analysed = wait(py, analysed);
                let mut content = recorded(py, analysed, &name, &self.options, self.on_error);
                if let Ok(content) = &mut content {
                    content.is_named = is_named;
                }
                content
            }
        };
        if result.is_err() {
            // Like a generator that has raised, it returns no more elements.
            *state = State { paths: None, pending: VecDeque::new(), workers: None };
        }
        result.map(|content| Some(content.into()))
    }
}

impl Reports {
    /// Another thread may hold it and need the interpreter's lock.
    fn lock(&self, py: Python<'_>) -> std::sync::MutexGuard<'_, State> {
        use pyo3::sync::MutexExt as _;
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits without the interpreter's lock, and checks for signals.
fn wait(py: Python<'_>, mut analysed: Receiver<Analysed>) -> Analysed {
    loop {
        // The receiver is moved into the closure and back, because it cannot be shared between threads.
        let (received, receiver) = py.detach(move || (analysed.recv_timeout(CHECK_EVERY), analysed));
        analysed = receiver;
        match received {
            Ok(analysed) => return analysed,
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::Stopped),
            Err(RecvTimeoutError::Timeout) => py.check_signals().map_err(Failure::Python)?,
        }
    }
}
