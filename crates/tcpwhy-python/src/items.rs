//! Sequences as in Python: indices from both ends, slices, iteration.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::errors::raised;
use crate::language::Words;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};
use tcpwhy_model::Message;

/// The elements selected by `index`: one element, or the list of a slice.
pub(crate) fn pick<'py, T>(
    index: &Bound<'py, PyAny>,
    len: usize,
    mut element: impl FnMut(usize) -> T,
) -> PyResult<Bound<'py, PyAny>>
where
    T: IntoPyObject<'py>,
{
    let py = index.py();
    let mut object = |at| element(at).into_bound_py_any(py);
    if let Ok(slice) = index.cast::<PySlice>() {
        let picked = slice.indices(len as isize)?;
        let list = PyList::empty(py);
        let mut at = picked.start;
        for _ in 0..picked.slicelength {
            list.append(object(at as usize)?)?;
            at += picked.step;
        }
        return Ok(list.into_any());
    }
    let index: isize = index.extract()?;
    let at = if index < 0 { index.saturating_add(len as isize) } else { index };
    match usize::try_from(at) {
        Ok(at) if at < len => object(at),
        _ => Err(raised::<PyIndexError>(
            Words::default(),
            &Message::new("python-index").with("index", index.to_string()).with("count", len),
        )),
    }
}

/// Iterates over a sequence.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Items {
    sequence: Py<PyAny>,
    next: AtomicUsize,
}

impl Items {
    /// An iterator from the first element.
    pub(crate) fn of<T: pyo3::PyClass>(sequence: &Bound<'_, T>) -> Self {
        Self { sequence: sequence.clone().into_any().unbind(), next: AtomicUsize::new(0) }
    }
}

#[pymethods]
impl Items {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let sequence = self.sequence.bind(py);
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        if at >= sequence.len()? {
            return Ok(None);
        }
        sequence.get_item(at).map(Some)
    }
}

/// Index of `value` among the elements from `start` to `stop`, as in `list.index`.
pub(crate) fn index_of<T: pyo3::PyClass>(
    sequence: &Bound<'_, T>,
    value: &Bound<'_, PyAny>,
    start: isize,
    stop: Option<isize>,
) -> PyResult<usize> {
    abstract_sequence(sequence.py())?.call_method1("index", (sequence, value, start, stop))?.extract()
}

/// Number of elements that equal `value`.
pub(crate) fn count_of<T: pyo3::PyClass>(sequence: &Bound<'_, T>, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    abstract_sequence(sequence.py())?.call_method1("count", (sequence, value))?.extract()
}

/// The elements in reverse order.
pub(crate) fn reversed<'py, T: pyo3::PyClass>(sequence: &Bound<'py, T>) -> PyResult<Bound<'py, PyAny>> {
    let py = sequence.py();
    let backwards = py.import("builtins")?.call_method1("slice", (py.None(), py.None(), -1))?;
    Ok(sequence.as_any().get_item(backwards)?.try_iter()?.into_any())
}

fn abstract_sequence(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("collections.abc")?.getattr("Sequence")
}
