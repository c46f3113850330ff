//! Which connections are presented.

use tcpwhy_analysis::Connection;
use tcpwhy_model::{Cause, Severity, Span};
use tcpwhy_report::principal_half;

use crate::expression::Expression;
use crate::host_pattern::HostPattern;

/// All conditions; an empty list is no condition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) hosts: Vec<HostPattern>,
    pub(crate) ports: Vec<u16>,
    pub(crate) min_bytes: Option<u64>,
    pub(crate) connection: Option<u64>,
    /// As `tcpdump` takes it.
    pub(crate) expression: Option<Expression>,
    /// Limits, one of which the verdict names.
    pub(crate) limits: Vec<Cause>,
    /// Not less than this.
    pub(crate) severity: Option<Severity>,
    /// When they had packets.
    pub(crate) range: Option<Span>,
}

impl Filter {
    /// Whether `connection`, which has number `id` in the report, is to be shown. `id` is `None` while it is not known, which
    /// is never the case when one is asked for by number.
    pub(crate) fn admits(&self, connection: &Connection, id: Option<u64>) -> bool {
        let has_host = |p: &HostPattern| connection.endpoints.iter().any(|e| p.matches(e.address));
        let has_port = |p: &u16| connection.endpoints.iter().any(|e| e.port == *p);
        let bytes = || connection.halves.iter().map(|h| h.bytes).sum::<u64>();
        self.connection.is_none_or(|n| id == Some(n))
            && (self.hosts.is_empty() || self.hosts.iter().any(has_host))
            && (self.ports.is_empty() || self.ports.iter().any(has_port))
            && self.min_bytes.is_none_or(|min| bytes() >= min)
            && self.expression.as_ref().is_none_or(|expression| expression.admits(connection))
            && (self.limits.is_empty()
                || verdict_cause(connection).is_some_and(|c| self.limits.iter().any(|l| l.covers(c))))
            && self.severity.is_none_or(|least| severity(connection) >= Some(least))
            && self.range.is_none_or(|range| was_open_in(connection.span, range))
    }
}

/// What the report says that held it back.
fn verdict_cause(connection: &Connection) -> Option<Cause> {
    principal_half(connection)?.verdict.cause
}

/// How much what is said of it matters: of the direction that the report speaks of first, or of the connection as a whole.
fn severity(connection: &Connection) -> Option<Severity> {
    let of_verdict = principal_half(connection).and_then(|half| half.verdict.severity);
    of_verdict.max(connection.findings.iter().map(|finding| finding.severity).max())
}

/// Whether a connection whose packets lie in `span`, the last one included, was open in `range`, its end not included. One that
/// was silent all the while was open too.
fn was_open_in(span: Span, range: Span) -> bool {
    span.end() >= range.start() && span.start() < range.end()
}
