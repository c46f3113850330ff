//! Columns of an answer, for every table that has one.

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
    /// The columns of an answer.
    AnswerRow => AnswerTable {
        /// Kind of the answer: `limit`, `party`, `failure`, `probe`, `clock`, `nothing` or `cannot_tell`. A
        /// `limit` delayed the data, and a `party` took the time of requests. With `clock`, the capture's
        /// clock is wrong; with `nothing`, nothing is wrong.
        answer_kind: Text,
        /// The cause, by kind. `limit`: the limit, or the rule of a finding about the whole connection.
        /// `party`: `server`, `client` or `round_trips`. `failure`: the kind of failure, as in `services`.
        /// For a problem, its `cause`. Null if nothing is wrong, and for a wrong clock.
        answer_cause: Maybe<Text>,
        /// Detail of the limit.
        answer_detail: Maybe<Text>,
        /// Its cost in seconds; null if no time is known.
        answer_seconds: Maybe<Real>,
        /// Total that `answer_seconds` is part of: `transfer`, `requests` or `connections`. These are the
        /// span of a direction or connection, the time of its requests, or the sum over all connections.
        answer_whole: Maybe<Text>,
        /// That total, in seconds.
        answer_of_seconds: Maybe<Real>,
        /// `info`, `warning` or `critical`; null if nothing is wrong.
        answer_severity: Maybe<Text>,
        /// How often such an answer is right, from 0 to 1; null if that was not measured.
        answer_confidence: Maybe<Real>,
        /// Readiness of the change, as `readiness` of fixes in JSON; null if there is nothing to change.
        answer_readiness: Maybe<Text>,
        /// Id of the proposed fix, as in `fixes`; null if no fix is proposed.
        answer_fix_id: Maybe<Text>,
        /// The reason, as after `WHY` on the terminal; null without words.
        answer_why: Maybe<Text>,
        /// The proposed change, as after `FIX` on the terminal; null without words, and for a wrong clock.
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

/// Columns of [`AnswerRow`], from the published answer.
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
