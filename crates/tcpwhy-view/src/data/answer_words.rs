//! Published answers, with the data that the page needs to lay out their lines.

use serde::Serialize;
use tcpwhy_analysis::answer::Totals;
use tcpwhy_analysis::{Connection, HalfConnection, Problem, Services};
use tcpwhy_report::dto::{Answer, Presentation};
use tcpwhy_report::text::{AnswerText, Overview as Summary};

/// The published answer, with the data that the page needs to lay out its lines.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnswerWords {
    #[serde(flatten)]
    answer: Answer,
    /// Whether `fix` is a change, or that none is needed. Otherwise it is a command that shows more.
    is_shown: bool,
    /// Whether the fix is a change, not a reason why there is none.
    is_change: bool,
    /// Whether the fix has an expected gain.
    has_gain: bool,
    /// Whether a limit of the sender explains it, not a party of the requests or a failure.
    is_limit: bool,
    /// Numbers behind the answer, and excluded limits.
    below: Vec<String>,
}

impl AnswerWords {
    /// The answer about all connections.
    pub(super) fn of_all(summary: &Summary, presentation: Presentation<'_>) -> Self {
        Self::new(Answer::of_overview(summary, presentation), AnswerText::of(summary, presentation.wording))
    }

    /// The answer about `connection` alone.
    pub(super) fn of_connection(connection: &Connection, presentation: Presentation<'_>) -> Self {
        let text = AnswerText::of_connection(connection, presentation.wording);
        Self::new(Answer::of_connection(connection, presentation), text)
    }

    /// The answer about one direction of `connection`, whichever party took the time of its requests.
    pub(super) fn of_half(connection: &Connection, half: &HalfConnection, presentation: Presentation<'_>) -> Self {
        let text = AnswerText::of_half(connection, half, presentation.wording);
        Self::new(Answer::of_half(connection, half, presentation), text)
    }

    /// The answer about `problem` in a capture with these `totals` and `services`.
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

    /// Index of the sender of the data that it is about.
    pub(super) const fn sender(&self) -> Option<usize> {
        self.answer.sender
    }

    /// The rule of the finding that its fix belongs to.
    pub(super) fn rule(&self) -> Option<&str> {
        self.answer.rule.as_deref()
    }
}
