//! The options that select connections.

use tcpwhy_analysis::ProblemKey;
use tcpwhy_model::{Cause, HostPattern, Severity, Span};

use super::{Condition, Expression, Predicate};

/// All conditions; an empty list is no condition.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilterOptions {
    pub(crate) hosts: Vec<HostPattern>,
    pub(crate) ports: Vec<u16>,
    pub(crate) min_bytes: Option<u64>,
    pub(crate) connection: Option<u64>,
    /// Filter in the syntax of `tcpdump`.
    pub(crate) expression: Option<Expression>,
    /// Permitted limits of the verdict.
    pub(crate) limits: Vec<Cause>,
    /// Least severity.
    pub(crate) severity: Option<Severity>,
    /// The problem to which they belong.
    pub(crate) problem: Option<ProblemKey>,
    /// Time range in which they had packets.
    pub(crate) range: Option<Span>,
}

impl FilterOptions {
    /// The conjunction of all conditions.
    pub(crate) fn predicate(&self) -> Predicate {
        let hosts = Predicate::any(self.hosts.iter().cloned().map(Condition::Host));
        let ports = Predicate::any(self.ports.iter().map(|&port| Condition::Ports(port, port)));
        let limits = Predicate::any(self.limits.iter().copied().map(Condition::Limit));
        let others = [
            self.connection.map(Condition::Number),
            self.min_bytes.map(Condition::Bytes),
            self.severity.map(Condition::Severity),
            self.problem.map(Condition::Problem),
            self.range.map(Condition::Open),
        ];
        let expression = self.expression.as_ref().map_or(Predicate::Always, Expression::predicate);
        let others = others.into_iter().flatten().map(Predicate::from);
        [hosts, ports, expression, limits].into_iter().chain(others).fold(Predicate::Always, Predicate::and)
    }
}
