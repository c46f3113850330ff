//! The first lines for readers with room for them: each in its fullest wording.

use tcpwhy_analysis::{Connection, HalfConnection, Problem, Side};

use super::remedy::Proposal;
use super::{Reason, Remedy, Subject, Words, clock, excluded, lines};
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

/// What the first lines propose to change; `None` where they propose nothing.
pub(crate) fn proposal<'a>(wording: Wording<'_>, overview: &'a Overview) -> Option<Proposal<'a>> {
    let words = Words { wording, look: WIDE };
    // Without a clock that is right nothing is proposed.
    let is_clock_wrong = matches!(clock(words, overview), Some((_, true)));
    if is_clock_wrong { None } else { words.proposal(overview) }
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
        // A reader of a page has buttons where the terminal names a command.
        let first = overview.problems().first().filter(|_| !overview.is_one());
        let has_fix = first.is_none_or(|problem| words.known_remedy(problem).is_some());
        let head = take("").unwrap_or_default();
        let subject = Subject::of(overview).filter(|subject| subject.is_only);
        let remedy = subject.as_ref().map(|subject| words.remedy(subject, subject.reason()));
        let is_change = remedy.map_or(!overview.problems().is_empty(), |remedy| remedy.is_change);
        let remedy = subject.as_ref().and_then(Remedy::of).filter(|_| is_change);
        let has_gain = remedy.as_ref().is_some_and(Remedy::has_gain);
        Self {
            is_change,
            has_gain,
            is_limit: subject.as_ref().is_some_and(|subject| matches!(subject.reason(), Reason::Limited)),
            rule: remedy.map(|remedy| remedy.finding.rule),
            sender: subject.as_ref().map(|subject| subject.half.sender),
            why: take("answer-why").unwrap_or_else(|| head.clone()),
            head,
            fix: take("answer-fix").filter(|_| has_fix),
            but: take("answer-but"),
            excluded: subject.as_ref().and_then(|subject| excluded::excluded(wording, subject)),
            // Its first line names the two ends.
            below: subject.map_or_else(Vec::new, |subject| words.below(&subject).split_off(1)),
        }
    }

    /// The same of one direction of `connection`, which the first lines may not be about.
    pub fn of_half(connection: &Connection, half: &HalfConnection, wording: Wording<'_>) -> Self {
        let words = Words { wording, look: WIDE };
        let subject = Subject { connection, half, problem: None, is_only: true };
        let fix = words.remedy(&subject, Reason::Limited);
        let remedy = Remedy::for_reason(connection, half, Reason::Limited);
        Self {
            is_change: fix.is_change,
            has_gain: fix.is_change && remedy.as_ref().is_some_and(Remedy::has_gain),
            is_limit: true,
            rule: remedy.filter(|_| fix.is_change).map(|remedy| remedy.finding.rule),
            sender: Some(half.sender),
            head: String::new(),
            why: words.reason(&subject, Reason::Limited).swap_remove(0),
            fix: fix.wordings.into_iter().next(),
            but: None,
            excluded: excluded::excluded(wording, &subject),
            below: words.below(&subject).split_off(1),
        }
    }

    /// What to change about `problem`; `None` where the packets do not show it.
    pub fn fix_of(problem: &Problem, wording: Wording<'_>) -> Option<String> {
        Words { wording, look: WIDE }.known_remedy(problem)?.into_iter().next()
    }
}
