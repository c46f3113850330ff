//! The first lines as plain text, for programs, which neither wrap nor colour them.

use tcpwhy_analysis::answer::Answer;

use super::whole::WIDE;
use super::{Context, Words, lines};
use crate::Wording;
use crate::text::Overview;

/// The subject of one of the first lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnswerLabel {
    /// Ends, bytes and rate, or the number of connections. Its line has no label.
    Head,
    /// `WHY`: what limited the connection, or how it failed.
    Why,
    /// `FIX`: what to change, or why there is nothing to change.
    Fix,
    /// `BUT`: how the connection ended, or that the capture's clock is wrong.
    But,
}

impl AnswerLabel {
    /// The message with the label; `None` for [`Self::Head`].
    const fn message(self) -> Option<&'static str> {
        match self {
            Self::Head => None,
            Self::Why => Some("answer-why"),
            Self::Fix => Some("answer-fix"),
            Self::But => Some("answer-but"),
        }
    }

    /// The label in the reader's language, for example `WHY`; empty for [`Self::Head`].
    pub fn text(self, wording: Wording<'_>) -> String {
        self.message().map_or_else(String::new, |id| wording.catalogue().word(id))
    }
}

/// One of the first lines as plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswerLine {
    /// Subject of the line.
    pub kind: AnswerLabel,
    /// Its label in the reader's language, for example `WHY`; empty for the first line.
    pub label: String,
    /// The fullest wording, without the label, on one line. Hidden characters of foreign text are escapes.
    pub text: String,
}

/// The first lines about `overview` as plain text, the head first: usually three.
///
/// The text is that of `tcpwhy -q`, in the fullest wording regardless of the width. `overview` must be
/// renumbered ([`Overview::renumber`]), because only then its problems are known.
pub fn answer_lines(wording: Wording<'_>, overview: &Overview) -> Vec<AnswerLine> {
    plain_lines(wording, &overview.answer(), Context::of(overview.services()))
}

/// The lines of `answer` as plain text.
pub(crate) fn plain_lines(wording: Wording<'_>, answer: &Answer<'_>, context: Context<'_>) -> Vec<AnswerLine> {
    let words = Words { wording, look: WIDE };
    let kind = |id: &str| match id {
        "answer-why" => AnswerLabel::Why,
        "answer-fix" => AnswerLabel::Fix,
        "answer-but" => AnswerLabel::But,
        _ => AnswerLabel::Head,
    };
    let plain = |line: super::Line| {
        let kind = kind(line.label);
        let text = line.wordings.into_iter().next()?;
        Some(AnswerLine { kind, label: kind.text(wording), text: WIDE.signs(&text).into_owned() })
    };
    lines(words, answer, context).into_iter().filter_map(plain).collect()
}
