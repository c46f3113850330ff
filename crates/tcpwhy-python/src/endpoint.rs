//! One end of a connection.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tcpwhy_analysis::{Connection, Side};
use tcpwhy_model as model;

/// One end of a connection: IP address and TCP port. Unpacks as a pair: `address, port = endpoint`.
#[pyclass(frozen, eq, hash, module = "tcpwhy")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Endpoint {
    /// IP address, as text.
    #[pyo3(get)]
    address: String,
    /// TCP port.
    #[pyo3(get)]
    port: u16,
    /// Name that the client used for this end, its server: server name of TLS, host of HTTP. `None` unless
    /// `server_names=True` and the packets contain it. The client chose it, so it is not trusted.
    #[pyo3(get)]
    server_name: Option<String>,
    /// Text form in the report.
    text: String,
}

impl Endpoint {
    pub(crate) fn new(connection: &Connection, side: Side) -> Self {
        let end = connection.endpoints[side.index()];
        let server_name = connection.name_of(side).map(str::to_owned);
        Self { server_name, ..Self::plain(end) }
    }

    /// `10.0.0.1:80`, `[::1]:80`.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// An endpoint without a server name.
    pub(crate) fn plain(end: model::Endpoint) -> Self {
        let model::Endpoint { address, port } = end;
        Self { address: address.to_string(), port, server_name: None, text: end.to_string() }
    }
}

#[pymethods]
impl Endpoint {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pair = PyTuple::new(
            py,
            [self.address.as_str().into_pyobject(py)?.into_any(), self.port.into_pyobject(py)?.into_any()],
        )?;
        Ok(pair.try_iter()?.into_any())
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Endpoint(address={:?}, port={})", self.address, self.port)
    }
}
