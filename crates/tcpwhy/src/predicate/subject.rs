//! Subjects of conditions: the endpoints of a packet, a connection of a report, a watched socket.

use std::net::IpAddr;

use tcpwhy_analysis::Connection;
#[cfg(target_os = "linux")]
use tcpwhy_model::host::SocketAddress;
#[cfg(target_os = "linux")]
use tcpwhy_model::{Cause, Timestamp};
use tcpwhy_model::{Endpoint, Severity, Span};
use tcpwhy_report::principal_half;
#[cfg(target_os = "linux")]
use tcpwhy_watch::LiveConnection;

use super::condition::{Condition, EndPattern};

/// Address and port of one endpoint, if they are known.
type End = (Option<IpAddr>, Option<u16>);

/// A subject of conditions. A condition on unknown data is false.
pub(crate) trait Subject {
    /// Whether `condition` is true for it.
    fn meets(&self, condition: &Condition) -> bool;
}

/// Whether `condition` is true for these endpoints, this host's first; `None` if it concerns other data.
fn of_ends(ends: [End; 2], condition: &Condition) -> Option<bool> {
    let meets = |pattern: &EndPattern, (address, port): End| {
        address.is_some_and(|address| pattern.host.matches(address))
            && pattern.port.is_none_or(|wanted| port == Some(wanted))
    };
    Some(match condition {
        Condition::Host(pattern) => ends.iter().any(|end| end.0.is_some_and(|address| pattern.matches(address))),
        Condition::Ports(first, last) => {
            ends.iter().any(|end| end.1.is_some_and(|port| (*first..=*last).contains(&port)))
        }
        Condition::Version4(is_4) => ends.iter().all(|end| end.0.is_some_and(|address| address.is_ipv4() == *is_4)),
        Condition::Local(pattern) => meets(pattern, ends[0]),
        Condition::Peer(pattern) => meets(pattern, ends[1]),
        _ => return None,
    })
}

fn known(endpoints: &[Endpoint; 2]) -> [End; 2] {
    endpoints.each_ref().map(|end| (Some(end.address), Some(end.port)))
}

impl Subject for [Endpoint; 2] {
    fn meets(&self, condition: &Condition) -> bool {
        of_ends(known(self), condition).unwrap_or(false)
    }
}

impl Subject for Connection {
    fn meets(&self, condition: &Condition) -> bool {
        Numbered { connection: self, number: None }.meets(condition)
    }
}

/// A connection with its number in the report, if that is known.
pub(crate) struct Numbered<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) number: Option<u64>,
}

impl Subject for Numbered<'_> {
    fn meets(&self, condition: &Condition) -> bool {
        let Self { connection, number } = *self;
        if let Some(holds) = of_ends(known(&connection.endpoints), condition) {
            return holds;
        }
        match *condition {
            Condition::Problem(key) => key.concerns(connection),
            Condition::Limit(limit) => {
                principal_half(connection).and_then(|half| half.verdict.cause).is_some_and(|cause| limit.covers(cause))
            }
            Condition::Severity(least) => severity(connection) >= Some(least),
            Condition::Bytes(least) => connection.bytes() >= least,
            Condition::Number(wanted) => number == Some(wanted),
            Condition::Open(range) => was_open_in(connection.span, range),
            _ => false,
        }
    }
}

/// The severity of the report about it: about the principal direction, or about the connection as a whole.
fn severity(connection: &Connection) -> Option<Severity> {
    let of_verdict = principal_half(connection).and_then(|half| half.verdict.severity);
    of_verdict.max(connection.findings.iter().map(|finding| finding.severity).max())
}

/// Whether a connection with packets in `span`, including its end, was open in `range`, excluding its end. A
/// silent connection counts as open.
fn was_open_in(span: Span, range: Span) -> bool {
    span.end() >= range.start() && span.start() < range.end()
}

/// A watched socket, its shown limit, and the time of the newest scan.
#[cfg(target_os = "linux")]
pub(super) struct Watched<'a> {
    pub(super) connection: &'a LiveConnection,
    pub(super) limit: Cause,
    pub(super) now: Timestamp,
}

/// Least share of the requested seconds under the limit. With less, another limit would have part of the
/// time.
#[cfg(target_os = "linux")]
const LASTING_SHARE: f64 = 0.9;

#[cfg(target_os = "linux")]
impl Subject for Watched<'_> {
    fn meets(&self, condition: &Condition) -> bool {
        let Self { connection, limit, now } = *self;
        let end = |end: &SocketAddress| (end.address, end.port);
        if let Some(holds) = of_ends([end(connection.local()), end(connection.peer())], condition) {
            return holds;
        }
        let process = connection.process();
        let name = || process.map(|process| process.name.to_lowercase()).unwrap_or_default();
        match condition {
            Condition::Process(part) => name().contains(part),
            Condition::Cgroup(part) => process
                .and_then(|process| process.cgroup.as_ref())
                .is_some_and(|cgroup| cgroup.to_lowercase().contains(part)),
            Condition::Text(part) => {
                let pid = process.map(|process| process.pid.to_string()).unwrap_or_default();
                let line = format!("{} {pid} {} {} {limit}", name(), connection.local(), connection.peer());
                line.to_lowercase().contains(part)
            }
            Condition::Limit(wanted) => wanted.covers(limit),
            Condition::Lasting(wanted, seconds) => {
                let nanos = (seconds * 1e9) as i64;
                let [first, last] = connection.seen();
                // Only until the last scan, because later data is not known yet.
                let until = if connection.has_ended() { last } else { now.min(last) };
                until.since(first) >= nanos
                    && connection.seconds_under(*wanted, until, nanos) >= LASTING_SHARE * seconds
            }
            _ => false,
        }
    }
}
