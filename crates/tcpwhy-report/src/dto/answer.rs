//! The answer: what held something back, what that cost, on what evidence, and what to change. The one
//! declaration of its published fields.

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

/// What held something back, what that cost, on what evidence, and what to change.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Answer {
    /// `limit` (held data back), `party` (took the time of requests), `failure`, `probe`, `clock` (the
    /// capture's clock is wrong), `nothing` (is wrong) or `cannot_tell`.
    pub kind: Id,
    /// What it is, by kind. `limit`: the limit, or the rule of a finding about a connection as a whole.
    /// `party`: `server`, `client` or `round_trips`. `failure`: how it failed, as in `failures` of services.
    /// A problem has its `cause` here. Null where nothing is wrong, and for a wrong clock.
    pub cause: Option<Id>,
    /// The form of the limit.
    pub detail: Option<Id>,
    /// Number of the connection that shows it; null in the answer of a connection, and where none
    /// carried data.
    pub connection: Option<u64>,
    /// Index into `endpoints` of the end whose data it is about; null where it is about no direction.
    pub sender: Option<usize>,
    /// `complete`, `failed` or `open` (when the capture ended); null for several connections.
    pub outcome: Option<Id>,
    /// What it cost, in seconds; null where no time is known.
    pub seconds: Option<f64>,
    /// What these are a part of: `transfer` (the span of a direction or connection), `requests` (the
    /// time of a connection's requests) or `connections` (the time of all connections, added up).
    pub whole: Option<Id>,
    /// All of that, in seconds.
    pub of_seconds: Option<f64>,
    /// `info`, `warning` or `critical`; null where nothing is wrong.
    pub severity: Option<Id>,
    /// How often such an answer is right, from 0 to 1; null where that was not measured.
    pub confidence: Option<f64>,
    /// Causes that the packets do not exclude, longest first.
    pub rivals: Vec<Rival>,
    /// Limits that are excluded: `receive_window`, `loss_recovery`, `path`.
    pub excluded: Vec<Id>,
    /// Rule of the finding whose fix it proposes; null where it proposes none.
    pub rule: Option<Id>,
    /// Id of that fix, as in the finding.
    pub fix_id: Option<Id>,
    /// How ready the change is, as in the finding; null where there is nothing to do.
    pub readiness: Option<Id>,
    /// What the fix would bring; null where that is not known.
    pub then: Option<Then>,
    /// What decided, part by part.
    pub grounds: Vec<Id>,
    /// Who sent how much, as the first line of the terminal; left out without words, and for a problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
    /// Why, as after `WHY` in the terminal; left out without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What to change, as after `FIX` in the terminal; left out without words, and where the clock is
    /// wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// How it ended besides, or that the clock is wrong, as after `BUT` in the terminal; left out
    /// without that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub but: Option<String>,
}

impl Answer {
    /// The answer about a live connection that failed: that is what somebody has to know of it first.
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
    /// Time that may be its, in seconds.
    pub seconds: f64,
    /// Stable kebab-case id of the observation that would decide.
    pub would_decide_id: Id,
}

/// What a fix would bring.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Then {
    /// `range`: the duration lies between `low_s` and `high_s`; `at_best` or `at_best_untried`: it is
    /// `low_s` at least.
    pub claim: Id,
    /// The shortest duration afterwards.
    pub low_s: f64,
    /// The longest; null unless a range is claimed.
    pub high_s: Option<f64>,
    /// The duration now.
    pub now_s: f64,
    /// The limit that comes next.
    pub next_limit: Id,
}

/// Whether the number of a connection is part of its answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbered {
    Yes,
    No,
}

impl Answer {
    /// The answer about all connections that `folds` has.
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

    /// The answer about one direction of `connection`, whoever took the time of its requests.
    pub fn of_half(connection: &Connection, half: &HalfConnection, presentation: Presentation<'_>) -> Self {
        let answer = answer::Answer::of_direction(connection, half);
        Self::new(&answer, &Services::default(), Numbered::No, presentation)
    }

    /// The answer about `problem` of a capture of `totals` and `services`.
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

/// The cause and its form, as stable ids.
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
