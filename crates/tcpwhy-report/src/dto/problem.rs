use serde::Serialize;
use tcpwhy_analysis as analysis;
use tcpwhy_analysis::answer::Totals;
use tcpwhy_analysis::{Folds, Services};

use crate::dto::{Answer, Id, Presentation};
use crate::text::{problem_evidence, problem_sentence};

/// Connections to one server that failed or were slow in the same way, so that one change can fix them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Problem {
    /// IP address of the server; of the client for the targets `client` and `peers`.
    pub(crate) address: String,
    /// TCP port of the server; null if several are concerned.
    pub(crate) port: Option<u16>,
    /// `failed`, `scanned` (one client tried many ports), `probed` (nobody waited for these connections) or
    /// `slow`.
    pub(crate) kind: Id,
    /// Subject of the problem: a `service`, or a `client` that several addresses did not answer. Attempts
    /// that nobody waited for are a `scan` of ports, a `trace` of the path, a `flood` of SYNs, `strays` or
    /// `peers`. `strays` are single SYNs from outside, `peers` did not answer.
    pub(crate) target: Id,
    /// IP address of the only client; null if there may be several.
    pub(crate) client: Option<String>,
    /// Failure, as in `failures` of services, or cause of the slowness. Causes: `server_response`,
    /// `round_trips`, `handshake`, `loss`, `receive_window`, `ack_delay`, `application`, `close_wait`,
    /// `path`, `send_buffer`, `slow_start` or `congestion_window`.
    pub(crate) cause: Id,
    /// `client` or `server`: the sender of the slow data; null for other kinds.
    pub(crate) sender: Option<Id>,
    /// Number of connections concerned.
    pub(crate) connections: u64,
    /// Number of connections to that server; null for a scan.
    pub(crate) of_connections: Option<u64>,
    /// Number of exchanges in these connections.
    pub(crate) exchanges: u64,
    /// Total time lost: waits for something that never came, or time that a change could save.
    pub(crate) lost_s: f64,
    /// `info`, `warning` or `critical`.
    pub(crate) severity: Id,
    /// Least and most bytes that one of them carried.
    pub(crate) bytes: [u64; 2],
    /// Shortest and longest duration of one of them.
    pub(crate) lasted_s: [f64; 2],
    /// Time at which the first of them began, nanoseconds since the epoch.
    pub(crate) start_ns: i64,
    /// Time at which the last of them ended.
    pub(crate) end_ns: i64,
    /// The answer about it.
    pub(crate) answer: Answer,
    /// Number of the connection that shows it best.
    pub(crate) example: u64,
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
    /// Numbers of the example that it is based on, in words; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) evidence: Option<String>,
}

impl Problem {
    /// All problems of a capture, most severe first.
    pub fn all(folds: &Folds, presentation: Presentation<'_>) -> Vec<Self> {
        let totals = folds.leads.totals();
        let new = |problem| Self::new(problem, totals, &folds.services, presentation);
        folds.problems.ranked().iter().map(new).collect()
    }

    /// The problem as it is in JSON.
    pub fn new(
        problem: &analysis::Problem,
        totals: Totals,
        services: &Services,
        presentation: Presentation<'_>,
    ) -> Self {
        let seconds = |nanos: i64| nanos as f64 / 1e9;
        let key = &problem.key;
        let service = key.service().and_then(|service| services.of(service));
        Self {
            address: key.address().to_string(),
            port: key.service().map(|service| service.port),
            kind: key.kind_id().into(),
            target: key.target.id().into(),
            client: key.target.client().map(|client| client.to_string()),
            cause: key.cause_id().into(),
            sender: key.sender_id().map(Into::into),
            connections: problem.connections,
            of_connections: service.map(|service| service.connections),
            exchanges: problem.exchanges,
            lost_s: seconds(problem.lost),
            severity: problem.severity.id().into(),
            bytes: [problem.bytes.0, problem.bytes.1],
            lasted_s: [seconds(problem.lasted.0), seconds(problem.lasted.1)],
            start_ns: problem.extent.0.as_nanos(),
            end_ns: problem.extent.1.as_nanos(),
            answer: Answer::of_problem(problem, totals, services, presentation),
            example: problem.example.id,
            sentence: presentation.say(|wording| problem_sentence(wording, services, problem)),
            evidence: presentation.say(|wording| problem_evidence(wording, problem)),
        }
    }
}
