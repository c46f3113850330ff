//! The Python module `tcpwhy._tcpwhy`; `python/tcpwhy/__init__.py` exports its public names.
//!
//! One file per class. A report (`report.rs`) contains the domain types of a capture behind one `Arc`. The
//! other classes are views of it and copy a value when Python requests it.
//!
//! **Promises:** analysis runs without the interpreter's lock, and a file object takes the lock once per MiB.
//! All classes are frozen and may be used by several threads. No input makes the module panic.

mod analyse;
mod anonymize;
mod answer;
mod archive;
mod audit;
mod batches;
mod buffers;
mod capture;
mod chart;
mod connection;
mod endpoint;
mod errors;
mod exchanges;
mod explain;
mod facts;
mod finding;
mod half;
mod html;
mod input;
mod interrupt;
mod items;
mod json;
mod language;
mod many;
mod options;
mod parquet;
mod problem;
mod report;
mod rules;
mod service;
mod table;
mod tables;
mod time;
mod verdict;
mod worker;

/// Same allocator as the program: reports contain many small allocations, for which the system's allocator is
/// slow.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[pyo3::pymodule(gil_used = false)]
mod _tcpwhy {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::answer::{Answer, Rival, Then};
    #[pymodule_export]
    use crate::archive::{Archive, archive};
    #[pymodule_export]
    use crate::audit::{Audit, audit};
    #[pymodule_export]
    use crate::batches::{Batches, explain_batches};
    #[pymodule_export]
    use crate::buffers::{Buffers, buffers};
    #[pymodule_export]
    use crate::capture::{Anomaly, Capture};
    #[pymodule_export]
    use crate::chart::Picture;
    #[pymodule_export]
    use crate::connection::Connection;
    #[pymodule_export]
    use crate::endpoint::Endpoint;
    #[pymodule_export]
    use crate::errors::{CaptureError, CaptureWarning};
    #[pymodule_export]
    use crate::exchanges::{Exchange, Exchanges};
    #[pymodule_export]
    use crate::explain::{explain, tables};
    #[pymodule_export]
    use crate::finding::{Evidence, Finding, Fix, Prediction};
    #[pymodule_export]
    use crate::half::{Distribution, Half};
    #[pymodule_export]
    use crate::items::Items;
    #[pymodule_export]
    use crate::many::{Reports, explain_many};
    #[pymodule_export]
    use crate::problem::Problem;
    #[pymodule_export]
    use crate::report::Report;
    #[pymodule_export]
    use crate::rules::{Rule, rules};
    #[pymodule_export]
    use crate::service::Service;
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::tables::Tables;
    #[pymodule_export]
    use crate::verdict::{Interval, LimitShare, Limits, Verdict};

    /// Adds the version.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::facts::add::<Half>(module.py())?;
        crate::facts::add::<Service>(module.py())?;
        crate::facts::add::<Exchange>(module.py())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
