//! `tcpwhy.explain_batches`: the rows of one table while the capture is read, for captures whose report does
//! not fit into memory.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use tcpwhy_analysis::Connection;
use tcpwhy_capture::{CaptureError, CaptureReader};
use tcpwhy_engine::recorded::RecordedSockets;
use tcpwhy_engine::{Delivery, NameListener, Source, run};
use tcpwhy_model::foreign::quoted;
use tcpwhy_model::{Explained as _, Message};
use tcpwhy_table::arrow_schema::{ArrowError, SchemaRef};
use tcpwhy_table::{CaptureRecord, Content, TableKind, Tables};

use crate::anonymize::Anonymize;
use crate::errors::raised;
use crate::input::Input;
use crate::interrupt::{CHECK_EVERY, MainThread, check_signals, raise_later};
use crate::language::Words;
use crate::options::{Filter, Options, ServerNames, Several};
use crate::table::arrow_error;

/// Rows per batch.
const ROWS: usize = 1 << 14;
/// Batches that may wait for the reader.
const WAITING: usize = 4;

/// Explains a capture and returns the rows of `table` as an Arrow stream, while the capture is read. Memory
/// does not grow with the number of connections.
///
/// The stream (`__arrow_c_stream__`) can be read once: `pyarrow.RecordBatchReader.from_stream(b)`,
/// `polars.DataFrame(b)`, `duckdb.sql("from b")`. Rows come in any order; `exchanges` has a row per request.
/// `source` is a path or bytes: a file object would need the interpreter's lock while the stream is read. The
/// other arguments are those of `explain()`.
///
/// Raises like `explain()` if the capture cannot be opened. A later read error is in the table `captures`.
#[pyfunction]
#[pyo3(signature = (
    source, table = "connections", *, name = None, host = None, port = None, min_bytes = None, words = false,
    lang = Words::default(), threads = None, anonymize = Anonymize::default(), server_names = false
))]
#[pyo3(
    text_signature = "(source, table='connections', *, name=None, host=None, port=None, min_bytes=None, words=False, lang='en', threads=None, anonymize=None, server_names=False)"
)]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn explain_batches(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    table: &str,
    name: Option<&str>,
    host: Option<Several<String>>,
    port: Option<Several<u16>>,
    min_bytes: Option<u64>,
    words: bool,
    lang: Words,
    threads: Option<usize>,
    anonymize: Anonymize,
    server_names: bool,
) -> PyResult<Batches> {
    let kind = TableKind::of_name(table);
    let kind =
        kind.ok_or_else(|| raised::<PyValueError>(lang, &Message::new("python-table").with("table", quoted(table))))?;
    let options = Options {
        filter: Filter::new(host, port, min_bytes)?,
        exchanges: (kind == TableKind::Exchanges).into(),
        server_names: server_names.into(),
        ..Options::new(lang, threads, anonymize)?
    };
    let input = Input::of(source, name)?;
    if !input.is_repeatable() {
        return Err(raised::<PyValueError>(lang, &Message::new("python-batches-source")));
    }
    let shown = options.shown(&input.name);
    let reader = py.detach(|| input.open(&shown)).map_err(|failure| failure.error(py, lang))?;
    let (batches, waiting) = sync_channel(WAITING);
    let stop = Arc::new(AtomicBool::new(false));
    let wanted = Wanted { kind, has_words: words, shown, options };
    let stopped = Arc::clone(&stop);
    let work = move || {
        let end = wanted.stream(reader, &stopped, &batches).err();
        // The reader may be gone already.
        let _ = batches.send(end.map_or(Streamed::End, Streamed::Failed));
    };
    thread::Builder::new()
        .name("tcpwhy".to_owned())
        .spawn(work)
        .map_err(|error| PyOSError::new_err(error.to_string()))?;
    let main_thread = MainThread::seen(py)?;
    let rows =
        Rows { schema: kind.schema(), waiting, state: RowsState::Reading, stop, main_thread, last: Instant::now() };
    Ok(Batches { kind, rows: Mutex::new(Some(rows)) })
}

/// The rows of one table, which can be read once. Created by `explain_batches`.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Batches {
    kind: TableKind,
    /// `None` after they were read.
    rows: Mutex<Option<Rows>>,
}

#[pymethods]
impl Batches {
    /// Name of the table.
    #[getter]
    fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// The rows as a `PyCapsule` with an `ArrowArrayStream`. A second call raises `ValueError`.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A caller that requests other types casts them itself, as the interface allows.
        let _ = requested_schema;
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut rows =
            rows.ok_or_else(|| raised::<PyValueError>(Words::default(), &Message::new("python-stream-read")))?;
        rows.main_thread = rows.main_thread.or(MainThread::seen(py)?);
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(rows)), c"arrow_array_stream")
    }

    /// The schema as a `PyCapsule` with an `ArrowSchema`.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.kind.schema().as_ref()).map_err(|error| arrow_error(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __repr__(&self) -> String {
        format!("<tcpwhy.Batches {}>", self.kind.name())
    }
}

type Batch = Result<RecordBatch, ArrowError>;

/// Messages of the analysis. A stream without an end was cut: the thread has panicked.
enum Streamed {
    Rows(RecordBatch),
    Failed(ArrowError),
    End,
}

/// The rows as a reader of Arrow; dropping it ends the analysis.
struct Rows {
    schema: SchemaRef,
    waiting: Receiver<Streamed>,
    state: RowsState,
    stop: Arc<AtomicBool>,
    /// The thread that runs signal handlers; `None` if the stream was created on another thread.
    main_thread: Option<MainThread>,
    /// Time of the last signal check.
    last: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowsState {
    Reading,
    Ended,
}

impl Rows {
    /// Whether a signal handler has raised. Libraries of Arrow do not check for signals while they wait for
    /// rows. Other threads than the main one skip the check: the main one may hold the interpreter's lock
    /// while it waits for them.
    fn is_interrupted(&mut self) -> bool {
        if self.last.elapsed() < CHECK_EVERY || !self.main_thread.is_some_and(MainThread::is_this) {
            return false;
        }
        self.last = Instant::now();
        let Err(error) = check_signals() else { return false };
        self.stop.store(true, Ordering::Relaxed);
        self.state = RowsState::Ended;
        raise_later(error);
        true
    }
}

impl Iterator for Rows {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        if self.state == RowsState::Ended {
            return None;
        }
        let error = loop {
            if self.is_interrupted() {
                // Python raises the exception after it gets this batch. An error from here would replace it.
                return Some(Ok(RecordBatch::new_empty(Arc::clone(&self.schema))));
            }
            match self.waiting.recv_timeout(CHECK_EVERY) {
                Ok(Streamed::Rows(batch)) => return Some(Ok(batch)),
                Ok(Streamed::Failed(error)) => break Some(error),
                Ok(Streamed::End) => break None,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    break Some(ArrowError::ComputeError(
                        Words::default().catalogue().message(&Message::new("python-rows-missing")),
                    ));
                }
            }
        };
        self.state = RowsState::Ended;
        error.map(Err)
    }
}

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Parameters of a stream.
struct Wanted {
    kind: TableKind,
    has_words: bool,
    shown: String,
    options: Options,
}

impl Wanted {
    fn stream(
        &self,
        mut reader: CaptureReader,
        stop: &AtomicBool,
        batches: &SyncSender<Streamed>,
    ) -> Result<(), ArrowError> {
        let words = self.options.words;
        let has_intervals = self.kind == TableKind::Intervals;
        let content = Content { wording: words.wording(), has_words: self.has_words, has_intervals };
        let mut rows = Tables::new(content).only(&[self.kind]);
        let mut sockets = RecordedSockets::default();
        sockets.follow(&mut reader);
        let names = (self.options.server_names == ServerNames::Read).then(NameListener::default);
        if let Some(names) = &names {
            names.listen(&mut reader);
        }
        let input_bytes = reader.bytes_total();
        // The hash would identify the anonymised capture to anyone who has the original.
        let is_hashed = self.kind == TableKind::Captures && self.options.anonymizer.is_none();
        let hash = is_hashed.then(|| reader.hash_content());
        let mut add = |mut connection: Connection, _| {
            if let Some(anonymizer) = &self.options.anonymizer {
                anonymizer.connection(&mut connection);
            }
            rows.connection(&self.shown, &connection);
            if rows.rows(self.kind) >= ROWS { send(rows.take(self.kind), batches) } else { Ok(()) }
        };
        let mut present = |mut connection: Connection, number| {
            if let Some(names) = &names {
                names.name(&mut connection);
            }
            if !self.options.filter.holds(&connection) {
                return Ok(());
            }
            sockets.present(connection, number, &mut add)
        };
        let source = Source::Single(Box::new(reader));
        let outcome = run(source, Delivery::Bulk, &self.options.plan(stop), &mut |_| (), &mut present)?;
        sockets.conclude(&mut add)?;
        let error = outcome.ending.failures.first().map(CaptureError::message);
        let error = error.map(|message| words.catalogue().message(&message));
        let content_sha256 = hash.and_then(|hash| hash.hex());
        let record = CaptureRecord {
            capture: &self.shown,
            summary: outcome.ending.summaries.first(),
            error: error.as_deref(),
            connections: Some(outcome.connections),
            input_bytes,
            content_sha256: content_sha256.as_deref(),
            ..CaptureRecord::default()
        };
        rows.end_capture(&record);
        rows.end_part();
        send(rows.take(self.kind), batches)?;
        Ok(())
    }
}

/// Sends `batch`; fails if the reader is gone, which ends the analysis.
fn send(batch: Batch, batches: &SyncSender<Streamed>) -> io::Result<()> {
    let batch = batch.map_err(io::Error::other)?;
    batches.send(Streamed::Rows(batch)).map_err(|_| io::ErrorKind::Interrupted.into())
}
