use serde::Serialize;
use tcpwhy_analysis as analysis;
use tcpwhy_analysis::{Failure, Services};

use super::exchanges::{Exchange, Parts, Percentiles};
use super::facts::facts;
use crate::dto::Id;

/// Address and port of a server, with its traffic and response times.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Service {
    #[serde(flatten)]
    pub(crate) server: ServiceName,
    /// Connections that failed, by kind, without probes that nobody waited for; kinds that did not occur are
    /// absent.
    pub(crate) failures: Vec<FailureCount>,
    #[serde(flatten)]
    pub(crate) traffic: ServiceTraffic,
    /// Durations of connections with data; null without any.
    pub(crate) connection_s: Option<Percentiles>,
    /// Requests with an answer.
    pub(crate) exchanges: u64,
    /// Durations of the exchanges; null without any.
    pub(crate) exchange_s: Option<Percentiles>,
    /// The server's response times; null without any.
    pub(crate) response_s: Option<Percentiles>,
    /// Where the time of the exchanges went.
    pub(crate) parts: Parts,
    /// Time of the connections by limit, longest first.
    pub(crate) limits: Vec<ServiceLimit>,
    /// The slowest exchanges, longest first; at most three.
    pub(crate) slowest: Vec<SlowExchange>,
    #[serde(flatten)]
    pub(crate) facts: ServiceFacts,
}

/// All plain facts about a service.
pub type AllServiceFacts = (ServiceName, (ServiceTraffic, ServiceFacts));

facts! {
    /// The server, and how many connections it had.
    ServiceName of analysis::Service {
        /// The server's IP address.
        address: Id = |service| service.server.address.to_string().into();
        /// Its TCP port.
        port: u16 = |service| service.server.port;
        /// Connections, failed and empty ones too.
        connections: u64 = |service| service.connections;
    }
}

facts! {
    /// Resets and bytes of its connections.
    ServiceTraffic of analysis::Service {
        /// Connections that the client reset, whether or not anything was lost.
        resets_by_client: u64 = |service| service.resets[0];
        /// Connections that the server reset, whether or not anything was lost.
        resets_by_server: u64 = |service| service.resets[1];
        /// Connections on which a person types.
        interactive: u64 = |service| service.interactive;
        /// Payload of both directions.
        bytes: u64 = |service| service.bytes;
    }
}

facts! {
    /// Further facts about a service. New facts go here.
    ServiceFacts of analysis::Service {
        /// Connections with data whose clock is wrong: all seconds above exclude their times.
        wrong_clock: u64 = |service| service.wrong_clock;
        /// Time at which the answer of the slowest exchange began, nanoseconds since the epoch; null if no
        /// request was answered.
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
    /// Number of connections.
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
    /// Times and sizes of the exchange.
    #[serde(flatten)]
    pub(crate) exchange: Exchange,
}

impl Service {
    /// All services of a capture, those with the most connections first.
    pub fn all(services: &Services) -> Vec<Self> {
        services.ranked().into_iter().map(Self::new).collect()
    }

    /// The service as it is in JSON.
    pub fn new(service: &analysis::Service) -> Self {
        let failures = Failure::ALL.into_iter().map(|failure| (failure, service.failed_by(failure)));
        let failures = failures.filter(|failure| failure.1 > 0);
        let slowest = service.slowest.iter();
        Self {
            server: ServiceName::of(service),
            failures: failures
                .map(|(failure, connections)| FailureCount { kind: failure.id().into(), connections })
                .collect(),
            traffic: ServiceTraffic::of(service),
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
            facts: ServiceFacts::of(service),
        }
    }
}
