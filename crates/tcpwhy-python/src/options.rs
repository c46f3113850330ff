//! Arguments shared by all functions that analyse captures.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tcpwhy_analysis::Connection;
use tcpwhy_engine::Plan;
use tcpwhy_model::{HostPattern, Message};
use tcpwhy_report::Anonymizer;

use crate::anonymize::Anonymize;
use crate::errors::{bad_argument, raised};
use crate::language::Words;

/// Filter of connections; an empty list keeps all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    hosts: Vec<HostPattern>,
    ports: Vec<u16>,
    min_bytes: Option<u64>,
}

impl Filter {
    /// Parses the arguments: an address, a prefix or the beginning of an address; ports; bytes of both
    /// directions.
    pub(crate) fn new(host: Option<Several<String>>, port: Option<Several<u16>>, bytes: Option<u64>) -> PyResult<Self> {
        let hosts = host.map(|host| host.0).unwrap_or_default();
        let hosts =
            hosts.iter().map(|text| text.parse().map_err(|error| bad_argument("host", &error, Words::default())));
        let ports = port.map(|port| port.0).unwrap_or_default();
        Ok(Self { hosts: hosts.collect::<PyResult<_>>()?, ports, min_bytes: bytes })
    }

    /// Whether `connection` is kept: an end has one of the addresses, an end has one of the ports, and both
    /// directions carried enough bytes.
    pub(crate) fn holds(&self, connection: &Connection) -> bool {
        let ends = || connection.endpoints.iter();
        let has_host = |pattern: &HostPattern| ends().any(|end| pattern.matches(end.address));
        let bytes = connection.bytes();
        (self.hosts.is_empty() || self.hosts.iter().any(has_host))
            && (self.ports.is_empty() || ends().any(|end| self.ports.contains(&end.port)))
            && self.min_bytes.is_none_or(|least| bytes >= least)
    }
}

/// Exchanges to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ExchangesKept {
    /// Only the slowest ones of each connection.
    #[default]
    Slowest,
    /// All exchanges, whose memory grows with their number.
    All,
}

impl From<bool> for ExchangesKept {
    /// The argument `exchanges`.
    fn from(all: bool) -> Self {
        if all { Self::All } else { Self::Slowest }
    }
}

/// Whether server names are read from the packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ServerNames {
    /// Names are not read.
    #[default]
    Unread,
    /// Server names of TLS and hosts of HTTP are read.
    Read,
}

impl From<bool> for ServerNames {
    /// The argument `server_names`.
    fn from(read: bool) -> Self {
        if read { Self::Read } else { Self::Unread }
    }
}

/// Options of analysis and display.
#[derive(Clone, Default)]
pub(crate) struct Options {
    pub(crate) filter: Filter,
    pub(crate) words: Words,
    /// Threads that analyse one capture; `None` leaves the number to the engine.
    pub(crate) threads: Option<NonZero<usize>>,
    pub(crate) anonymizer: Option<Arc<Anonymizer>>,
    pub(crate) exchanges: ExchangesKept,
    pub(crate) server_names: ServerNames,
}

impl Options {
    /// Options from the arguments that every function has.
    pub(crate) fn new(words: Words, threads: Option<usize>, anonymize: Anonymize) -> PyResult<Self> {
        Ok(Self { words, threads: threads_of(threads, words)?, anonymizer: anonymize.0, ..Self::default() })
    }

    /// The plan of an analysis that runs until `stop` is set.
    pub(crate) fn plan<'a>(&self, stop: &'a AtomicBool) -> Plan<'a> {
        let all = Plan::default();
        let keeps_exchanges = self.exchanges == ExchangesKept::All;
        Plan { threads: self.threads.unwrap_or(all.threads), stop, keeps_exchanges, ..all }
    }

    /// The displayed name of an input: `name`, or its anonymised form.
    pub(crate) fn shown(&self, name: &str) -> String {
        self.anonymizer.as_ref().map_or_else(|| name.to_owned(), |anonymizer| anonymizer.path(name.as_ref()))
    }
}

/// The argument `threads`.
pub(crate) fn threads_of(threads: Option<usize>, words: Words) -> PyResult<Option<NonZero<usize>>> {
    /// More threads would only wait for each other.
    const MOST: usize = 1024;
    let Some(threads) = threads else { return Ok(None) };
    let threads = NonZero::new(threads).filter(|threads| threads.get() <= MOST);
    threads.map(Some).ok_or_else(|| raised::<PyValueError>(words, &Message::new("python-threads")))
}

/// One value, or several.
pub(crate) struct Several<T>(Vec<T>);

impl<'a, 'py, T: for<'b> FromPyObject<'b, 'py>> FromPyObject<'a, 'py> for Several<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // A string is also iterable, but is one value.
        let is_list = !object.is_instance_of::<PyString>() && object.try_iter().is_ok();
        if !is_list {
            return Ok(Self(vec![object.extract().map_err(Into::into)?]));
        }
        let values = object.try_iter()?.map(|value| value?.extract().map_err(Into::into));
        Ok(Self(values.collect::<PyResult<_>>()?))
    }
}
