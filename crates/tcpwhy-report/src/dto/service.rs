use serde::Serialize;
use tcpwhy_analysis as analysis;
use tcpwhy_analysis::{Failure, Services};

use super::exchanges::{Exchange, Parts, Percentiles};
use super::facts::{Facts as _, facts};
use crate::dto::Id;

/// A server's address and port with what it answered.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Service {
    /// The server's IP address.
    pub(crate) address: String,
    /// Its TCP port.
    pub(crate) port: u16,
    /// Connections, failed and empty ones too.
    pub(crate) connections: u64,
    /// Connections that failed, by kind, without probes that nobody waited for; kinds that did not happen are
    /// left out.
    pub(crate) failures: Vec<FailureCount>,
    /// Connections that the client reset, whether or not anything was lost.
    pub(crate) resets_by_client: u64,
    /// Connections that the server reset, whether or not anything was lost.
    pub(crate) resets_by_server: u64,
    /// Connections at which a person types.
    pub(crate) interactive: u64,
    /// Payload of both directions.
    pub(crate) bytes: u64,
    /// How long connections with data lasted; null without any.
    pub(crate) connection_s: Option<Percentiles>,
    /// Requests with an answer.
    pub(crate) exchanges: u64,
    /// How long each took; null without any.
    pub(crate) exchange_s: Option<Percentiles>,
    /// The server's response times; null without any.
    pub(crate) response_s: Option<Percentiles>,
    /// Where the time of the exchanges went.
    pub(crate) parts: Parts,
    /// Time of the connections by limit, longest first.
    pub(crate) limits: Vec<ServiceLimit>,
    /// The slowest exchanges, longest first; at most three.
    pub(crate) slowest: Vec<SlowExchange>,
    /// Connections with data whose clock is wrong: their times are left out of all seconds above.
    pub(crate) wrong_clock: u64,
    #[serde(flatten)]
    pub(crate) facts: ServiceFacts,
}

facts! {
    /// Plain facts about a service.
    ServiceFacts of analysis::Service {
        /// When the first byte of the slowest exchange's answer came, nanoseconds since the epoch; null where
        /// no request was answered.
        slowest_answer_ns: Option<i64> = |service| {
            service.slowest.first().map(|slow| slow.exchange.answer.start().as_nanos())
        };
    }
}

/// Connections that failed in one way.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct FailureCount {
    /// `unanswered`, `refused`, `reset_by_client`, `reset_by_server`, `reset_between`, `timed_out`,
    /// `unfinished`, `request_unanswered`, `idle_close`, `handshake_incomplete` or `large_vanished`.
    pub(crate) kind: Id,
    /// How many.
    pub(crate) connections: u64,
}

/// Time under one limit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct ServiceLimit {
    /// Limit id.
    pub(crate) limit: Id,
    /// Time.
    pub(crate) seconds: f64,
}

/// An exchange of a service.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SlowExchange {
    /// Number of its connection.
    pub(crate) connection: u64,
    /// What it was.
    #[serde(flatten)]
    pub(crate) exchange: Exchange,
}

impl Service {
    /// All services of a capture, those with most connections first.
    pub fn all(services: &Services) -> Vec<Self> {
        services.ranked().into_iter().map(Self::new).collect()
    }

    /// The service as JSON shows it.
    pub fn new(service: &analysis::Service) -> Self {
        let failures = Failure::ALL.into_iter().map(|failure| (failure, service.failed_by(failure)));
        let failures = failures.filter(|failure| failure.1 > 0);
        let slowest = service.slowest.iter();
        Self {
            address: service.server.address.to_string(),
            port: service.server.port,
            connections: service.connections,
            failures: failures
                .map(|(failure, connections)| FailureCount { kind: failure.id().into(), connections })
                .collect(),
            resets_by_client: service.resets[0],
            resets_by_server: service.resets[1],
            interactive: service.interactive,
            bytes: service.bytes,
            connection_s: Percentiles::new(&service.times),
            exchanges: service.exchanges,
            exchange_s: Percentiles::new(&service.exchange_times),
            response_s: Percentiles::new(&service.responses),
            parts: Parts::new(&service.parts),
            limits: service
                .ranked_limits()
                .into_iter()
                .map(|(limit, nanos)| ServiceLimit { limit: limit.id().into(), seconds: nanos as f64 / 1e9 })
                .collect(),
            slowest: slowest
                .map(|slow| SlowExchange { connection: slow.connection, exchange: Exchange::new(&slow.exchange) })
                .collect(),
            wrong_clock: service.wrong_clock,
            facts: ServiceFacts::of(service),
        }
    }
}
