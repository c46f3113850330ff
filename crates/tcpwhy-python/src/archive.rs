//! `tcpwhy.archive`: the captures in an archive or a folder, one after the other.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use tcpwhy_inputs::{Depth, Found, FoundCapture, Listing, Place};

use crate::analyse::{Content, work_on};
use crate::anonymize::Anonymize;
use crate::errors::Failure;
use crate::explain::{OnError, recorded};
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::language::Words;
use crate::options::{Filter, Options, Several};
use crate::report::Report;

/// Explains the captures in a tar or zip archive (also gzip or zstd of tar), or in a folder. Returns an
/// iterator of pairs: the name (`archive.tgz!member`) and its `Report`.
///
/// Members are streamed: nothing is unpacked, and memory contains one report at a time. `source` is a path,
/// or a binary file object with a tar archive. Files that are not captures are skipped. `recursive=True` also
/// reads folders below. A member that cannot be read gives a report with `error`; with `on_error="raise"` its
/// error is raised. The other arguments are those of `explain()`.
///
/// Issues no warning: `Report.captures` contains the anomalies.
#[pyfunction]
#[pyo3(signature = (
    source, *, name = None, recursive = false, on_error = OnError::default(), host = None, port = None,
    min_bytes = None, lang = Words::default(), threads = None, anonymize = Anonymize::default(), exchanges = false,
    server_names = false
))]
#[pyo3(
    text_signature = "(source, *, name=None, recursive=False, on_error='record', host=None, port=None, min_bytes=None, lang='en', threads=None, anonymize=None, exchanges=False, server_names=False)"
)]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn archive(
    source: &Bound<'_, PyAny>,
    name: Option<&str>,
    recursive: bool,
    on_error: OnError,
    host: Option<Several<String>>,
    port: Option<Several<u16>>,
    min_bytes: Option<u64>,
    lang: Words,
    threads: Option<usize>,
    anonymize: Anonymize,
    exchanges: bool,
    server_names: bool,
) -> PyResult<Archive> {
    let options = Options {
        filter: Filter::new(host, port, min_bytes)?,
        exchanges: exchanges.into(),
        server_names: server_names.into(),
        ..Options::new(lang, threads, anonymize)?
    };
    let input = Input::of(source, name)?;
    let depth = if recursive { Depth::AllLevels } else { Depth::OneLevel };
    let place = match input.path() {
        // A missing path is reported at once, as by open().
        Some(path) => {
            path.metadata().map_err(|error| crate::errors::os_error(&error, Some(path)))?;
            Place::of(path)
        }
        None => Place::of("-".as_ref()),
    };
    let (typed, shown) = match input.path() {
        Some(path) => (path.to_string_lossy().into_owned(), input.name.clone()),
        None => ("-".to_owned(), input.name.clone()),
    };
    let anonymizer = options.anonymizer.clone();
    let rename = move |path: &str| {
        let name = path.strip_prefix(&typed).map_or_else(|| path.to_owned(), |rest| format!("{shown}{rest}"));
        anonymizer.as_ref().map_or(name.clone(), |anonymizer| anonymizer.path(name.as_ref()))
    };
    let listing = Listing::new(vec![place], depth).with_names(rename);
    let input = std::sync::Arc::new(input);
    let stream = std::sync::Arc::clone(&input);
    let listing = listing.with_standard_input(move || Ok(stream.stream()));
    let (checked, last) = (std::sync::Arc::clone(&input), Mutex::new(Instant::now()));
    let listing = listing.with_check(move || checked.check_signals(&last));
    Ok(Archive { input, options, on_error, listing: Mutex::new(Some(listing)) })
}

/// Iterates over the captures of an archive or a folder.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Archive {
    input: std::sync::Arc<Input>,
    options: Options,
    on_error: OnError,
    /// `None` after its end or an error.
    listing: Mutex<Option<Listing<'static>>>,
}

#[pymethods]
impl Archive {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<(String, Report)>> {
        let mut state = self.listing.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Some(listing) = &mut *state else { return Ok(None) };
        let next = py.detach(|| self.next(listing));
        if let Some(error) = self.input.take_raised() {
            *state = None;
            return Err(error);
        }
        let Some((name, analysed)) = next else {
            *state = None;
            return Ok(None);
        };
        let content = recorded(py, analysed, &name, &self.options, self.on_error);
        match content {
            Ok(mut content) => {
                // The listing has already anonymised the name.
                content.names = vec![name.clone()];
                content.is_named = self.input.is_named;
                Ok(Some((name, content.into())))
            }
            Err(error) => {
                *state = None;
                Err(error)
            }
        }
    }
}

impl Archive {
    fn next(&self, listing: &mut Listing<'static>) -> Option<(String, Result<Content, Failure>)> {
        match listing.next()? {
            Found::Failed(failed) => Some((failed.name, Err(Failure::of_input(failed.error)))),
            Found::Capture(capture) => {
                let FoundCapture { name, reader, .. } = *capture;
                let stop = AtomicBool::new(false);
                let mut interrupt = Interrupt::new(&stop);
                let content = work_on(reader, name.clone(), &self.options, &stop, &mut || interrupt.check());
                let content = interrupt.into_error().map_or(content, |error| Err(Failure::Python(error)));
                Some((name, content))
            }
        }
    }
}
