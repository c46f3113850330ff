//! What a transfer is rebuilt from.

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Detail, Finding};

use super::observed::Observed;
use tcpwhy_fit::Host;

/// A wait longer than this leaves no time for the rest of a run, seconds.
pub(super) const LONGEST_WAIT: f64 = 8.0;

/// What everything is rebuilt from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown<'a> {
    pub(super) connection: &'a Connection,
    pub(super) half: &'a HalfConnection,
    pub(super) observed: &'a Observed,
    pub(super) host: &'a Host,
}

impl<'a> Shown<'a> {
    /// Share of time under exactly `detail`.
    pub(super) fn share_of(&self, detail: Detail) -> f64 {
        self.seconds_of(detail) / self.half.span.seconds().max(f64::MIN_POSITIVE)
    }

    pub(super) fn seconds_of(&self, detail: Detail) -> f64 {
        self.half.limits.nanos_of_cause(detail.into()) as f64 / 1e9
    }

    /// The finding of `rule`.
    pub(super) fn finding(&self, rule: &str) -> Option<&'a Finding> {
        self.half.findings.iter().find(|finding| finding.rule == rule)
    }
}
