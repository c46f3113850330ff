//! Conditions on one connection.

use tcpwhy_analysis::ProblemKey;
use tcpwhy_model::{Cause, HostPattern, Severity, Span};

/// A single condition.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only `live` and `record` ask for some of them"))]
pub(crate) enum Condition {
    /// An end has this address.
    Host(HostPattern),
    /// An end has a port from the first to the second.
    Ports(u16, u16),
    /// Both ends have IPv4 addresses, or both have others.
    Version4(bool),
    /// This host's end.
    Local(EndPattern),
    /// The other end.
    Peer(EndPattern),
    /// The name of the process contains this, in lower case.
    Process(String),
    /// The control group contains this, in lower case.
    Cgroup(String),
    /// The line that `live` shows contains this, in lower case.
    Text(String),
    /// The limit shown for the connection is this one.
    Limit(Cause),
    /// The connection was under this limit for this many seconds until now.
    Lasting(Cause, f64),
    /// The report about the connection has at least this severity.
    Severity(Severity),
    /// Both directions together carried at least this many bytes.
    Bytes(u64),
    /// The connection has this number in the report.
    Number(u64),
    /// The connection is part of this problem.
    Problem(ProblemKey),
    /// The connection was open in this time.
    Open(Span),
}

/// A pattern of one endpoint: a host, and a port if one was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndPattern {
    pub(crate) host: HostPattern,
    pub(crate) port: Option<u16>,
}
