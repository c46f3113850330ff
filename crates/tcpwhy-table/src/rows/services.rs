use tcpwhy_analysis::answer::Totals;
use tcpwhy_analysis::{Connection, Failure, Problem, Service, Services, Sketch};
use tcpwhy_model::Limit;
use tcpwhy_report::dto::{Answer, Presentation, ServiceFacts, ServiceName, ServiceTraffic};
use tcpwhy_report::text::{problem_evidence, problem_sentence};

use super::answers::Answered;
use super::{integer, seconds};
use crate::kind::{Integer, Maybe, Moment, Port, Real, Small, Text};
use crate::published::Published;
use crate::table::table;

table! {
    /// A server's address and port, with its traffic in one capture.
    ServiceRow => ServiceTable {
        /// As in `captures`.
        capture: Text,
        /// As in JSON.
        server: Published<ServiceName>,
        /// Connections that failed: the SYN was never answered.
        unanswered: Integer,
        /// Connections that failed: the SYN was answered with a RST.
        refused: Integer,
        /// Connections that failed: the client reset them.
        reset_by_client: Integer,
        /// Connections that failed: the server reset them.
        reset_by_server: Integer,
        /// Connections that failed: something between the ends reset them.
        reset_between: Integer,
        /// Connections that failed: an endpoint became silent, or closed the connection because it was idle.
        timed_out: Integer,
        /// Connections that failed: closed before all data had arrived.
        unfinished: Integer,
        /// Connections that failed: a request was never answered.
        request_unanswered: Integer,
        /// As in JSON.
        traffic: Published<ServiceTraffic>,
        /// Median duration of connections with data, in seconds; null without any.
        connection_median_s: Maybe<Real>,
        /// 95th percentile of these durations, in seconds.
        connection_p95_s: Maybe<Real>,
        /// Maximum of these durations, in seconds.
        connection_max_s: Maybe<Real>,
        /// Requests with an answer.
        exchanges: Integer,
        /// Median duration of exchanges, in seconds; null without any.
        exchange_median_s: Maybe<Real>,
        /// 95th percentile of these durations, in seconds.
        exchange_p95_s: Maybe<Real>,
        /// Maximum of these durations, in seconds.
        exchange_max_s: Maybe<Real>,
        /// Median of the server's response times, in seconds; null without any.
        response_median_s: Maybe<Real>,
        /// 95th percentile of the response times, in seconds.
        response_p95_s: Maybe<Real>,
        /// Maximum of the response times, in seconds.
        response_max_s: Maybe<Real>,
        /// Clients' time between an answer and their next request, in seconds.
        client_s: Real,
        /// Server's time from the last byte of a request to the first of its answer, in seconds.
        server_s: Real,
        /// Server's pauses within its answers, in seconds.
        server_pauses_s: Real,
        /// Round trips of the path, one per exchange, in seconds.
        round_trips_s: Real,
        /// Transfer time of the requests, in seconds.
        requests_s: Real,
        /// Transfer time of the answers without the server's pauses, in seconds.
        answers_s: Real,
        /// Time for repairing losses, part of the transfer times, in seconds.
        retransmission_s: Real,
        /// The limit with most of the connections' time; null without data.
        limit: Maybe<Text>,
        /// Seconds under that limit.
        limit_s: Maybe<Real>,
        /// Connections that failed: closed for being idle during a request.
        idle_close: Integer,
        /// Connections that failed: the SYN-ACK was never acknowledged.
        handshake_incomplete: Integer,
        /// Connections that failed: full-sized segments were lost, smaller ones arrived.
        large_vanished: Integer,
        /// As in JSON.
        facts: Published<ServiceFacts>,
    }
}

table! {
    /// A problem that one action can fix: connections to one server that failed or were slow in the same way.
    ProblemRow => ProblemTable {
        /// As in `captures`.
        capture: Text,
        /// Rank among the problems of the capture, from 1, the most severe first.
        problem: Small,
        /// IP address of the server; of the client for the targets `client` and `peers`.
        address: Text,
        /// TCP port of the server; null if there are several.
        port: Maybe<Port>,
        /// `failed`, `scanned` (one client tried many ports), `probed` (nobody waited for these connections)
        /// or `slow`.
        kind: Text,
        /// Kind of failure, or the cause of the lost time.
        cause: Text,
        /// Sender of the slow data: `client` or `server`; null for other kinds.
        sender: Maybe<Text>,
        /// Number of connections.
        connections: Integer,
        /// Number of all connections of that server; null for a scan.
        of_connections: Maybe<Integer>,
        /// Number of exchanges of these connections.
        exchanges: Integer,
        /// Total lost time in seconds: waits for missing answers, or time that a change could save.
        lost_s: Real,
        /// `info`, `warning` or `critical`.
        severity: Text,
        /// Minimum bytes of one of these connections.
        least_bytes: Integer,
        /// Maximum bytes of one of these connections.
        most_bytes: Integer,
        /// Shortest duration in seconds.
        shortest_s: Real,
        /// Longest duration in seconds.
        longest_s: Real,
        /// Start of the first connection.
        start: Moment,
        /// The same, in nanoseconds since the epoch.
        start_ns: Integer,
        /// End of the last connection, in nanoseconds since the epoch.
        end_ns: Integer,
        /// The best example, by the number of its first packet.
        example_first_packet: Integer,
        /// The problem in words; null without words.
        sentence: Maybe<Text>,
        /// Kind of target: a `service`, or a `client` that several addresses did not answer. Other targets
        /// are attempts that nobody waited for. They are a `scan` of ports, a `trace` of the path, a `flood`
        /// of SYNs, `strays` (single SYNs from outside) or `peers` that did not answer.
        target: Text,
        /// IP address of the only client; null if there may be several.
        client: Maybe<Text>,
        /// Evidence from the example in words; null without words.
        evidence: Maybe<Text>,
        /// The answer about this problem.
        answer: Answered,
    }
}

/// All connections of a capture, because its problems refer to them.
#[derive(Default)]
pub(crate) struct Whole {
    pub(crate) totals: Totals,
    pub(crate) services: Services,
}

impl Whole {
    pub(crate) fn add(&mut self, connection: &Connection) {
        self.totals.add(connection);
        self.services.add(connection);
    }
}

impl ServiceTable {
    pub(crate) fn add(&mut self, capture: &str, service: &Service) {
        let failed = |failure: Failure| integer(service.failed_by(failure));
        let spread = |sketch: &Sketch| {
            let spread = sketch.distribution();
            [spread.map(|spread| spread.median), spread.map(|spread| spread.p95), spread.map(|spread| spread.max)]
                .map(|nanos| nanos.map(|nanos| nanos as f64 / super::NANOS))
        };
        let [connection_median_s, connection_p95_s, connection_max_s] = spread(&service.times);
        let [exchange_median_s, exchange_p95_s, exchange_max_s] = spread(&service.exchange_times);
        let [response_median_s, response_p95_s, response_max_s] = spread(&service.responses);
        let parts = &service.parts;
        // The first of equal limits, as in JSON.
        let limits = Limit::ALL.into_iter().rev().map(|limit| (service.limits[limit as usize], limit));
        let longest = limits.filter(|limit| limit.0 > 0).max_by_key(|limit| limit.0);
        self.push(ServiceRow {
            capture: capture.into(),
            server: service,
            unanswered: failed(Failure::Unanswered),
            refused: failed(Failure::Refused),
            reset_by_client: failed(Failure::ResetByClient),
            reset_by_server: failed(Failure::ResetByServer),
            reset_between: failed(Failure::ResetBetween),
            timed_out: failed(Failure::TimedOut),
            unfinished: failed(Failure::Unfinished),
            request_unanswered: failed(Failure::RequestUnanswered),
            traffic: service,
            connection_median_s,
            connection_p95_s,
            connection_max_s,
            exchanges: integer(service.exchanges),
            exchange_median_s,
            exchange_p95_s,
            exchange_max_s,
            response_median_s,
            response_p95_s,
            response_max_s,
            client_s: seconds(parts.client),
            server_s: seconds(parts.server),
            server_pauses_s: seconds(parts.pauses),
            round_trips_s: seconds(parts.round_trips),
            requests_s: seconds(parts.requests),
            answers_s: seconds(parts.answers),
            retransmission_s: seconds(parts.retransmission),
            limit: longest.map(|limit| limit.1.id().into()),
            limit_s: longest.map(|limit| seconds(limit.0)),
            idle_close: failed(Failure::IdleClose),
            handshake_incomplete: failed(Failure::Incomplete),
            large_vanished: failed(Failure::LargeVanished),
            facts: service,
        });
    }
}

impl ProblemTable {
    pub(crate) fn add(
        &mut self,
        capture: &str,
        place: usize,
        problem: &Problem,
        whole: &Whole,
        presentation: Presentation<'_>,
    ) {
        let Whole { totals, services } = whole;
        let words = presentation.has_words.then_some(presentation.wording);
        let key = &problem.key;
        let service = key.service().and_then(|service| services.of(service));
        self.push(ProblemRow {
            capture: capture.into(),
            problem: i16::try_from(place).unwrap_or(i16::MAX),
            address: key.address().to_string().into(),
            port: key.service().map(|service| service.port.into()),
            kind: key.kind_id().into(),
            cause: key.cause_id().into(),
            sender: key.sender_id().map(Into::into),
            connections: integer(problem.connections),
            of_connections: service.map(|service| integer(service.connections)),
            exchanges: integer(problem.exchanges),
            lost_s: seconds(problem.lost),
            severity: problem.severity.id().into(),
            least_bytes: integer(problem.bytes.0),
            most_bytes: integer(problem.bytes.1),
            shortest_s: seconds(problem.lasted.0),
            longest_s: seconds(problem.lasted.1),
            start: problem.extent.0,
            start_ns: problem.extent.0.as_nanos(),
            end_ns: problem.extent.1.as_nanos(),
            example_first_packet: integer(problem.example.first_packet),
            sentence: words.map(|words| problem_sentence(words, services, problem).into()),
            target: key.target.id().into(),
            client: key.target.client().map(|client| client.to_string().into()),
            evidence: words.map(|words| problem_evidence(words, problem).into()),
            answer: Answer::of_problem(problem, *totals, services, presentation),
        });
    }
}
