//! The answer: who sent what how fast, what held it back, what to change. Three lines at 80 columns.
//!
//! Each line has several wordings, the fullest first: the first that fits the width is shown, and the last is
//! wrapped where none does. Nothing is cut within a verdict, a number or a fix.

mod ends;
mod excluded;
mod plain;
mod remedy;
mod role;
mod whole;
mod words;

use anstyle::Style;
use tcpwhy_analysis::HalfConnection;
use tcpwhy_analysis::answer::{Explanation, Fix, Head, Remedy, Subject, Why};

pub(crate) use plain::plain_lines;
pub use plain::{AnswerLabel, AnswerLine, answer_lines};
pub use whole::Answer;
pub(crate) use whole::below;
pub use words::problem_sentence;
pub(crate) use words::problem_text;
pub(super) use words::{Words, transfer};

use super::page::Page;
use super::palette::{self, BOLD, DIM, FIX, WARNING, foreground};
use super::{Headline, Overview};
use crate::{Args, Wording};

impl Overview {
    /// What the first three lines speak of; `None` if nothing was sent.
    pub fn headline(&self) -> Option<Headline<'_>> {
        let subject = self.first_lines().subject()?;
        let remedy = Remedy::of_subject(&subject);
        Some(Headline {
            connection: subject.connection,
            half: subject.half,
            fix: remedy.map(|remedy| remedy.fix),
            rival: remedy.and_then(|remedy| remedy.rival),
        })
    }
}

/// A line: a label, and its wordings, the fullest first.
struct Line {
    label: &'static str,
    wordings: Vec<String>,
    style: Style,
}

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview, excluded: u64, has_range: bool) {
    let words = Words { wording, look: page.look() };
    for line in lines(words, overview, excluded, has_range) {
        page.fitted(&words.label(line.label), &line.wordings, line.style);
    }
    if page.is_brief() {
        return;
    }
    let Some(subject) = overview.first_lines().subject() else { return };
    page.gap();
    for text in words.below(&subject) {
        page.wrapped(&text, 2, DIM);
    }
}

fn lines(words: Words<'_>, overview: &Overview, excluded: u64, has_range: bool) -> Vec<Line> {
    let catalogue = words.wording.catalogue();
    let line = |label, wordings, style| Line { label, wordings, style };
    let first = overview.first_lines();
    let head = match first.head() {
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
        Head::Many => words.totals(overview),
    };
    let mut all = vec![line("", head, BOLD)];
    all.extend(first.why().map(|why| {
        let style = match why {
            Why::ClockWrong(_) => WARNING,
            Why::Explained(Subject { problem: Some(problem), .. }, Explanation::Failed(..)) | Why::Problem(problem) => {
                palette::severity(problem.severity)
            }
            Why::Explained(subject, _) => verdict_style(subject.half),
            Why::AllClear(_) => Style::new(),
        };
        line("answer-why", words.why(why, &overview.services), style)
    }));
    all.extend(first.fix().map(|fix| match fix {
        Fix::Ended(subject, finding) => line("answer-but", words.finding(finding, subject.connection), WARNING),
        _ => line("answer-fix", words.fix(fix), FIX),
    }));
    all.extend(first.clock().map(|clock| line("answer-but", vec![words.clock(clock)], WARNING)));
    all
}

/// The colour of what limited `half`.
pub(super) fn verdict_style(half: &HalfConnection) -> Style {
    half.verdict.cause.map_or(Style::new(), |cause| foreground(cause.limit).bold())
}
