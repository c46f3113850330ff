//! Published answers, with what the page needs to lay out their lines.

use serde::Serialize;
use tcpwhy_analysis::answer::Totals;
use tcpwhy_analysis::{Connection, HalfConnection, Problem, Services};
use tcpwhy_report::dto::{Answer, Presentation};
use tcpwhy_report::text::{AnswerText, Overview as Summary};

/// The published answer, with what the page needs to lay out its lines.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnswerWords {
    #[serde(flatten)]
    answer: Answer,
    /// `fix` says what to change, or that there is nothing: it is no command that shows more.
    is_shown: bool,
    /// The fix is a change, and not a reason why there is none.
    is_change: bool,
    /// The fix says what it would bring.
    has_gain: bool,
    /// A limit of the sender explains it, and not who took the time of requests or how it failed.
    is_limit: bool,
    /// The numbers behind it, and what it was not.
    below: Vec<String>,
}

impl AnswerWords {
    /// About all connections.
    pub(super) fn of_all(summary: &Summary, presentation: Presentation<'_>) -> Self {
        Self::new(Answer::of_overview(summary, presentation), AnswerText::of(summary, presentation.wording))
    }

    /// About `connection`, as if there were no other.
    pub(super) fn of_connection(connection: &Connection, presentation: Presentation<'_>) -> Self {
        let text = AnswerText::of_connection(connection, presentation.wording);
        Self::new(Answer::of_connection(connection, presentation), text)
    }

    /// About one direction of `connection`, whoever took the time of its requests.
    pub(super) fn of_half(connection: &Connection, half: &HalfConnection, presentation: Presentation<'_>) -> Self {
        let text = AnswerText::of_half(connection, half, presentation.wording);
        Self::new(Answer::of_half(connection, half, presentation), text)
    }

    /// About `problem` of a capture of `totals` and `services`.
    pub(super) fn of_problem(
        problem: &Problem,
        totals: Totals,
        services: &Services,
        presentation: Presentation<'_>,
    ) -> Self {
        let text = AnswerText::of_problem(problem, totals, services, presentation.wording);
        Self::new(Answer::of_problem(problem, totals, services, presentation), text)
    }

    fn new(answer: Answer, text: AnswerText) -> Self {
        let AnswerText { is_shown, is_change, has_gain, is_limit, below, .. } = text;
        Self { answer, is_shown, is_change, has_gain, is_limit, below }
    }

    /// Index of the end whose data it is about.
    pub(super) const fn sender(&self) -> Option<usize> {
        self.answer.sender
    }

    /// The rule of the finding that its fix belongs to.
    pub(super) fn rule(&self) -> Option<&str> {
        self.answer.rule.as_deref()
    }
}
