//! The heading of the overview.

use std::ptr;
use std::sync::Arc;

use serde::Serialize;
use tcpwhy_analysis::answer::Why;
use tcpwhy_analysis::{Connection, Problem};
use tcpwhy_report::dto::Presentation;
use tcpwhy_report::text::Overview as Summary;
use tcpwhy_report::{Catalogue, Language, Names, Wording};

use super::answer_words::AnswerWords;
use super::by_language::ByLanguage;
use super::documents::Together;

/// The first lines about all connections.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Headline {
    answer: AnswerWords,
    /// Index into `problems` of the problem that the answer is about; null if it is about none.
    problem: Option<usize>,
    /// Number of problems that `problems` does not have.
    problems_omitted: u64,
}

/// The terminal's first lines about all connections, in each language.
pub(crate) fn headlines(together: Together<'_>, names: Option<&Arc<Names>>) -> ByLanguage<Headline> {
    let Together { summary, problems } = together;
    let headline = |language| {
        let catalogue = Catalogue::new(language).with_names(names.cloned());
        Headline {
            answer: AnswerWords::of_all(summary, Presentation::new(Wording::new(&catalogue))),
            problem: problem_of(summary).filter(|&place| place < problems.len()),
            problems_omitted: (summary.problems().len() - problems.len()) as u64,
        }
    };
    Language::ALL.into_iter().map(|language| (language.tag(), headline(language))).collect()
}

/// Index of the problem that the answer about all connections names. If probes are the only problem, the
/// answer may be about a connection.
fn problem_of(summary: &Summary) -> Option<usize> {
    let problems = summary.problems();
    let place = |named: &Problem| problems.iter().position(|problem| ptr::eq(problem, named));
    let shown_by = |connection: &Connection| problems.iter().position(|one| one.example.id == connection.id);
    match summary.answer().why()? {
        Why::Problem(problem) => place(problem),
        Why::AllClear(clear) => clear.probes.and_then(place),
        Why::Explained(subject, _) => shown_by(subject.connection),
        Why::FailedUnsent(connection, _) | Why::Noticed(connection, _) | Why::Across(connection, _) => {
            shown_by(connection)
        }
        Why::ClockWrong(_) => None,
    }
}
