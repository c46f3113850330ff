//! Measured rate of right answers per kind of answer.

use super::explanation::Explanation;
use super::first_lines::{Fix, Why};
use crate::problems::{Kind, Slow, principal_half};
use crate::thresholds::HEDGED_BELOW;

/// Returns the rate of right answers of this kind; `None` if it was not measured. `fix` has the finding about
/// the party that took the time of requests.
pub(super) fn of(why: &Why<'_>, fix: Option<&Fix<'_>>) -> Option<f64> {
    match *why {
        Why::Explained(subject, Explanation::Limited) => {
            let verdict = &subject.half.verdict;
            verdict.severity.and(verdict.cause).map(|_| verdict.confidence)
        }
        Why::Explained(_, Explanation::Found(finding, ..)) | Why::Noticed(_, finding) | Why::Across(_, finding) => {
            Some(finding.confidence)
        }
        Why::Explained(_, Explanation::Failed(_, finding)) => finding.map(|finding| finding.confidence),
        Why::Explained(_, Explanation::Took(..)) => fix?.remedy().map(|(remedy, _)| remedy.finding.confidence),
        Why::FailedUnsent(_, failed) => failed.finding.map(|finding| finding.confidence),
        Why::Problem(problem) => {
            let example = &*problem.example;
            let failed = example.failure().or(example.findings.first()).map(|finding| finding.confidence);
            let of_half = || principal_half(example).map(|half| half.verdict.confidence);
            let of_exchanges = || example.exchanges.as_ref().map(|exchanges| exchanges.known.confidence());
            match problem.key.kind {
                Kind::Failed(_) => failed,
                Kind::Slow(Slow::Server | Slow::RoundTrips) => of_exchanges().or_else(of_half),
                Kind::Slow(Slow::Answers(_) | Slow::Requests(_)) => of_half(),
            }
        }
        Why::ClockWrong(_) | Why::Explained(_, Explanation::Spoke(_)) | Why::AllClear(_) => None,
    }
}

/// Whether a sentence of this confidence must be marked as uncertain.
pub fn is_hedged(confidence: f64) -> bool {
    confidence < HEDGED_BELOW.get()
}
