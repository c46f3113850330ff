//! The first lines for readers with room for them: each in its fullest wording.

use tcpwhy_analysis::answer::{Answer, Fix, ProblemAdvice, Subject, Totals};
use tcpwhy_analysis::{Connection, HalfConnection, Problem, Services, Side};

use super::{Context, Words, excluded, lines};
use crate::Wording;
use crate::text::{Look, Overview};

/// The first lines, and what stands below them.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerText {
    /// Who the sender is whose data it is about; `None` where nothing was sent, or about many connections.
    pub sender: Option<Side>,
    /// Who sent what how fast; empty where that is known.
    pub head: String,
    /// What limited it, or how it failed; without a connection, that there is none.
    pub why: String,
    /// What to change, or why nothing; `None` where the capture's clock is wrong.
    pub fix: Option<String>,
    /// The packets show what to change, or that there is nothing: the fix is no command that shows more.
    pub is_shown: bool,
    /// The fix is a change, and not a reason why there is none.
    pub is_change: bool,
    /// The fix says what it would bring.
    pub has_gain: bool,
    /// A limit of the sender explains it, and not who took the time of requests or how it failed.
    pub is_limit: bool,
    /// The rule of the finding that the fix belongs to; `None` where it is of none.
    pub rule: Option<&'static str>,
    /// How it ended besides, or what is wrong with the capture's clock.
    pub but: Option<String>,
    /// The numbers behind it, and what it was not.
    pub below: Vec<String>,
    /// How often such an answer is right, from 0 to 1; `None` where that was not measured.
    pub confidence: Option<f64>,
    /// What it was not, which is the last of `below`; `None` where nothing is excluded.
    pub excluded: Option<String>,
}

/// Wide enough for every wording.
pub(super) const WIDE: Look = Look { width: usize::MAX / 2, has_color: false, has_unicode: true };

/// The two ends, then the numbers behind the first lines, and what it was not.
pub(crate) fn below(wording: Wording<'_>, subject: &Subject<'_>) -> Vec<String> {
    Words { wording, look: WIDE }.below(subject)
}

impl AnswerText {
    /// The words of the answer about all connections of `overview`.
    pub fn of(overview: &Overview, wording: Wording<'_>) -> Self {
        Self::new(&overview.answer(), Context::of(overview.services()), wording)
    }

    /// The words of the answer about `connection`, as if there were no other.
    pub fn of_connection(connection: &Connection, wording: Wording<'_>) -> Self {
        Self::new(&Answer::of_connection(connection), Context::of(&Services::default()), wording)
    }

    /// The words of the answer about one direction of `connection`, whoever took the time of its requests.
    pub fn of_half(connection: &Connection, half: &HalfConnection, wording: Wording<'_>) -> Self {
        let answer = Answer::of_direction(connection, half);
        Self { head: String::new(), ..Self::new(&answer, Context::of(&Services::default()), wording) }
    }

    /// The words of the answer about `problem`, where `services` are all that there are.
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
            // Its first line names the two ends.
            below: only.map_or_else(Vec::new, |(subject, ..)| words.below(&subject).split_off(1)),
        }
    }

    /// What to change about `problem`; `None` where the packets do not show it.
    pub fn fix_of(problem: &Problem, wording: Wording<'_>) -> Option<String> {
        let words = Words { wording, look: WIDE };
        let advice = ProblemAdvice::of(problem);
        words.problem_advice(problem, advice).filter(|_| advice.is_change())?.into_iter().next()
    }
}
