//! Constructors of findings.

use tcpwhy_model::{Cause, Finding, Severity};

use super::facts::HalfFacts;
use super::rule::Rule;
use super::severity;

/// A finding of `rule` that explains no time.
pub(crate) fn note(rule: &Rule, confidence: f64) -> Finding {
    Finding {
        rule: rule.id,
        severity: rule.severity,
        confidence,
        seconds: None,
        evidence: Vec::new(),
        fixes: Vec::new(),
        prediction: None,
    }
}

impl HalfFacts<'_> {
    /// A finding of `rule` about the time under the causes for which `is_mine` is true. `None` unless the
    /// verdict names one of them or they took at least the share `least` of the span.
    pub(crate) fn explain(&self, rule: &Rule, least: f64, is_mine: impl Fn(Cause) -> bool) -> Option<Finding> {
        let (nanos, confidence) = self.half.limits.sum(&is_mine);
        let seconds = nanos as f64 / 1e9;
        let is_verdict = self.verdict.cause.is_some_and(&is_mine);
        let share = self.share(seconds);
        if !is_verdict && (share < least || nanos <= 0) {
            return None;
        }
        let main = is_verdict.then(|| self.seconds_to_act_on());
        let severity = severity::of_time(self.half, seconds, main).min(rule.severity);
        let all = self.half.limits.totals();
        let cause = self.verdict.cause.into_iter().chain(all.iter().map(|t| t.cause)).find(|&c| is_mine(c));
        let nature = cause.and_then(|c| severity::most_for(self.half, self.exchange_role, c));
        Some(Finding {
            rule: rule.id,
            severity: nature.map_or(severity, |most| severity.min(most)),
            // A finding that explains the verdict has the verdict's confidence.
            confidence: if is_verdict || nanos <= 0 { self.verdict.confidence } else { confidence },
            seconds: Some(seconds),
            evidence: Vec::new(),
            fixes: Vec::new(),
            prediction: None,
        })
    }

    /// Seconds under all causes that the fix for the verdict concerns.
    fn seconds_to_act_on(&self) -> f64 {
        let family = self.verdict.cause.and_then(Cause::family);
        self.half.limits.sum(|c| family.is_some() && c.family() == family).0 as f64 / 1e9
    }

    /// Severity of a note that costs at most `seconds`: by their share of the time, and at most a warning.
    pub(crate) fn severity_of_note(&self, seconds: f64) -> Severity {
        severity::of_time(self.half, seconds, None).min(Severity::Warning)
    }
}
