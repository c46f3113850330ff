use tcpwhy_analysis::{Connection, Exchange};

use super::{detail, integer, seconds};
use crate::kind::{Integer, Maybe, Moment, Real, Text};
use crate::table::table;

table! {
    /// A request and its answer, where single ones can be timed.
    ExchangeRow => ExchangeTable {
        /// As in `captures`.
        capture: Text,
        /// As in `connections`.
        first_packet: Integer,
        /// First data of the request.
        start: Moment,
        /// The same in nanoseconds since the epoch.
        start_ns: Integer,
        /// First byte of the request leaves the client to last byte of the answer reaches it.
        time_s: Real,
        /// The server's response time.
        server_s: Real,
        /// One round trip.
        round_trip_s: Real,
        /// Transfer of the request.
        request_s: Real,
        /// Transfer of the answer.
        answer_s: Real,
        /// Payload of the request.
        request_bytes: Integer,
        /// Payload of the answer.
        answer_bytes: Integer,
        /// Packet with the first data of the request.
        request_packet: Integer,
        /// Packet with the first data of the answer.
        answer_packet: Integer,
        /// Packet with the last data of the answer.
        last_packet: Integer,
        /// The limit that most of both transfers was under; null where they took no time.
        limit: Maybe<Text>,
        /// Its form.
        detail: Maybe<Text>,
        /// That time.
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
                start_ns: exchange.request.start().as_nanos(),
                time_s: seconds(exchange.nanos()),
                server_s: seconds(exchange.response),
                round_trip_s: seconds(exchange.round_trip),
                request_s: seconds(exchange.request.nanos()),
                answer_s: seconds(exchange.answer.nanos()),
                request_bytes: integer(exchange.request_bytes),
                answer_bytes: integer(exchange.answer_bytes),
                request_packet: integer(exchange.request_packet),
                answer_packet: integer(exchange.answer_packet),
                last_packet: integer(exchange.last_packet),
                limit: longest.map(|(cause, _)| cause.limit.id().into()),
                detail: detail(longest.map(|(cause, _)| *cause)),
                limit_s: longest.map(|(_, nanos)| seconds(*nanos)),
            });
        }
    }
}
