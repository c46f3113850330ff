use tcpwhy_analysis::Connection;
use tcpwhy_report::dto::rounded;

use super::{integer, seconds, side};
use crate::kind::{Integer, Maybe, Moment, Real, Text, Tiny};
use crate::table::table;

table! {
    /// Time of a direction under one limit with one detail. All rows of a direction add up to
    /// `halves.duration_s`.
    LimitRow => Limits {
        /// As in `captures`.
        capture: Text,
        /// As in `connections`.
        first_packet: Integer,
        /// As in `halves`.
        sender: Tiny,
        /// Limit id.
        limit: Text,
        /// Detail of the limit; null if it has none.
        detail: Maybe<Text>,
        /// Time in seconds.
        seconds: Real,
        /// Share of `halves.duration_s`, from 0 to 1.
        share: Real,
        /// Confidence, from 0 to 1.
        confidence: Real,
    }
}

table! {
    /// A time interval under one limit; only with `--timeline`.
    IntervalRow => Intervals {
        /// As in `captures`.
        capture: Text,
        /// As in `connections`.
        first_packet: Integer,
        /// As in `halves`.
        sender: Tiny,
        /// Start of the interval.
        start: Moment,
        /// The same, in nanoseconds since the epoch.
        start_ns: Integer,
        /// Length in seconds.
        duration_s: Real,
        /// Limit id.
        limit: Text,
        /// Detail of the limit; null if it has none.
        detail: Maybe<Text>,
        /// Confidence, from 0 to 1.
        confidence: Real,
        /// Condition that determined the limit, as a stable id; null if there was no special one.
        reason: Maybe<Text>,
    }
}

impl Limits {
    pub(crate) fn add(&mut self, capture: &str, connection: &Connection) {
        for half in &connection.halves {
            let span = half.limits.span().nanos();
            for total in half.limits.totals() {
                self.push(LimitRow {
                    capture: capture.into(),
                    first_packet: integer(connection.first_packet),
                    sender: side(half.sender),
                    limit: total.cause.limit.id().into(),
                    detail: super::detail(Some(total.cause)),
                    seconds: seconds(total.nanos),
                    share: if span > 0 { total.nanos as f64 / span as f64 } else { 0.0 },
                    confidence: rounded(total.confidence),
                });
            }
        }
    }
}

impl Intervals {
    pub(crate) fn add(&mut self, capture: &str, connection: &Connection) {
        for half in &connection.halves {
            for interval in half.limits.intervals() {
                self.push(IntervalRow {
                    capture: capture.into(),
                    first_packet: integer(connection.first_packet),
                    sender: side(half.sender),
                    start: interval.span.start(),
                    start_ns: interval.span.start().as_nanos(),
                    duration_s: interval.span.seconds(),
                    limit: interval.cause.limit.id().into(),
                    detail: super::detail(Some(interval.cause)),
                    confidence: rounded(f64::from(interval.confidence)),
                    reason: interval.why.as_ref().map(|why| why.reason.id().into()),
                });
            }
        }
    }
}
