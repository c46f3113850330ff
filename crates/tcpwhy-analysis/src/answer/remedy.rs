//! A fix and its gain.

use std::ptr;

use tcpwhy_model::{Claim, Finding, Fix, FixKind, Limit, Prediction};

use super::explanation::Explanation;
use super::fixing_rules::{ROUND_TRIP_RULES, SERVER_RULES, TURNS_RULE, finding_with_fix};
use super::subject::Subject;
use crate::diagnosis::explains;
use crate::exchanges::Party;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::{Problem, Target, is_gain, leading_finding};
use crate::side::Side;

/// A fix, its gain, and the alternative fix.
#[derive(Clone, Copy, Debug)]
pub struct Remedy<'a> {
    /// The finding that proposes it.
    pub finding: &'a Finding,
    /// The fix.
    pub fix: &'a Fix,
    /// The alternative fix, if the packets do not show which of the two removes the cause.
    pub rival: Option<&'a Fix>,
    /// Predicted gain, and the present duration of the direction in seconds. `None` if the gain is small, and
    /// for many connections, because the gain of one is no promise for all.
    pub gain: Option<(&'a Prediction, f64)>,
}

impl<'a> Remedy<'a> {
    /// Returns the fix for the cause that explains `subject`.
    pub(super) fn of(subject: &Subject<'a>, explanation: &Explanation<'a>) -> Option<Self> {
        match *explanation {
            Explanation::Failed(_, finding) => Self::by(finding?, None),
            Explanation::Took(Party::Server, _) => Self::among(subject.connection, &SERVER_RULES),
            Explanation::Took(Party::RoundTrips, _) => Self::among(subject.connection, &ROUND_TRIP_RULES),
            Explanation::Took(Party::Client | Party::Transfers, _) | Explanation::Spoke(_) => None,
            Explanation::Found(finding, _, half) => Self::by(finding, Some(half.span.seconds())),
            Explanation::Limited => {
                let finding = leading_finding(subject.half).filter(|finding| is_of_cause(finding, subject.half))?;
                Self::by(finding, Some(subject.half.span.seconds()))
            }
        }
    }

    /// Returns the fix for the explanation of `subject`, whether or not it is worth a change.
    pub fn of_subject(subject: &Subject<'a>) -> Option<Self> {
        Self::of(subject, &Explanation::of(subject))
    }

    /// Returns the fix that the problem's example proposes. A scan has none: its client has to be asked.
    pub(super) fn of_problem(problem: &'a Problem) -> Option<Self> {
        if matches!(problem.key.target, Target::Scan { .. }) {
            return None;
        }
        let remedy = match Subject::of_problem(problem) {
            Some(subject) => Self::of_subject(&subject),
            None => problem.example.findings.first().and_then(|finding| Self::by(finding, None)),
        };
        Some(Self { gain: None, ..remedy? })
    }

    /// Returns the sender of the data that the finding is about; `None` for a finding about the connection.
    pub fn sender(&self, connection: &Connection) -> Option<Side> {
        let has_it = |half: &&HalfConnection| half.findings.iter().any(|finding| ptr::eq(finding, self.finding));
        connection.halves.iter().find(has_it).map(|half| half.sender)
    }

    /// Returns the first fix of `finding`. It has a gain if the present duration `now`, seconds, is known.
    pub(super) fn by(finding: &'a Finding, now: Option<f64>) -> Option<Self> {
        let fix = finding.fixes.first()?;
        let gain = now.and_then(|now| {
            let prediction = finding.prediction.as_ref()?;
            (is_promise(finding, fix, prediction) && is_gain(prediction, now)).then_some((prediction, now))
        });
        let rival = finding.fixes.get(1).filter(|fix| fix.is_rival);
        Some(Self { finding, fix, rival, gain })
    }

    /// Returns the first fix of any finding about the connection by one of `rules`, in their order.
    fn among(connection: &'a Connection, rules: &[&str]) -> Option<Self> {
        let finding = rules.iter().find_map(|rule| finding_with_fix(connection, rule))?;
        Self::by(finding, connection.requests_of(finding).map(|exchanges| exchanges.parts.seconds()))
    }
}

/// Whether a prediction is worth printing. A best case that depends on an unknown condition promises nothing.
/// Round trips were counted and timed, so their best case leaves the server's and the path's time.
fn is_promise(finding: &Finding, fix: &Fix, prediction: &Prediction) -> bool {
    match prediction.claim {
        Claim::Range => true,
        Claim::AtBest => fix.kind != FixKind::Conditional || finding.rule == TURNS_RULE,
        Claim::AtBestUntried => fix.kind != FixKind::Conditional,
    }
}

/// Whether `finding` is about the cause of the verdict. If the cause is unknown, the measurement that would
/// show it counts.
fn is_of_cause(finding: &Finding, half: &HalfConnection) -> bool {
    let is_unknown = half.verdict.cause.is_some_and(|cause| cause.limit == Limit::Unobserved);
    let is_measure = finding.fixes.first().is_some_and(|fix| fix.kind == FixKind::Measure);
    explains(finding, &half.verdict) || is_unknown && is_measure
}
