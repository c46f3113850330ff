//! The first lines in their fullest wording, for readers that have room.

use tcpwhy_analysis::answer::{Answer, Fix, ProblemAdvice, Subject, Totals};
use tcpwhy_analysis::{Connection, HalfConnection, Problem, Services, Side};

use super::{Context, Words, excluded, lines};
use crate::Wording;
use crate::text::{Look, Overview};

/// The first lines, and the text below them.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerText {
    /// Sender of the data that it is about; `None` if nothing was sent, or for many connections.
    pub sender: Option<Side>,
    /// Ends, bytes and rate; empty if the reader knows them already.
    pub head: String,
    /// Limit or failure; without a connection, that there is none.
    pub why: String,
    /// The change, or the reason why there is none; `None` if the capture's clock is wrong.
    pub fix: Option<String>,
    /// Whether the packets show the change, or that none is needed. Otherwise the fix is a command that shows
    /// more.
    pub is_shown: bool,
    /// Whether the fix is a change, not a reason why there is none.
    pub is_change: bool,
    /// Whether the fix has an expected gain.
    pub has_gain: bool,
    /// Whether a limit of the sender explains it, not a party of the requests or a failure.
    pub is_limit: bool,
    /// Rule of the finding that the fix belongs to; `None` if it belongs to none.
    pub rule: Option<&'static str>,
    /// Further problem: the connection's end, or a wrong clock of the capture.
    pub but: Option<String>,
    /// Numbers behind the answer, and excluded limits.
    pub below: Vec<String>,
    /// Share of such answers that are right, from 0 to 1; `None` if that was not measured.
    pub confidence: Option<f64>,
    /// Excluded limits, the last entry of `below`; `None` if nothing is excluded.
    pub excluded: Option<String>,
}

/// Wide enough for every wording.
pub(super) const WIDE: Look = Look { width: usize::MAX / 2, has_color: false, has_unicode: true };

/// The two ends, then the numbers behind the first lines, and the excluded limits.
pub(crate) fn below(wording: Wording<'_>, subject: &Subject<'_>) -> Vec<String> {
    Words { wording, look: WIDE }.below(subject)
}

impl AnswerText {
    /// The words of the answer about all connections of `overview`.
    pub fn of(overview: &Overview, wording: Wording<'_>) -> Self {
        Self::new(&overview.answer(), Context::of(overview.services()), wording)
    }

    /// The words of the answer about `connection` alone.
    pub fn of_connection(connection: &Connection, wording: Wording<'_>) -> Self {
        Self::new(&Answer::of_connection(connection), Context::of(&Services::default()), wording)
    }

    /// The words of the answer about one direction of `connection`, whichever party took the time of its
    /// requests.
    pub fn of_half(connection: &Connection, half: &HalfConnection, wording: Wording<'_>) -> Self {
        let answer = Answer::of_direction(connection, half);
        Self { head: String::new(), ..Self::new(&answer, Context::of(&Services::default()), wording) }
    }

    /// The words of the answer about `problem`; `services` are all services of the capture.
    pub fn of_problem(problem: &Problem, totals: Totals, services: &Services, wording: Wording<'_>) -> Self {
        Self::new(&Answer::of_problem(problem, totals), Context::of(services), wording)
    }

    /// The words of `answer`.
    pub(crate) fn new(answer: &Answer<'_>, context: Context<'_>, wording: Wording<'_>) -> Self {
        let words = Words { wording, look: WIDE };
        let mut all = lines(words, answer, context);
        let mut take = |label: &str| {
            let found = all.iter().position(|line| line.label == label)?;
            all.remove(found).wordings.into_iter().next()
        };
        let is_shown = !matches!(answer.fix(), Some(Fix::Problem(_, ProblemAdvice::NotShown) | Fix::Look(_)));
        let head = take("").unwrap_or_default();
        let only = answer.only();
        let remedy = answer.fix().and_then(|fix| fix.remedy()).map(|(remedy, _)| remedy);
        Self {
            is_change: answer.fix().is_some_and(|fix| fix.is_change()),
            has_gain: remedy.is_some_and(|remedy| remedy.gain.is_some()),
            is_limit: only.is_some_and(|(_, explanation, _)| explanation.is_limit()),
            rule: only.and(remedy).map(|remedy| remedy.finding.rule),
            sender: only.map(|(subject, ..)| subject.half.sender),
            why: take("answer-why").unwrap_or_else(|| head.clone()),
            head,
            fix: take("answer-fix"),
            is_shown,
            but: take("answer-but"),
            confidence: answer.confidence(),
            excluded: only.and_then(|_| excluded::excluded(wording, &answer.exclusions())),
            // The first line names the two ends, which the caller shows elsewhere.
            below: only.map_or_else(Vec::new, |(subject, ..)| words.below(&subject).split_off(1)),
        }
    }

    /// The change for `problem`; `None` if the packets do not show it.
    pub fn fix_of(problem: &Problem, wording: Wording<'_>) -> Option<String> {
        let words = Words { wording, look: WIDE };
        let advice = ProblemAdvice::of(problem);
        words.problem_advice(problem, advice).filter(|_| advice.is_change())?.into_iter().next()
    }
}
