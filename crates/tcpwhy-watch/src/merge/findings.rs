//! What was found of a direction, after the kernel's word.

use tcpwhy_analysis::advise::{explains, is_failure};
use tcpwhy_analysis::{HalfConnection, RULES, Verdict};
use tcpwhy_model::{Cause, EvidenceKey, Finding, LimitTimeline, Prediction};

use crate::thresholds::{FINDING_KEPT, SAME_TIME};

/// A direction and what the kernel's word makes of it.
#[derive(Clone, Copy)]
pub(super) struct Merging<'a> {
    /// As the packets show it.
    pub(super) before: &'a HalfConnection,
    /// Its time by kernel and packets.
    pub(super) limits: &'a LimitTimeline,
    /// The verdict on that.
    pub(super) verdict: &'a Verdict,
}

impl Merging<'_> {
    /// The findings of the packets that have time in `limits`, with their seconds in it, and `own`, the
    /// socket's finding for the verdict. `predict` returns the gain from removing a cause.
    pub(super) fn findings(&self, own: Option<Finding>, predict: &dyn Fn(Cause) -> Option<Prediction>) -> Vec<Finding> {
        let is_same_cause = self.verdict.cause == self.before.verdict.cause;
        let mut findings: Vec<Finding> =
            self.before.findings.iter().filter_map(|finding| self.kept(finding.clone(), predict)).collect();
        let is_explained = is_same_cause && findings.iter().any(|finding| explains(finding, self.verdict));
        if let Some(own) = own.filter(|_| !is_explained) {
            findings.retain(|finding| finding.rule != own.rule && !self.is_rival_of(finding));
            findings.push(own);
        }
        if self.verdict.alternative.is_none() {
            drop_alternatives(&mut findings);
        }
        findings
    }

    /// Whether `finding` would explain a verdict that names another cause than the packets did. A failure
    /// stays.
    fn is_rival_of(&self, finding: &Finding) -> bool {
        explains(finding, self.verdict) && !is_failure(finding.rule)
    }

    /// `finding` with its seconds in the merged time; `None` where hardly any of that is left.
    fn kept(&self, mut finding: Finding, predict: &dyn Fn(Cause) -> Option<Prediction>) -> Option<Finding> {
        let limits = RULES.iter().find(|rule| rule.id == finding.rule)?.limits;
        if limits.is_empty() || is_failure(finding.rule) {
            return Some(finding);
        }
        let [before, after] = [&self.before.limits, self.limits]
            .map(|timeline| timeline.sum(|cause| limits.contains(&cause.limit)).0.unsigned_abs());
        if before > 0 && !FINDING_KEPT.is_reached(after, before) {
            return None;
        }
        let is_of_all = |seconds: f64| seconds * 1e9 >= before as f64 * SAME_TIME;
        if let Some(seconds) = &mut finding.seconds {
            let all = after as f64 / 1e9;
            *seconds = if is_of_all(*seconds) { all } else { seconds.min(all) };
        }
        let is_unchanged = before.abs_diff(after) as f64 <= before as f64 * (1.0 - SAME_TIME);
        if finding.prediction.is_some() && !is_unchanged {
            let cause = self.verdict.cause.filter(|_| explains(&finding, self.verdict));
            finding.prediction = cause.and_then(predict);
        }
        Some(finding)
    }
}

/// Removes evidence for a cause that is excluded now.
pub(super) fn drop_alternatives(findings: &mut [Finding]) {
    for finding in findings {
        finding
            .evidence
            .retain(|evidence| !matches!(evidence.key, EvidenceKey::AlternativeLimit | EvidenceKey::WouldDecide));
    }
}
