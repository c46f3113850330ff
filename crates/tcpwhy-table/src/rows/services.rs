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
    /// A server's address and port with what it answered in one capture.
    ServiceRow => ServiceTable {
        /// As in `captures`.
        capture: Text,
        /// As in JSON.
        server: Published<ServiceName>,
        /// Connections that failed: the SYN was never answered.
        unanswered: Integer,
        /// Connections that failed: the SYN was answered with a reset.
        refused: Integer,
        /// Connections that failed: the client reset them.
        reset_by_client: Integer,
        /// Connections that failed: the server reset them.
        reset_by_server: Integer,
        /// Connections that failed: something between the ends reset them.
        reset_between: Integer,
        /// Connections that failed: an end fell silent, or was ended for idleness.
        timed_out: Integer,
        /// Connections that failed: closed before all had arrived.
        unfinished: Integer,
        /// Connections that failed: a request was never answered.
        request_unanswered: Integer,
        /// As in JSON.
        traffic: Published<ServiceTraffic>,
        /// Half of the connections with data lasted so long at most; null without any.
        connection_median_s: Maybe<Real>,
        /// 95 % of them lasted so long at most.
        connection_p95_s: Maybe<Real>,
        /// The longest.
        connection_max_s: Maybe<Real>,
        /// Requests with an answer.
        exchanges: Integer,
        /// Half of the exchanges took so long at most; null without any.
        exchange_median_s: Maybe<Real>,
        /// 95 % of them took so long at most.
        exchange_p95_s: Maybe<Real>,
        /// The longest.
        exchange_max_s: Maybe<Real>,
        /// Half of the server's response times were so long at most; null without any.
        response_median_s: Maybe<Real>,
        /// 95 % of them were so long at most.
        response_p95_s: Maybe<Real>,
        /// The longest.
        response_max_s: Maybe<Real>,
        /// The clients' time between an answer and their next request.
        client_s: Real,
        /// The server's time from the last byte of a request to the first of its answer.
        server_s: Real,
        /// The server's pauses within its answers.
        server_pauses_s: Real,
        /// Round trips of the path, one for each exchange.
        round_trips_s: Real,
        /// Transfer of the requests.
        requests_s: Real,
        /// Transfer of the answers, without the server's pauses.
        answers_s: Real,
        /// Repairs of losses, part of the transfers.
        retransmission_s: Real,
        /// The limit that most time of the connections was under; null without data.
        limit: Maybe<Text>,
        /// That time.
        limit_s: Maybe<Real>,
        /// Connections that failed: closed for being idle while a request was under way.
        idle_close: Integer,
        /// Connections that failed: the SYN-ACK was never acknowledged.
        handshake_incomplete: Integer,
        /// Connections that failed: full-sized segments vanished, smaller ones passed.
        large_vanished: Integer,
        /// As in JSON.
        facts: Published<ServiceFacts>,
    }
}

table! {
    /// What one action can fix: connections to one server that failed or were slow alike.
    ProblemRow => ProblemTable {
        /// As in `captures`.
        capture: Text,
        /// Its place among the problems of the capture, from 1, gravest first.
        problem: Small,
        /// The server's IP address; the client's for the targets `client` and `peers`.
        address: Text,
        /// Its TCP port; null where several are concerned.
        port: Maybe<Port>,
        /// `failed`, `scanned` (one client tried many ports), `probed` (nobody waited for these connections)
        /// or `slow`.
        kind: Text,
        /// How they failed, or what took their time.
        cause: Text,
        /// `client` or `server`: whose data was slow; null for other kinds.
        sender: Maybe<Text>,
        /// How many connections.
        connections: Integer,
        /// Connections of that server; null for a scan.
        of_connections: Maybe<Integer>,
        /// Exchanges of these connections.
        exchanges: Integer,
        /// Time lost, all together: waits for what never came, or what a change could save.
        lost_s: Real,
        /// `info`, `warning` or `critical`.
        severity: Text,
        /// The least that one of them carried.
        least_bytes: Integer,
        /// The most that one of them carried.
        most_bytes: Integer,
        /// How long the shortest of them lasted.
        shortest_s: Real,
        /// How long the longest of them lasted.
        longest_s: Real,
        /// When the first of them began.
        start: Moment,
        /// The same in nanoseconds since the epoch.
        start_ns: Integer,
        /// When the last of them ended, nanoseconds since the epoch.
        end_ns: Integer,
        /// The connection that shows it best, by the number of its first packet.
        example_first_packet: Integer,
        /// In words; null without words.
        sentence: Maybe<Text>,
        /// What it concerns: a `service`, or a `client` that several addresses did not answer. Attempts that
        /// nobody waited for are a `scan` of ports, a `trace` of the path, a `flood` of SYNs, `strays`
        /// (single SYNs from outside) or `peers` that did not answer.
        target: Text,
        /// The only client's IP address; null where there may be several.
        client: Maybe<Text>,
        /// The numbers of the example that it rests on, in words; null without words.
        evidence: Maybe<Text>,
        /// The answer about it.
        answer: Answered,
    }
}

/// The connections of a capture, which its problems are a part of.
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
        // The first of equal ones, as in JSON.
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
