//! Times in Python's types.

use pyo3::prelude::*;
use pyo3::types::{PyDateTime, PyDelta, PyTzInfo};
use tcpwhy_model::Timestamp;

const NANOS_PER_SECOND: f64 = 1e9;
const NANOS_PER_MICRO: i64 = 1000;
const MICROS_PER_SECOND: i64 = 1_000_000;
const SECONDS_PER_DAY: i64 = 86_400;

/// A duration in seconds.
pub(crate) fn seconds(nanos: i64) -> f64 {
    nanos as f64 / NANOS_PER_SECOND
}

/// `datetime` in UTC, truncated to microseconds, Python's finest resolution.
pub(crate) fn datetime(py: Python<'_>, time: Timestamp) -> PyResult<Bound<'_, PyAny>> {
    let micros = time.as_nanos().div_euclid(NANOS_PER_MICRO);
    let (seconds, micros) = (micros.div_euclid(MICROS_PER_SECOND), micros.rem_euclid(MICROS_PER_SECOND));
    let (days, seconds) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
    let utc = PyTzInfo::utc(py)?;
    let epoch = PyDateTime::new(py, 1970, 1, 1, 0, 0, 0, 0, Some(&utc))?;
    // 64 bits of nanoseconds are 292 years before and after the epoch.
    let since = PyDelta::new(py, days as i32, seconds as i32, micros as i32, false)?;
    epoch.call_method1("__add__", (since,))
}
