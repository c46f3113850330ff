//! The answer: who sent what how fast, what limited it, what to change. It has three lines at 80 columns.
//!
//! Each line has several wordings, fullest first. The first one that fits the width is shown; if none fits,
//! the last one is wrapped. Verdicts, numbers and fixes are never cut.

mod ends;
mod excluded;
mod goes_with;
mod plain;
mod problem;
mod proof;
mod remedy;
mod role;
mod whole;
mod words;

use anstyle::Style;
use tcpwhy_analysis::answer::{Answer, Explanation, Fix, Head, Remedy, Subject, Why, is_hedged};
use tcpwhy_analysis::{HalfConnection, Services};

pub(crate) use plain::plain_lines;
pub use plain::{AnswerLabel, AnswerLine, answer_lines};
pub use problem::problem_sentence;
pub(crate) use problem::problem_text;
pub use proof::problem_evidence;
pub use whole::AnswerText;
pub(crate) use whole::below;
pub(super) use words::{Words, transfer};

use super::page::Page;
use super::palette::{self, BOLD, DIM, FIX, WARNING, foreground};
use super::{Headline, Overview};
use crate::{Args, Wording};

impl Overview {
    /// Subject and fix of the first three lines; `None` if nothing was sent.
    pub fn headline(&self) -> Option<Headline<'_>> {
        let subject = self.answer().subject()?;
        let remedy = Remedy::of_subject(&subject);
        Some(Headline {
            connection: subject.connection,
            half: subject.half,
            fix: remedy.map(|remedy| remedy.fix),
            rival: remedy.and_then(|remedy| remedy.rival),
        })
    }
}

/// A line: a label, and its wordings, fullest first.
struct Line {
    label: &'static str,
    wordings: Vec<String>,
    style: Style,
}

/// Further data that the words of an answer need.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    /// Services with their numbers of connections.
    pub(crate) services: &'a Services,
    /// Number of connections that the filter left out.
    pub(crate) excluded: u64,
    /// Whether the report is about a range of time.
    pub(crate) has_range: bool,
}

impl<'a> Context<'a> {
    pub(crate) const fn of(services: &'a Services) -> Self {
        Self { services, excluded: 0, has_range: false }
    }
}

pub(super) fn write(page: &mut Page, wording: Wording<'_>, answer: &Answer<'_>, context: Context<'_>) {
    let words = Words { wording, look: page.look() };
    for line in lines(words, answer, context) {
        page.fitted(&words.label(line.label), &line.wordings, line.style);
    }
    if page.is_brief() {
        return;
    }
    let Some(subject) = answer.subject() else { return };
    page.gap();
    for text in words.below(&subject) {
        page.wrapped(&text, 2, DIM);
    }
}

fn lines(words: Words<'_>, answer: &Answer<'_>, context: Context<'_>) -> Vec<Line> {
    let catalogue = words.wording.catalogue();
    let line = |label, wordings, style| Line { label, wordings, style };
    let Context { services, excluded, has_range } = context;
    let head = match answer.head() {
        Head::NoConnections => {
            let id = match (excluded, has_range) {
                (0, _) => "head-no-connections",
                (_, true) => "head-none-in-range",
                (_, false) => "head-all-excluded",
            };
            vec![catalogue.text(id, &Args::new().number("count", excluded))]
        }
        Head::One(subject) => words.ends(&subject),
        Head::OneWithoutData(connection) => words.ends_without_data(connection),
        Head::Many(totals) => words.totals(totals),
        Head::Problem => Vec::new(),
    };
    let mut all = vec![line("", head, BOLD)];
    all.extend(answer.why().map(|why| {
        let style = match why {
            Why::ClockWrong(_) => WARNING,
            Why::Explained(Subject { trouble: Some(trouble), .. }, Explanation::Failed(..)) => {
                palette::severity(trouble.severity)
            }
            Why::FailedUnsent(_, failed) => palette::severity(failed.severity),
            Why::Noticed(_, finding) | Why::Across(_, finding) => palette::severity(finding.severity),
            Why::Problem(problem) => palette::severity(problem.severity),
            Why::Explained(subject, _) => verdict_style(subject.half),
            Why::AllClear(_) => Style::new(),
        };
        let is_hedged = answer.confidence().is_some_and(is_hedged);
        let wordings = words.why(why, services);
        line("answer-why", if is_hedged { words.hedged(wordings) } else { wordings }, style)
    }));
    all.extend(answer.fix().map(|fix| match fix {
        Fix::Ended(connection, finding) => line("answer-but", words.finding(finding, connection), WARNING),
        _ => line("answer-fix", words.fix(fix), FIX),
    }));
    all.extend(answer.clock().map(|clock| line("answer-but", vec![words.clock(clock)], WARNING)));
    all
}

/// The colour of what limited `half`.
pub(super) fn verdict_style(half: &HalfConnection) -> Style {
    half.verdict.cause.map_or(Style::new(), |cause| foreground(cause.limit).bold())
}
