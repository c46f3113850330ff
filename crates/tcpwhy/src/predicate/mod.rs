//! Conditions on connections: one type and one evaluator behind `--filter`, the words of `live`, `--when` and
//! `--fail-on`. Each of these has its own grammar: what people know from `tcpdump` and from `live` stays as
//! it is.

mod gate;
mod options;
mod subject;
mod tcpdump;
#[cfg(target_os = "linux")]
mod trigger;
#[cfg(target_os = "linux")]
mod words;

use tcpwhy_analysis::ProblemKey;
use tcpwhy_model::{Cause, HostPattern, Severity, Span};

use crate::message::Failure;

pub(crate) use gate::Gate;
pub(crate) use options::FilterOptions;
pub(crate) use subject::{Numbered, Subject};
pub(crate) use tcpdump::Expression;
#[cfg(target_os = "linux")]
pub(crate) use trigger::Trigger;
#[cfg(target_os = "linux")]
pub(crate) use words::{Word, picked};

/// `--host` as typed.
pub(crate) fn a_host(text: &str) -> Result<HostPattern, Failure> {
    Ok(text.parse::<HostPattern>()?)
}

/// Conditions joined.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Predicate {
    /// Holds of everything.
    Always,
    /// This holds.
    Is(Condition),
    /// This does not hold.
    Not(Box<Self>),
    /// Both hold.
    And(Box<Self>, Box<Self>),
    /// One of them holds.
    Or(Box<Self>, Box<Self>),
}

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
    /// The limit that is shown of the connection is this one.
    Limit(Cause),
    /// The verdict of a direction names this limit.
    Verdict(Cause),
    /// A direction spent at least this share of its time under the limit.
    Share(Cause, f64),
    /// The limit held the connection until now, for so many seconds.
    Lasting(Cause, f64),
    /// What is reported of the connection is at least so severe.
    Severity(Severity),
    /// Both directions carried at least so many bytes.
    Bytes(u64),
    /// The connection has this number in the report.
    Number(u64),
    /// The connection is part of this problem.
    Problem(ProblemKey),
    /// The connection was open in this time.
    Open(Span),
}

/// A pattern of one end: a host, and a port if one was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndPattern {
    pub(crate) host: HostPattern,
    pub(crate) port: Option<u16>,
}

impl From<Condition> for Predicate {
    fn from(condition: Condition) -> Self {
        Self::Is(condition)
    }
}

impl Predicate {
    /// Both hold.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Always, one) | (one, Self::Always) => one,
            (one, other) => Self::And(Box::new(one), Box::new(other)),
        }
    }

    /// One of `conditions` holds; without any, everything does.
    pub(crate) fn any(conditions: impl IntoIterator<Item = Condition>) -> Self {
        let mut joined: Vec<Self> = conditions.into_iter().map(Self::from).collect();
        // In pairs, so that a hundred thousand of them lie within each other as deep as seventeen.
        while joined.len() > 1 {
            let mut rest = joined.into_iter();
            joined = std::iter::from_fn(|| {
                let one = rest.next()?;
                Some(match rest.next() {
                    Some(other) => Self::Or(Box::new(one), Box::new(other)),
                    None => one,
                })
            })
            .collect();
        }
        joined.pop().unwrap_or(Self::Always)
    }

    /// Whether it holds of `subject`.
    pub(crate) fn holds(&self, subject: &dyn Subject) -> bool {
        match self {
            Self::Always => true,
            Self::Is(condition) => subject.meets(condition),
            Self::Not(inner) => !inner.holds(subject),
            Self::And(one, other) => one.holds(subject) && other.holds(subject),
            Self::Or(one, other) => one.holds(subject) || other.holds(subject),
        }
    }
}
