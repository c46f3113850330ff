//! A bar that divides the time of requests by the party that took it.

use tcpwhy_analysis::{Connection, Parts};
use tcpwhy_model::{Cause, Limit};

use crate::palette::Swatch;

/// A part of the network's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkPart {
    /// Round trips of the path, one per request.
    RoundTrips,
    /// Transfers of requests and answers under one limit.
    Limited(Swatch),
    /// Transfers whose limit is unknown: only the slowest requests are split by limit.
    Rest,
}

/// The time of all requests of a connection, nanoseconds: client, network, server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestBar {
    /// Time of the client, between its requests.
    pub client: i64,
    /// Time of the network, by its parts. None of them is 0.
    pub network: Vec<(NetworkPart, i64)>,
    /// Time of the server, before and within its answers.
    pub server: i64,
}

impl RequestBar {
    /// The bar of `connection`; `None` if its requests cannot be timed one by one, and for a single request,
    /// which is only a transfer.
    pub fn of(connection: &Connection) -> Option<Self> {
        let exchanges = connection.exchanges.as_deref().filter(|exchanges| exchanges.is_request_response())?;
        if exchanges.count < 2 {
            return None;
        }
        Some(Self::new(&exchanges.parts, &exchanges.limits)).filter(|bar| bar.total() > 0)
    }

    fn new(parts: &Parts, limits: &[(Cause, i64)]) -> Self {
        let mut network = vec![(NetworkPart::RoundTrips, parts.round_trips)];
        let mut left = parts.transfers();
        // Pauses of the application within answers are counted as the server's time.
        for &(cause, nanos) in limits.iter().filter(|(cause, _)| cause.limit != Limit::Application) {
            let part = NetworkPart::Limited(Swatch::of(cause));
            let nanos = nanos.min(left);
            left -= nanos;
            match network.iter_mut().find(|(own, _)| *own == part) {
                Some((_, sum)) => *sum += nanos,
                None => network.push((part, nanos)),
            }
        }
        network.push((NetworkPart::Rest, left));
        network.retain(|part| part.1 > 0);
        Self { client: parts.client, network, server: parts.of_server() }
    }

    /// Total time of the network: round trips and transfers.
    pub fn network_nanos(&self) -> i64 {
        self.network.iter().map(|part| part.1).sum()
    }

    /// Time of all requests and of the pauses between them.
    pub fn total(&self) -> i64 {
        self.client + self.network_nanos() + self.server
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Detail;

    use super::*;

    #[test]
    fn the_parts_add_up_to_the_sums_of_the_sentence() {
        let parts =
            Parts { client: 20, server: 7, pauses: 3, round_trips: 5, requests: 2, answers: 13, ..Parts::default() };
        let limits = [
            (Detail::SmallBuffer.into(), 6),
            (Detail::SlowReader.into(), 2),
            (Detail::Idle.into(), 3),
            (Cause::plain(Limit::SlowStart), 1),
        ];
        let bar = RequestBar::new(&parts, &limits);
        let window = NetworkPart::Limited(Swatch::ReceiveWindow);
        let slow_start = NetworkPart::Limited(Swatch::SlowStart);
        let expected = [(NetworkPart::RoundTrips, 5), (window, 8), (slow_start, 1), (NetworkPart::Rest, 6)];
        assert_eq!(bar.network, expected);
        assert_eq!((bar.client, bar.network_nanos(), bar.server), (20, parts.network(), parts.of_server()));
        assert_eq!(bar.total(), parts.all());
        // The time of limits is cut to the time of the transfers.
        let most = RequestBar::new(&parts, &[(Cause::plain(Limit::Path), 99)]);
        assert_eq!(most.network_nanos(), parts.network());
    }
}
