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
        /// Number of its first packet, which identifies the connection in its capture.
        first_packet: Integer,
        /// Time of the first packet.
        start: Moment,
        /// The same, in nanoseconds since the epoch.
        start_ns: Integer,
        /// Seconds from the first to the last packet.
        duration_s: Real,
        /// Community ID, version 1 with seed 0: the name of this flow in the logs of Zeek and Suricata.
        community_id: Text,
        /// IP address of end 0, which sent the first packet seen.
        address_0: Text,
        /// Port of end 0.
        port_0: Port,
        /// IP address of end 1.
        address_1: Text,
        /// Port of end 1.
        port_1: Port,
        /// The end that sent the SYN; null if the SYN was not seen.
        initiator: Maybe<Tiny>,
        /// The end that is the server: it answered the SYN or the requests, else it has the lower port.
        server: Tiny,
        /// Name by which the client addressed the server in its first bytes; only with `--names`.
        server_name: Maybe<Text>,
        /// Segments that end 0 sent, including empty ones.
        packets_0: Integer,
        /// Segments that end 1 sent, including empty ones.
        packets_1: Integer,
        /// Place of the capture: `sender`, `receiver` (of most of the data), `middle` or `unknown`.
        vantage: Text,
        /// The end at which it was captured; null for the middle and if unknown.
        vantage_endpoint: Maybe<Tiny>,
        /// Basis of this estimate: `wire_exact`, `wire_inferred`, `kernel_reported`, `kernel_inferred` or
        /// `assumed`.
        vantage_basis: Text,
        /// `closed`, `half_closed`, `reset_by_0`, `reset_by_1`, `open`, `unanswered`,
        /// `refused` or `handshake_incomplete`.
        ending: Text,
        /// Unique payload bytes of both directions.
        bytes: Integer,
        /// The main direction, which the report describes first, as the end that sends; null without data.
        main_half: Maybe<Tiny>,
        /// The limit to change first in that direction; `none` if no change is worth it, null without data.
        limit: Maybe<Text>,
        /// Detail of the limit.
        detail: Maybe<Text>,
        /// Confidence, from 0 to 1.
        confidence: Maybe<Real>,
        /// Seconds under that limit with that detail.
        limit_s: Maybe<Real>,
        /// Seconds that its change would save; an upper bound if no prediction is possible.
        saving_s: Maybe<Real>,
        /// The rule that found the failure; null if no rule did. `failed` includes all failures.
        failure: Maybe<Text>,
        /// `request_response`, `overlapping`, `interactive`, `long_poll` or `unasked`; null without requests.
        pattern: Maybe<Text>,
        /// Requests with an answer.
        exchanges: Maybe<Integer>,
        /// Sum of the server's response times, in seconds.
        server_s: Maybe<Real>,
        /// Sum of the client's times between an answer and its next request, in seconds.
        client_s: Maybe<Real>,
        /// Kind of failure, as in `services`: `unanswered`, `refused`, `reset_by_client`, `reset_by_server`,
        /// `reset_between`, `timed_out`, `unfinished`, `request_unanswered`, `idle_close`,
        /// `handshake_incomplete` or `large_vanished`. Null if it did not fail.
        failed: Maybe<Text>,
        /// The port of the server.
        server_port: Port,
        /// Whether the main direction had nothing to send for most of its time, because no request came or
        /// the peer had to answer. The text's total over all captures excludes these. Null without a main
        /// direction.
        mostly_waited: Maybe<Truth>,
        /// The answer about this connection alone.
        answer: Answered,
        /// Whether its times are meaningless because the capture's clock is wrong. Exclude it from sums of
        /// times.
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

/// Place of the capture, the same as the start of `vantage.position` in JSON: `sender`, `receiver` (of most
/// of the data), `middle` or `unknown`.
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
