//! `tcpwhy.explain` and `tcpwhy.tables`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tcpwhy_model::Message;
use tcpwhy_model::foreign::quoted;
use tcpwhy_table::TableKind;

use crate::analyse::{Content, analyse};
use crate::anonymize::Anonymize;
use crate::errors::raised;
use crate::input::Input;
use crate::language::Words;
use crate::options::{Filter, Options, Several};
use crate::report::Report;
use crate::table::arrow_error;
use crate::tables::{Extent, Tables, kinds_of};

/// Explains a capture: what kept each of its TCP connections from going faster.
///
/// `source` is a path, `bytes`, or a binary file object with `read()`. With `merge=True` it is a list of
/// these, whose packets are merged by time. pcap and pcapng are read, plain, gzip or zstd.
///
/// - `name`: the name that is shown instead of the path.
/// - `host` (an address, `"10.0.0.0/8"`, or several), `port`, `min_bytes` (of both directions): select
///   connections. All packets are analysed.
/// - `lang`: `"en"` or `"zh-CN"`.
/// - `threads`: number of threads. The result does not depend on it.
/// - `anonymize`: replaces addresses and names. `True` uses a random key; the same passphrase always gives
///   the same addresses.
/// - `exchanges=True`: keeps every request, not only the slowest ones.
/// - `server_names=True`: reads server names of TLS and hosts of HTTP.
///
/// Raises `FileNotFoundError`, `PermissionError` and so on as `open()` does, and `CaptureError` if nothing
/// can be read. Damage is not an error: it is in `Report.captures`, and one `CaptureWarning` is issued.
#[pyfunction]
#[pyo3(signature = (
    source, *, name = None, merge = false, host = None, port = None, min_bytes = None, lang = Words::default(),
    threads = None, anonymize = Anonymize::default(), exchanges = false, server_names = false
))]
#[pyo3(
    text_signature = "(source, *, name=None, merge=False, host=None, port=None, min_bytes=None, lang='en', threads=None, anonymize=None, exchanges=False, server_names=False)"
)]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn explain(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    name: Option<&str>,
    merge: bool,
    host: Option<Several<String>>,
    port: Option<Several<u16>>,
    min_bytes: Option<u64>,
    lang: Words,
    threads: Option<usize>,
    anonymize: Anonymize,
    exchanges: bool,
    server_names: bool,
) -> PyResult<Report> {
    let options = Options {
        filter: Filter::new(host, port, min_bytes)?,
        exchanges: exchanges.into(),
        server_names: server_names.into(),
        ..Options::new(lang, threads, anonymize)?
    };
    let inputs = inputs_of(source, name, merge, lang)?;
    let analysed = py.detach(|| analyse(inputs, &options));
    Report::of(py, analysed, options.words)
}

/// One input, or the inputs to merge.
fn inputs_of(source: &Bound<'_, PyAny>, name: Option<&str>, merge: bool, lang: Words) -> PyResult<Vec<Input>> {
    let is_list = source.is_instance_of::<PyList>() || source.is_instance_of::<PyTuple>();
    match (is_list, merge) {
        (false, false) => Ok(vec![Input::of(source, name)?]),
        (true, false) => Err(raised::<PyTypeError>(lang, &Message::new("python-list"))),
        (false, true) => Err(raised::<PyTypeError>(lang, &Message::new("python-no-list"))),
        (true, true) => {
            let inputs: Vec<_> = source.try_iter()?.map(|source| Input::of(&source?, None)).collect::<PyResult<_>>()?;
            if inputs.is_empty() {
                Err(raised::<PyValueError>(lang, &Message::new("python-empty-list")))
            } else {
                Ok(inputs)
            }
        }
    }
}

/// Handling of a capture that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OnError {
    /// A report contains its error.
    #[default]
    Record,
    /// Its error is raised.
    Raise,
}

impl<'a, 'py> FromPyObject<'a, 'py> for OnError {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<String>()?.as_str() {
            "record" => Ok(Self::Record),
            "raise" => Ok(Self::Raise),
            other => Err(raised::<PyValueError>(
                Words::default(),
                &Message::new("python-on-error").with("given", quoted(other)),
            )),
        }
    }
}

/// The tables of one capture: the function for Spark, Dask, Ray and other engines.
///
/// - `source`: as in `explain()`.
/// - `name`: the value of the column `capture`; by default the path.
/// - `tables`: names of the tables to return; by default all.
/// - `on_error`: with `"record"` a capture that cannot be read gives empty tables and a row of `captures`
///   with `status` and `error`. With `"raise"` its error is raised.
/// - `input_bytes`, `input_etag`: copied into the columns of that name.
/// - `words=True`: adds sentences and texts of fixes.
/// - `timeline=True`: adds rows of `intervals`. Naming that table in `tables` does so as well.
///
/// The table `exchanges` has a row per request. Rows depend only on the capture and the version, except
/// `captures.analysis_s`. Issues no warning.
#[pyfunction]
#[pyo3(signature = (
    source, *, name = None, tables = None, threads = None, on_error = OnError::default(), input_bytes = None,
    input_etag = None, words = false, timeline = false, lang = Words::default(), anonymize = Anonymize::default()
))]
#[pyo3(
    text_signature = "(source, *, name=None, tables=None, threads=None, on_error='record', input_bytes=None, input_etag=None, words=False, timeline=False, lang='en', anonymize=None)"
)]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are converted")]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn tables(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    name: Option<&str>,
    tables: Option<Vec<String>>,
    threads: Option<usize>,
    on_error: OnError,
    input_bytes: Option<u64>,
    input_etag: Option<String>,
    words: bool,
    timeline: bool,
    lang: Words,
    anonymize: Anonymize,
) -> PyResult<Tables> {
    let kinds = kinds_of(tables.as_deref())?;
    let is_named = |kind: TableKind| tables.is_some() && kinds.contains(&kind);
    let has_exchanges = kinds.contains(&TableKind::Exchanges);
    let options = Options { exchanges: has_exchanges.into(), ..Options::new(lang, threads, anonymize)? };
    let extent = Extent { has_words: words, has_intervals: timeline || is_named(TableKind::Intervals) };
    let input = Input::of(source, name)?;
    let shown = input.name.clone();
    let analysed = py.detach(|| analyse(vec![input], &options));
    let mut content = recorded(py, analysed, &shown, &options, on_error)?;
    content.input_bytes = input_bytes.or(content.input_bytes);
    content.input_etag = input_etag;
    py.detach(|| extent.tables(&content, &kinds)).map_err(|error| arrow_error(&error))
}

/// The result of an analysis, or content with its failure, unless that is raised.
pub(crate) fn recorded(
    py: Python<'_>,
    analysed: Result<Content, crate::errors::Failure>,
    name: &str,
    options: &Options,
    on_error: OnError,
) -> PyResult<Content> {
    let failed = |failure: crate::errors::Failure| {
        if on_error == OnError::Raise || failure.is_interruption(py) {
            return Err(failure.error(py, options.words));
        }
        Ok(Content::failed(name, failure, options))
    };
    let content = analysed.or_else(failed)?;
    match &content.failure {
        Some(failure) if on_error == OnError::Raise => Err(failure.error(py, options.words)),
        _ => Ok(content),
    }
}
