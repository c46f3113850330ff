//! A check of hosts, and its findings.

use tcpwhy_model::{Finding, Severity};

use super::{HostFacts, Need};

/// A problem that a host may have. Its texts are in the message catalogues under `rule-ID-…`.
#[derive(Debug)]
pub struct Check {
    /// Stable kebab-case id, never reused.
    pub id: &'static str,
    /// Highest severity that a finding of it can have.
    pub severity: Severity,
    pub(crate) needs: &'static [Need],
    pub(crate) detect: fn(&HostFacts<'_>) -> Vec<Finding>,
}

impl Check {
    /// Parts of the host that are missing for this check: without them the absence of a finding means
    /// nothing.
    pub fn lacking(&self, facts: &HostFacts<'_>) -> Vec<Need> {
        self.needs.iter().copied().filter(|need| need.is_lacking(facts)).collect()
    }
}

/// A finding of `check` without evidence or fixes.
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
