//! The columns of an answer, for every table that has one.

#![expect(
    clippy::struct_field_names,
    reason = "a column has the name of its field, apart from the others of its table"
)]

use arrow_array::ArrayRef;
use tcpwhy_report::dto;

use crate::columns::{Column, Columns};
use crate::kind::{Maybe, Real, Text};
use crate::table::{Builder as _, table};

table! {
    /// The answer about something.
    AnswerRow => AnswerTable {
        /// Kind of the answer: `limit` (held data back), `party` (took the time of requests), `failure`,
        /// `probe`, `clock` (the capture's clock is wrong), `nothing` (is wrong) or `cannot_tell`.
        answer_kind: Text,
        /// What it is, by kind. `limit`: the limit, or the rule of a finding about a connection as a whole.
        /// `party`: `server`, `client` or `round_trips`. `failure`: how it failed, as in `services`. A
        /// problem has its `cause` here. Null where nothing is wrong, and for a wrong clock.
        answer_cause: Maybe<Text>,
        /// The form of the limit.
        answer_detail: Maybe<Text>,
        /// What it cost, in seconds; null where no time is known.
        answer_seconds: Maybe<Real>,
        /// These seconds are a part of the `transfer` (the span of a direction or connection), the `requests`
        /// (the time of the connection's requests) or all `connections` (their time, added up).
        answer_whole: Maybe<Text>,
        /// All of that, in seconds.
        answer_of_seconds: Maybe<Real>,
        /// `info`, `warning` or `critical`; null where nothing is wrong.
        answer_severity: Maybe<Text>,
        /// How often such an answer is right, from 0 to 1; null where that was not measured.
        answer_confidence: Maybe<Real>,
        /// How ready the change is, as `readiness` of fixes in JSON; null where there is nothing to do.
        answer_readiness: Maybe<Text>,
        /// Id of the proposed fix, as in `fixes`; null where none is proposed.
        answer_fix_id: Maybe<Text>,
        /// Why, as after `WHY` in the terminal; null without words.
        answer_why: Maybe<Text>,
        /// What to change, as after `FIX` in the terminal; null without words, and where the clock is wrong.
        answer_fix: Maybe<Text>,
    }
}

impl From<dto::Answer> for AnswerRow<'_> {
    fn from(answer: dto::Answer) -> Self {
        Self {
            answer_kind: answer.kind,
            answer_cause: answer.cause,
            answer_detail: answer.detail,
            answer_seconds: answer.seconds,
            answer_whole: answer.whole,
            answer_of_seconds: answer.of_seconds,
            answer_severity: answer.severity,
            answer_confidence: answer.confidence,
            answer_readiness: answer.readiness,
            answer_fix_id: answer.fix_id,
            answer_why: answer.why.map(Into::into),
            answer_fix: answer.fix.map(Into::into),
        }
    }
}

/// The published answer, as the columns of [`AnswerRow`].
pub(crate) enum Answered {}

impl Columns for Answered {
    type Value<'a> = dto::Answer;
    type Builder = AnswerTable;

    fn columns(_: &'static str, _: String) -> Vec<Column> {
        AnswerTable::columns()
    }

    fn builder() -> AnswerTable {
        AnswerTable::default()
    }

    fn append(builder: &mut AnswerTable, answer: dto::Answer) {
        builder.push(answer.into());
    }

    fn finish(builder: &mut AnswerTable) -> Vec<ArrayRef> {
        builder.finish()
    }
}
