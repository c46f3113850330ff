//! The answer: what limited the data, what that cost, on what evidence, and what to change. Its published
//! fields are declared only here.

use serde::Serialize;
use tcpwhy_analysis as analysis;
use tcpwhy_analysis::answer::{self, Explanation, Leads, Totals, Why};
use tcpwhy_analysis::{Connection, Folds, HalfConnection, Problems, Services, Side, comparison};
use tcpwhy_model::{Detail, Severity};
use tcpwhy_watch::LiveConnection;

use crate::Site;
use crate::dto::{Id, Presentation, rounded};
use crate::live::{about_outcome, after_outcome};
use crate::text::answer::Context;
use crate::text::{AnswerText, Overview};

/// The answer: what limited the data, what that cost, on what evidence, and what to change.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Answer {
    /// `limit`, `party`, `failure`, `probe`, `clock`, `nothing` or `cannot_tell`. `limit`: it limited the
    /// data. `party`: it took most of the requests' time. `clock`: the capture's clock is wrong. `nothing`:
    /// nothing is wrong.
    pub kind: Id,
    /// The cause, by kind. `limit`: the limit, or the rule of a finding about the connection as a whole.
    /// `party`: `server`, `client` or `round_trips`. `failure`: the failure, as in `failures` of services.
    /// For a problem, the same as its `cause`. Null if nothing is wrong, and for a wrong clock.
    pub cause: Option<Id>,
    /// The form of the limit.
    pub detail: Option<Id>,
    /// Number of the connection that shows it; null in the answer about one connection, and if no connection
    /// carried data.
    pub connection: Option<u64>,
    /// Index into `endpoints` of the sender of the direction concerned; null if it concerns no direction.
    pub sender: Option<usize>,
    /// `complete`, `failed` or `open` (still open at the end of the capture); null for several connections.
    pub outcome: Option<Id>,
    /// Time that it cost, in seconds; null if no time is known.
    pub seconds: Option<f64>,
    /// The total that `seconds` is a part of. `transfer`: the span of a direction or connection. `requests`:
    /// the time of a connection's requests. `connections`: the sum of the time of all connections.
    pub whole: Option<Id>,
    /// Length of that total, in seconds.
    pub of_seconds: Option<f64>,
    /// `info`, `warning` or `critical`; null if nothing is wrong.
    pub severity: Option<Id>,
    /// Share of such answers that are right, from 0 to 1; null if that was not measured.
    pub confidence: Option<f64>,
    /// Causes that the packets do not exclude, longest first.
    pub rivals: Vec<Rival>,
    /// Limits that are excluded: `receive_window`, `loss_recovery`, `path`.
    pub excluded: Vec<Id>,
    /// Rule of the finding whose fix it proposes; null if it proposes none.
    pub rule: Option<Id>,
    /// Id of that fix, as in the finding.
    pub fix_id: Option<Id>,
    /// Readiness of the change, as in the finding; null if nothing needs to be done.
    pub readiness: Option<Id>,
    /// Expected gain of the fix; null if unknown.
    pub then: Option<Then>,
    /// Ids of the facts that decided.
    pub grounds: Vec<Id>,
    /// Ends, bytes and rate, as the first line of the terminal; absent without words, and for a problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
    /// Reason, as after `WHY` in the terminal; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Fix, as after `FIX` in the terminal; absent without words, and if the clock is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// Further problem, the connection's end or a wrong clock, as after `BUT` in the terminal; absent
    /// otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub but: Option<String>,
}

impl Answer {
    /// Replaces the answer about a live connection that failed: the failure is what a reader must know first.
    pub(super) fn fail(&mut self, connection: &LiveConnection, presentation: Presentation<'_>) {
        let Some(outcome) = connection.outcome() else { return };
        self.kind = "failure".into();
        (self.cause, self.detail) = (Some(outcome.kind.id().into()), None);
        self.outcome = Some("failed".into());
        self.severity = Some(outcome.kind.severity().id().into());
        (self.rule, self.fix_id, self.readiness, self.then) = (None, None, None, None);
        self.why = presentation.say(|wording| about_outcome(connection, &outcome, wording));
        self.fix = presentation.say(|wording| after_outcome(connection, &outcome, wording));
    }
}

/// A cause that the packets do not exclude.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Rival {
    /// Limit id.
    pub limit: Id,
    /// Time that it may account for, in seconds.
    pub seconds: f64,
    /// Stable kebab-case id of the observation that would decide.
    pub would_decide_id: Id,
}

/// Expected gain of a fix.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Then {
    /// `range`: the duration is between `low_s` and `high_s`. `at_best` or `at_best_untried`: the duration is
    /// at least `low_s`.
    pub claim: Id,
    /// Shortest duration afterwards.
    pub low_s: f64,
    /// Longest duration afterwards; null unless a range is claimed.
    pub high_s: Option<f64>,
    /// Duration without the fix.
    pub now_s: f64,
    /// Limit that applies afterwards.
    pub next_limit: Id,
}

/// Whether the number of a connection is part of its answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbered {
    Yes,
    No,
}

impl Answer {
    /// The answer about all connections of `folds`.
    pub fn of_capture(folds: &Folds, presentation: Presentation<'_>) -> Self {
        Self::of_folds(&folds.leads, &folds.problems, &folds.pairs.findings().0, &folds.services, presentation)
    }

    /// The answer about all connections that `overview` counts.
    pub fn of_overview(overview: &Overview, presentation: Presentation<'_>) -> Self {
        Self::new(&overview.answer(), overview.services(), Numbered::Yes, presentation)
    }

    /// The answer about one of the captures that are compared.
    pub(super) fn of_totals(totals: &comparison::Totals, presentation: Presentation<'_>) -> Self {
        Self::of_folds(&totals.leads, &totals.problems, &[], &totals.services, presentation)
    }

    fn of_folds(
        leads: &Leads,
        problems: &Problems,
        across: &[tcpwhy_model::Finding],
        services: &Services,
        presentation: Presentation<'_>,
    ) -> Self {
        let ranked = problems.ranked();
        Self::new(&answer::Answer::of_capture(leads, &ranked, across), services, Numbered::Yes, presentation)
    }

    /// The answer about `connection` alone.
    pub fn of_connection(connection: &Connection, presentation: Presentation<'_>) -> Self {
        let answer = answer::Answer::of_connection(connection);
        Self::new(&answer, &Services::default(), Numbered::No, presentation)
    }

    /// The answer about one direction of `connection`, whichever party took the time of its requests.
    pub fn of_half(connection: &Connection, half: &HalfConnection, presentation: Presentation<'_>) -> Self {
        let answer = answer::Answer::of_direction(connection, half);
        Self::new(&answer, &Services::default(), Numbered::No, presentation)
    }

    /// The answer about `problem` in a capture with these `totals` and `services`.
    pub fn of_problem(
        problem: &analysis::Problem,
        totals: Totals,
        services: &Services,
        presentation: Presentation<'_>,
    ) -> Self {
        Self::new(&answer::Answer::of_problem(problem, totals), services, Numbered::Yes, presentation)
    }

    fn new(
        answer: &answer::Answer<'_>,
        services: &Services,
        numbered: Numbered,
        presentation: Presentation<'_>,
    ) -> Self {
        let cost = answer.cost();
        let subject = answer.subject();
        let (cause, detail) = cause(answer);
        let remedy = answer.fix().and_then(|fix| fix.remedy()).map(|(remedy, _)| remedy);
        let site = answer
            .fix()
            .and_then(|fix| fix.remedy())
            .map(|(remedy, connection)| Site::of(connection, remedy.sender(connection)));
        let readiness = answer.fix().and_then(|fix| fix.readiness(site.as_ref().map(|site| &site.ends)));
        let rival = |rival: answer::Rival| Rival {
            limit: rival.rival.id().into(),
            seconds: rival.seconds,
            would_decide_id: rival.decider.id().into(),
        };
        let say = || AnswerText::new(answer, Context::of(services), presentation.wording);
        let words = presentation.has_words.then(say);
        let (head, why, fix, but) = words.map_or((None, None, None, None), |words| {
            (Some(words.head).filter(|head| !head.is_empty()), Some(words.why), words.fix, words.but)
        });
        Self {
            kind: answer.kind().id().into(),
            cause: cause.map(Into::into),
            detail: detail.map(Into::into),
            connection: subject.filter(|_| numbered == Numbered::Yes).map(|subject| subject.connection.id),
            sender: answer.sender().map(Side::index),
            outcome: answer.outcome().map(|outcome| outcome.id().into()),
            seconds: cost.map(|cost| cost.seconds),
            whole: cost.map(|cost| cost.whole.id().into()),
            of_seconds: cost.map(|cost| cost.of_seconds),
            severity: answer.severity().map(Severity::id).map(Into::into),
            confidence: answer.confidence().map(rounded),
            rivals: answer.rivals().into_iter().map(rival).collect(),
            excluded: answer.exclusions().iter().map(|excluded| excluded.limit().id().into()).collect(),
            rule: remedy.map(|remedy| remedy.finding.rule.into()),
            fix_id: remedy.map(|remedy| remedy.fix.id.into()),
            readiness: readiness.map(|readiness| readiness.id().into()),
            then: answer.prediction().map(|(prediction, now)| Then::new(prediction, now)),
            grounds: answer.grounds().into_iter().map(|ground| ground.id().into()).collect(),
            sentence: head,
            why,
            fix,
            but,
        }
    }
}

/// The cause and its detail, as stable ids.
fn cause(answer: &answer::Answer<'_>) -> (Option<&'static str>, Option<&'static str>) {
    match answer.why() {
        Some(Why::Explained(_, Explanation::Failed(failure, _))) => (Some(failure.id()), None),
        Some(Why::FailedUnsent(_, failed)) => (Some(failed.failure.id()), None),
        Some(Why::Explained(_, Explanation::Took(party, _))) => (Some(party.id()), None),
        Some(Why::Explained(_, Explanation::Found(_, limit, _))) => (Some(limit.id()), None),
        Some(Why::Explained(subject, Explanation::Limited)) => {
            let cause = subject.half.verdict.cause;
            (cause.map(|cause| cause.limit.id()), cause.and_then(|cause| cause.detail).map(Detail::id))
        }
        Some(Why::Noticed(_, finding) | Why::Across(_, finding)) => (Some(finding.rule), None),
        Some(Why::Problem(problem)) => (Some(problem.key.cause_id()), None),
        Some(Why::ClockWrong(_) | Why::Explained(_, Explanation::Spoke(_)) | Why::AllClear(_)) | None => (None, None),
    }
}

impl Then {
    fn new(prediction: &tcpwhy_model::Prediction, now: f64) -> Self {
        let is_range = prediction.claim == tcpwhy_model::Claim::Range;
        Self {
            claim: prediction.claim.id().into(),
            low_s: prediction.seconds.low,
            high_s: is_range.then_some(prediction.seconds.high),
            now_s: now,
            next_limit: prediction.next_limit.id().into(),
        }
    }
}
