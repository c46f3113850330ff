//! A table with the Arrow `PyCapsule` interface.

use crate::errors::raised;
use crate::language::Words;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use tcpwhy_model::Message;
use tcpwhy_table::TableKind;

/// One table of `tcpwhy-tables/1`, in Arrow's memory format.
///
/// Every library that supports the Arrow `PyCapsule` interface reads it without a copy: `pyarrow.table(t)`,
/// `polars.DataFrame(t)`, `duckdb.sql("from t")`.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Table {
    kind: TableKind,
    rows: RecordBatch,
}

impl Table {
    pub(crate) fn new(kind: TableKind, rows: RecordBatch) -> Self {
        Self { kind, rows }
    }
}

/// An error of Arrow that no input causes.
pub(crate) fn arrow_error(error: &impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

#[pymethods]
impl Table {
    /// Name of the table.
    #[getter]
    fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// Description of a row.
    #[getter]
    fn about(&self) -> String {
        self.kind.about()
    }

    /// Names of the columns: a list of `str`.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.rows.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Memory in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.rows.get_array_memory_size()
    }

    fn __len__(&self) -> usize {
        self.rows.num_rows()
    }

    /// The rows as a `PyCapsule` with an `ArrowArrayStream`. `requested_schema` is ignored.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A caller that requests other types casts them itself, as the interface allows.
        let _ = requested_schema;
        let rows = RecordBatchIterator::new([Ok(self.rows.clone())], self.rows.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(rows)), c"arrow_array_stream")
    }

    /// The schema as a `PyCapsule` with an `ArrowSchema`.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.rows.schema().as_ref()).map_err(|error| arrow_error(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The table as `pyarrow.Table`. Raises `ImportError` without pyarrow.
    fn to_arrow<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        import(this.py(), &["pyarrow"], "arrow", "to_arrow")?.call_method1("table", (this,))
    }

    /// The table as `polars.DataFrame`. Raises `ImportError` without Polars.
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        import(this.py(), &["polars"], "polars", "to_polars")?.getattr("DataFrame")?.call1((this,))
    }

    /// The table as `pandas.DataFrame`. Raises `ImportError` without pandas and pyarrow.
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        import(this.py(), &["pandas", "pyarrow"], "pandas", "to_pandas")?
            .call_method1("table", (this,))?
            .call_method0("to_pandas")
    }

    fn __repr__(&self) -> String {
        format!("<tcpwhy.Table {}: {} rows, {} columns>", self.name(), self.__len__(), self.rows.num_columns())
    }
}

/// Imports `modules`, which `tcpwhy[extra]` installs, and returns the last one.
fn import<'py>(py: Python<'py>, modules: &[&str], extra: &str, method: &str) -> PyResult<Bound<'py, PyAny>> {
    let mut last = py.None().into_bound(py);
    for &module in modules {
        let imported = py.import(module).map_err(|cause| {
            let message = Message::new("python-module").with("method", method).with("extra", extra);
            let error = raised::<PyImportError>(Words::default(), &message.with("modules", modules.join(", ")));
            error.set_cause(py, Some(cause));
            error
        });
        last = imported?.into_any();
    }
    Ok(last)
}
