//! The first lines for readers with room for them: each in its fullest wording.

use tcpwhy_analysis::answer::{Advice, Explanation, Fix, ProblemAdvice, Subject};
use tcpwhy_analysis::{Connection, HalfConnection, Problem, Side};

use super::{Words, excluded, lines};
use crate::Wording;
use crate::text::{Look, Overview};

/// The first lines, and what stands below them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who the sender is whose data it is about; `None` where nothing was sent, or about many connections.
    pub sender: Option<Side>,
    /// Who sent what how fast; empty where that is known.
    pub head: String,
    /// What limited it, or how it failed; without a connection, that there is none.
    pub why: String,
    /// What to change, or why nothing.
    pub fix: Option<String>,
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
    /// What it was not, which is the last of `below`; `None` where nothing is excluded.
    pub excluded: Option<String>,
}

/// Wide enough for every wording.
pub(super) const WIDE: Look = Look { width: usize::MAX / 2, has_color: false, has_unicode: true };

/// The two ends, then the numbers behind the first lines, and what it was not.
pub(crate) fn below(wording: Wording<'_>, subject: &Subject<'_>) -> Vec<String> {
    Words { wording, look: WIDE }.below(subject)
}

impl Answer {
    /// The first lines about `overview`.
    pub fn of(overview: &Overview, wording: Wording<'_>) -> Self {
        let words = Words { wording, look: WIDE };
        let mut all = lines(words, overview, 0, false);
        let mut take = |label: &str| {
            let found = all.iter().position(|line| line.label == label)?;
            all.remove(found).wordings.into_iter().next()
        };
        let first = overview.first_lines();
        // A reader of a page has buttons where the terminal names a command.
        let has_fix = !matches!(first.fix(), Some(Fix::Problem(_, ProblemAdvice::NotShown)));
        let head = take("").unwrap_or_default();
        let only = first.only();
        let is_change = only.map_or(!overview.problems().is_empty(), |(.., advice)| advice.is_change());
        let remedy = only.and_then(|(.., advice)| advice.remedy());
        Self {
            is_change,
            has_gain: remedy.is_some_and(|remedy| remedy.gain.is_some()),
            is_limit: only.is_some_and(|(_, explanation, _)| explanation.is_limit()),
            rule: remedy.map(|remedy| remedy.finding.rule),
            sender: only.map(|(subject, ..)| subject.half.sender),
            why: take("answer-why").unwrap_or_else(|| head.clone()),
            head,
            fix: take("answer-fix").filter(|_| has_fix),
            but: take("answer-but"),
            excluded: only.and_then(|(subject, ..)| excluded::excluded(wording, &subject)),
            // Its first line names the two ends.
            below: only.map_or_else(Vec::new, |(subject, ..)| words.below(&subject).split_off(1)),
        }
    }

    /// The same for one direction of `connection`, which the first lines may not be about. A limit explains
    /// it.
    pub fn of_half(connection: &Connection, half: &HalfConnection, wording: Wording<'_>) -> Self {
        let words = Words { wording, look: WIDE };
        let subject = Subject::of_half(connection, half);
        let advice = Advice::decide(&subject, &Explanation::Limited).answer;
        let remedy = advice.remedy();
        Self {
            is_change: advice.is_change(),
            has_gain: remedy.is_some_and(|remedy| remedy.gain.is_some()),
            is_limit: true,
            rule: remedy.map(|remedy| remedy.finding.rule),
            sender: Some(half.sender),
            head: String::new(),
            why: words.explanation(&subject, Explanation::Limited).swap_remove(0),
            fix: words.advice(connection, advice).into_iter().next(),
            but: None,
            excluded: excluded::excluded(wording, &subject),
            below: words.below(&subject).split_off(1),
        }
    }

    /// What to change about `problem`; `None` where the packets do not show it.
    pub fn fix_of(problem: &Problem, wording: Wording<'_>) -> Option<String> {
        let words = Words { wording, look: WIDE };
        words.problem_advice(problem, ProblemAdvice::of(problem))?.into_iter().next()
    }
}
