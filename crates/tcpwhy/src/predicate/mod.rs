//! Conditions on connections: one type and one evaluator for `--filter`, the filter words of `live`, and
//! `--when`. Each has its own grammar, so that the syntax known from `tcpdump` and `live` stays. `--fail-on`
//! also reports the time behind its answer, so it has a separate type.

mod condition;
mod gate;
mod options;
mod subject;
mod tcpdump;
#[cfg(target_os = "linux")]
mod trigger;
#[cfg(target_os = "linux")]
mod words;

use tcpwhy_model::HostPattern;

use crate::message::Failure;

pub(crate) use condition::Condition;
pub(crate) use gate::{Excess, Gate};
pub(crate) use options::FilterOptions;
pub(crate) use subject::{Numbered, Subject};
pub(crate) use tcpdump::Expression;
#[cfg(target_os = "linux")]
pub(crate) use trigger::Trigger;
#[cfg(target_os = "linux")]
pub(crate) use words::{Word, picked};

/// Parses the value of `--host`.
pub(crate) fn a_host(text: &str) -> Result<HostPattern, Failure> {
    Ok(text.parse::<HostPattern>()?)
}

/// A combination of conditions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Predicate {
    /// Always true.
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
        // In pairs, so that 100,000 conditions are nested only 17 levels deep.
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

    /// Whether it is true for `subject`.
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
