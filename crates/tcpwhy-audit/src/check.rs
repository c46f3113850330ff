//! A check of hosts, and its findings.

use tcpwhy_model::{Finding, Severity};

use super::{HostFacts, Need};

/// Something that a host may have wrong. Its words are in the message catalogues under `rule-ID-…`.
#[derive(Debug)]
pub struct Check {
    /// Stable kebab-case id, never reused.
    pub id: &'static str,
    /// At most this severe.
    pub severity: Severity,
    pub(crate) needs: &'static [Need],
    pub(crate) detect: fn(&HostFacts<'_>) -> Vec<Finding>,
}

impl Check {
    /// What it lacks to say anything about this host: without a finding, that part was not checked.
    pub fn lacking(&self, facts: &HostFacts<'_>) -> Vec<Need> {
        self.needs.iter().copied().filter(|need| need.is_lacking(facts)).collect()
    }
}

/// A finding of `check`, without anything in it.
pub(crate) fn finding(check: &Check, severity: Severity, confidence: f64) -> Finding {
    Finding {
        rule: check.id,
        severity: severity.min(check.severity),
        confidence,
        seconds: None,
        evidence: Vec::new(),
        fixes: Vec::new(),
        prediction: None,
    }
}
