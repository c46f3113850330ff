//! Attributes for facts that are declared once for every output format.

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyTuple, PyType};
use pyo3::{IntoPyObjectExt as _, PyClass};
use tcpwhy_report::dto::{FactValue, Facts};

/// A class whose objects have facts.
pub(crate) trait HasFacts: PyClass {
    type Facts: Facts<Subject: 'static>;

    /// Object that the facts describe.
    fn subject(&self) -> &<Self::Facts as Facts>::Subject;
}

/// Adds a property to the class of `T` for each of its facts.
pub(crate) fn add<T: HasFacts>(py: Python<'_>) -> PyResult<()> {
    let class: Bound<'_, PyType> = py.get_type::<T>();
    let property = py.import("builtins")?.getattr("property")?;
    for fact in T::Facts::facts() {
        let get = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, pyo3::types::PyDict>>| -> PyResult<Py<PyAny>> {
            let object = args.get_item(0)?;
            let value = (fact.of)(object.cast::<T>()?.borrow().subject());
            let py = args.py();
            match value {
                FactValue::Null => Ok(py.None()),
                FactValue::Tiny(value) => value.into_py_any(py),
                FactValue::Port(value) => value.into_py_any(py),
                FactValue::Integer(value) => value.into_py_any(py),
                FactValue::Real(value) => value.into_py_any(py),
                FactValue::Truth(value) => value.into_py_any(py),
                FactValue::Text(value) => value.into_py_any(py),
            }
        };
        let get = PyCFunction::new_closure(py, None, None, get)?;
        class.setattr(fact.name, property.call1((get, py.None(), py.None(), fact.about))?)?;
    }
    Ok(())
}
