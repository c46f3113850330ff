use tcpwhy_analysis::{Connection, Exchange};
use tcpwhy_report::dto::ExchangeFacts;

use super::{detail, integer, seconds};
use crate::kind::{Integer, Maybe, Moment, Real, Text};
use crate::published::Published;
use crate::table::table;

table! {
    /// A request and its answer, if exchanges can be timed separately.
    ExchangeRow => ExchangeTable {
        /// As in `captures`.
        capture: Text,
        /// As in `connections`.
        first_packet: Integer,
        /// Time of the request's first data.
        start: Moment,
        /// As in JSON.
        facts: Published<ExchangeFacts>,
        /// The limit with most of the time of both transfers; null if they took no time.
        limit: Maybe<Text>,
        /// Detail of the limit.
        detail: Maybe<Text>,
        /// Seconds under that limit.
        limit_s: Maybe<Real>,
    }
}

impl ExchangeTable {
    pub(crate) fn add(&mut self, capture: &str, connection: &Connection) {
        let timed = connection.exchanges.as_deref().filter(|exchanges| exchanges.has_times());
        let mut all: Vec<&Exchange> = timed.map_or(&[][..], |exchanges| &exchanges.slowest).iter().collect();
        all.sort_by_key(|exchange| exchange.request_packet);
        for exchange in all {
            let longest = exchange.limits.first();
            self.push(ExchangeRow {
                capture: capture.into(),
                first_packet: integer(connection.first_packet),
                start: exchange.request.start(),
                facts: exchange,
                limit: longest.map(|(cause, _)| cause.limit.id().into()),
                detail: detail(longest.map(|(cause, _)| *cause)),
                limit_s: longest.map(|(_, nanos)| seconds(*nanos)),
            });
        }
    }
}
