//! The tables of a report.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::thread;

use arrow_array::RecordBatch;
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use tcpwhy_model::Message;
use tcpwhy_model::foreign::quoted;
use tcpwhy_table::arrow_schema::ArrowError;
use tcpwhy_table::{CaptureRecord, Content as Filling, TableKind, Tables as Rows};

use crate::analyse::Content;
use crate::errors::raised;
use crate::language::Words;
use crate::table::Table;

/// Tables that the first of two threads builds.
const FIRST: [TableKind; 4] = [TableKind::Findings, TableKind::Evidence, TableKind::Limits, TableKind::Fixes];

/// Optional contents of the tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    /// Whether they have sentences and texts of fixes.
    pub(crate) has_words: bool,
    /// Whether they have rows of `intervals`.
    pub(crate) has_intervals: bool,
}

impl Extent {
    /// The rows of `content` in tables of `kinds`.
    pub(crate) fn fill(self, content: &Content, kinds: &[TableKind]) -> Rows<'static> {
        let Self { has_words, has_intervals } = self;
        let words = content.words;
        let mut rows = Rows::new(Filling { wording: words.wording(), has_words, has_intervals }).only(kinds);
        for connection in &content.connections {
            rows.connection(content.name(), connection);
        }
        let cut_short = || content.cut_short.as_ref().map(|message| words.catalogue().message(message));
        let error = content.failure.as_ref().map(|failure| failure.text(words)).or_else(cut_short);
        let record = CaptureRecord {
            error: error.as_deref(),
            connections: Some(content.connections.len() as u64 + content.excluded),
            input_bytes: content.input_bytes,
            input_etag: content.input_etag.as_deref(),
            content_sha256: content.input_sha256.as_deref(),
            analysis_s: content.failure.is_none().then_some(content.analysis_s),
            ..CaptureRecord::default()
        };
        if content.captures.is_empty() {
            rows.end_capture(&CaptureRecord { capture: content.name(), connections: None, ..record });
        }
        // Connections of merged captures count for the first capture.
        let mut record = record;
        for (summary, name) in content.captures.iter().zip(&content.names) {
            rows.end_capture(&CaptureRecord { capture: name, summary: Some(summary), ..record });
            record.connections = None;
        }
        rows
    }

    /// The tables of `kinds`.
    pub(crate) fn tables(self, content: &Content, kinds: &[TableKind]) -> Result<Tables, ArrowError> {
        let mut rows = self.fill(content, kinds);
        rows.end_part();
        let tables = kinds.iter().map(|&kind| Ok((kind, rows.take(kind)?)));
        Ok(Tables(tables.collect::<Result<_, ArrowError>>()?))
    }

    /// All tables, built on two threads if there are many connections.
    pub(crate) fn all_tables(self, content: &Content) -> Result<Tables, ArrowError> {
        /// Fewer connections are not worth a thread.
        const LEAST: usize = 256;
        // Each group takes about half of the time.
        let is_first = |kind: &TableKind| FIRST.contains(kind);
        if content.connections.len() < LEAST {
            return self.tables(content, &TableKind::ALL);
        }
        let (first, second): (Vec<_>, Vec<_>) = TableKind::ALL.into_iter().partition(is_first);
        thread::scope(|scope| {
            let others = thread::Builder::new().spawn_scoped(scope, || self.tables(content, &second));
            let mut tables = self.tables(content, &first)?;
            let others = match others {
                Ok(others) => others.join().unwrap_or_else(|panic| resume_unwind(panic))?,
                // No second thread could be started.
                Err(_) => self.tables(content, &second)?,
            };
            tables.0.extend(others.0);
            Ok(tables)
        })
    }
}

/// The tables with these names; all tables without names.
pub(crate) fn kinds_of(names: Option<&[String]>) -> PyResult<Vec<TableKind>> {
    let Some(names) = names else { return Ok(TableKind::ALL.to_vec()) };
    let kind = |name: &String| {
        let unknown = || {
            let known = TableKind::ALL.map(TableKind::name).join(", ");
            let message = Message::new("python-tables").with("table", quoted(name)).with("known", known);
            raised::<PyValueError>(Words::default(), &message)
        };
        TableKind::of_name(name).ok_or_else(unknown)
    };
    names.iter().map(kind).collect()
}

/// Tables of `tcpwhy-tables/1` by name: attributes, and a mapping.
///
/// `capture` and `first_packet` join them. Times end in `_s` (seconds) or `_us` (microseconds), sizes in
/// `_bytes`.
#[pyclass(frozen, mapping, module = "tcpwhy")]
pub(crate) struct Tables(BTreeMap<TableKind, RecordBatch>);

impl Tables {
    fn table(&self, kind: TableKind) -> Option<Table> {
        self.0.get(&kind).map(|rows| Table::new(kind, rows.clone()))
    }

    fn attribute(&self, kind: TableKind) -> PyResult<Table> {
        let message = Message::new("python-table-not-asked").with("table", kind.name());
        let missing = || raised::<PyAttributeError>(Words::default(), &message);
        self.table(kind).ok_or_else(missing)
    }

    /// Another object with the same rows.
    pub(crate) fn share(&self) -> Self {
        Self(self.0.clone())
    }

    fn names(&self) -> Vec<&'static str> {
        self.0.keys().map(|kind| kind.name()).collect()
    }
}

#[pymethods]
impl Tables {
    /// One row per connection.
    #[getter]
    fn connections(&self) -> PyResult<Table> {
        self.attribute(TableKind::Connections)
    }

    /// One row per direction with data.
    #[getter]
    fn halves(&self) -> PyResult<Table> {
        self.attribute(TableKind::Halves)
    }

    /// One row per direction, limit and form; the seconds of a direction sum to its duration.
    #[getter]
    fn limits(&self) -> PyResult<Table> {
        self.attribute(TableKind::Limits)
    }

    /// One row per finding.
    #[getter]
    fn findings(&self) -> PyResult<Table> {
        self.attribute(TableKind::Findings)
    }

    /// One row per piece of evidence of a finding.
    #[getter]
    fn evidence(&self) -> PyResult<Table> {
        self.attribute(TableKind::Evidence)
    }

    /// One row per interval under one limit; empty without `timeline=True`.
    #[getter]
    fn intervals(&self) -> PyResult<Table> {
        self.attribute(TableKind::Intervals)
    }

    /// One row per kept request with its answer.
    #[getter]
    fn exchanges(&self) -> PyResult<Table> {
        self.attribute(TableKind::Exchanges)
    }

    /// One row per server.
    #[getter]
    fn services(&self) -> PyResult<Table> {
        self.attribute(TableKind::Services)
    }

    /// One row per problem, most severe first.
    #[getter]
    fn problems(&self) -> PyResult<Table> {
        self.attribute(TableKind::Problems)
    }

    /// One row per fix.
    #[getter]
    fn fixes(&self) -> PyResult<Table> {
        self.attribute(TableKind::Fixes)
    }

    /// One row per capture, also for one that failed.
    #[getter]
    fn captures(&self) -> PyResult<Table> {
        self.attribute(TableKind::Captures)
    }

    fn __getitem__(&self, name: &str) -> PyResult<Table> {
        let table = TableKind::of_name(name).and_then(|kind| self.table(kind));
        table.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        let kind = name.extract::<String>().ok().and_then(|name| TableKind::of_name(&name));
        kind.is_some_and(|kind| self.0.contains_key(&kind))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.names().into_pyobject(py)?.try_iter()?.into_any())
    }

    /// Names of the tables.
    fn keys(&self) -> Vec<&'static str> {
        self.names()
    }

    /// The tables.
    fn values(&self) -> Vec<Table> {
        self.0.keys().filter_map(|&kind| self.table(kind)).collect()
    }

    /// Pairs of a name and its table.
    fn items(&self) -> Vec<(&'static str, Table)> {
        self.0.keys().filter_map(|&kind| Some((kind.name(), self.table(kind)?))).collect()
    }

    fn __repr__(&self) -> String {
        let tables: Vec<_> =
            self.0.iter().map(|(kind, rows)| format!("{}: {}", kind.name(), rows.num_rows())).collect();
        format!("<tcpwhy.Tables {{{}}}>", tables.join(", "))
    }
}
