use tcpwhy_analysis::{Connection, Failure, Side, principal_half};
use tcpwhy_report::dto::{Answer, Presentation};
use tcpwhy_report::{community_id, mostly_waited};

use super::answers::Answered;
use super::{detail, integer, limit, side};
use crate::kind::{Integer, Maybe, Moment, Port, Real, Text, Tiny, Truth};
use crate::table::table;

table! {
    /// A TCP connection: one incarnation of its four-tuple.
    ConnectionRow => Connections {
        /// As in `captures`.
        capture: Text,
        /// Number of its first packet, which no other connection of the capture has.
        first_packet: Integer,
        /// First packet.
        start: Moment,
        /// The same in nanoseconds since the epoch.
        start_ns: Integer,
        /// First to last packet.
        duration_s: Real,
        /// Community ID, version 1 with seed 0: the name of this flow in the logs of Zeek and Suricata.
        community_id: Text,
        /// IP address of end 0, which sent the first packet seen.
        address_0: Text,
        /// Its port.
        port_0: Port,
        /// IP address of end 1.
        address_1: Text,
        /// Its port.
        port_1: Port,
        /// The end that sent the SYN; null if the SYN was not seen.
        initiator: Maybe<Tiny>,
        /// The end that was asked: it answered the SYN, or the requests; else it has the lower port.
        server: Tiny,
        /// What the client called the server in its first bytes; only with `--names`.
        server_name: Maybe<Text>,
        /// Segments that end 0 sent, empty ones included.
        packets_0: Integer,
        /// Segments that end 1 sent.
        packets_1: Integer,
        /// Where it was captured: `sender`, `receiver` (of most of the data), `middle` or `unknown`.
        vantage: Text,
        /// The end it was captured at; null for the middle and when unknown.
        vantage_endpoint: Maybe<Tiny>,
        /// What that rests on: `wire_exact`, `wire_inferred`, `kernel_reported`, `kernel_inferred` or
        /// `assumed`.
        vantage_basis: Text,
        /// `closed`, `half_closed`, `reset_by_0`, `reset_by_1`, `open`, `unanswered`,
        /// `refused` or `handshake_incomplete`.
        ending: Text,
        /// Unique payload bytes of both directions.
        bytes: Integer,
        /// The direction that the report speaks of first, as the end that sends; null without data.
        main_half: Maybe<Tiny>,
        /// The limit to act on first in that direction; `none` when nothing is worth acting on, null without
        /// data.
        limit: Maybe<Text>,
        /// Its form.
        detail: Maybe<Text>,
        /// Between 0 and 1.
        confidence: Maybe<Real>,
        /// Seconds under that limit in that form.
        limit_s: Maybe<Real>,
        /// Seconds that its change would save; an upper bound where no prediction can be made.
        saving_s: Maybe<Real>,
        /// The rule that found how it failed; null where no rule did. `failed` has all that failed.
        failure: Maybe<Text>,
        /// `request_response`, `overlapping`, `interactive`, `long_poll` or `unasked`; null without requests.
        pattern: Maybe<Text>,
        /// Requests with an answer.
        exchanges: Maybe<Integer>,
        /// The server's response times, all together.
        server_s: Maybe<Real>,
        /// The client's time between an answer and its next request, all together.
        client_s: Maybe<Real>,
        /// How it failed, as `services` counts: `unanswered`, `refused`, `reset_by_client`,
        /// `reset_by_server`, `reset_between`, `timed_out`, `unfinished`, `request_unanswered`, `idle_close`,
        /// `handshake_incomplete` or `large_vanished`; null where it did not.
        failed: Maybe<Text>,
        /// The port of the server.
        server_port: Port,
        /// Whether the main direction had nothing to send for most of its time, as nobody asked or the peer
        /// had to answer. The time of all captures in text is without these. Null without a main direction.
        mostly_waited: Maybe<Truth>,
        /// The answer about this connection, as if there were no other.
        answer: Answered,
        /// Whether its times mean nothing, as the capture's clock is wrong: leave it out of sums of times.
        has_wrong_clock: Truth,
    }
}

impl Connections {
    pub(crate) fn add(&mut self, capture: &str, connection: &Connection, presentation: Presentation<'_>) {
        let [a, b] = connection.endpoints;
        let main = principal_half(connection);
        let verdict = main.map(|half| &half.verdict);
        let exchanges = connection.exchanges.as_deref();
        let parts = exchanges.filter(|exchanges| exchanges.has_times()).map(|exchanges| &exchanges.parts);
        let server = connection.server();
        self.push(ConnectionRow {
            capture: capture.into(),
            first_packet: integer(connection.first_packet),
            start: connection.span.start(),
            start_ns: connection.span.start().as_nanos(),
            duration_s: connection.span.seconds(),
            community_id: community_id(connection.endpoints).into(),
            address_0: a.address.to_string().into(),
            port_0: a.port.into(),
            address_1: b.address.to_string().into(),
            port_1: b.port.into(),
            initiator: connection.initiator.map(side),
            server: side(server),
            server_name: connection.name_of(server).map(Into::into),
            packets_0: integer(connection.packets[0]),
            packets_1: integer(connection.packets[1]),
            vantage: vantage(connection).into(),
            vantage_endpoint: connection.vantage.near.map(side),
            vantage_basis: connection.vantage.basis.id().into(),
            ending: connection.ending.id().into(),
            bytes: integer(connection.bytes()),
            main_half: main.map(|half| side(half.sender)),
            limit: verdict.map(|verdict| limit(verdict.cause).into()),
            detail: verdict.and_then(|verdict| detail(verdict.cause)),
            confidence: verdict.map(|verdict| tcpwhy_report::dto::rounded(verdict.confidence)),
            limit_s: verdict.map(|verdict| verdict.seconds),
            saving_s: main.map(|half| super::seconds(tcpwhy_analysis::lost_nanos(half))),
            failure: connection.failure().map(|finding| finding.rule.into()),
            pattern: exchanges.map(|exchanges| exchanges.pattern.id().into()),
            exchanges: exchanges.map(|exchanges| integer(exchanges.count)),
            server_s: parts.map(|parts| super::seconds(parts.server)),
            client_s: parts.map(|parts| super::seconds(parts.client)),
            failed: Failure::of_connection(connection).map(|failure| failure.id().into()),
            server_port: connection.endpoints[server.index()].port.into(),
            mostly_waited: main.map(mostly_waited),
            answer: Answer::of_connection(connection, presentation),
            has_wrong_clock: connection.has_wrong_clock,
        });
    }
}

/// Where a connection was captured, as JSON's `vantage.position` begins: `sender`, `receiver` (of most of the
/// data), `middle` or `unknown`.
pub fn vantage(connection: &Connection) -> &'static str {
    let estimate = connection.vantage;
    let most: Option<Side> = connection.halves.iter().max_by_key(|half| half.bytes).map(|half| half.sender);
    match estimate.near {
        Some(near) if most.is_none_or(|sender| sender == near) => "sender",
        Some(_) => "receiver",
        None if estimate.is_middle => "middle",
        None => "unknown",
    }
}
