//! Time of exchanges, by party.

/// Time of exchanges, by party, nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Time of the client, between an answer and its next request.
    pub client: i64,
    /// Lower bound of the client's time: a varying round trip may have taken the difference.
    pub client_least: i64,
    /// Time of the server until the first byte of each answer.
    pub server: i64,
    /// Lower bound of the server's time.
    pub server_least: i64,
    /// Time of the server within its answers, while it had nothing to send.
    pub pauses: i64,
    /// Round trips of the path, one per exchange.
    pub round_trips: i64,
    /// Transfer of the requests.
    pub requests: i64,
    /// Transfer of the answers, without [`Self::pauses`].
    pub answers: i64,
    /// Time of loss repairs, a part of the transfers.
    pub retransmission: i64,
}

impl Parts {
    /// Returns all of the server's time.
    pub const fn of_server(&self) -> i64 {
        self.server.saturating_add(self.pauses)
    }

    /// Returns the time of both transfers.
    pub const fn transfers(&self) -> i64 {
        self.requests.saturating_add(self.answers)
    }

    /// Returns the path's time: round trips and both transfers.
    pub const fn network(&self) -> i64 {
        self.round_trips.saturating_add(self.transfers())
    }

    /// Returns the time of `party`.
    pub const fn of(&self, party: Party) -> i64 {
        match party {
            Party::Client => self.client,
            Party::Server => self.of_server(),
            Party::RoundTrips => self.round_trips,
            Party::Transfers => self.transfers(),
        }
    }

    /// Returns the time of the exchanges and between them.
    pub const fn all(&self) -> i64 {
        let exchanges = self.of_server().saturating_add(self.transfers()).saturating_add(self.round_trips);
        exchanges.saturating_add(self.client)
    }

    /// Adds the times of other exchanges.
    pub(crate) fn add(&mut self, other: &Self) {
        let own = [
            (&mut self.client, other.client),
            (&mut self.client_least, other.client_least),
            (&mut self.server, other.server),
            (&mut self.server_least, other.server_least),
            (&mut self.pauses, other.pauses),
            (&mut self.round_trips, other.round_trips),
            (&mut self.requests, other.requests),
            (&mut self.answers, other.answers),
            (&mut self.retransmission, other.retransmission),
        ];
        for (sum, nanos) in own {
            *sum = sum.saturating_add(nanos);
        }
    }
}

/// Party that took time of exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// The client, between its requests.
    Client,
    /// The server, until and within its answers.
    Server,
    /// The path's round trips, one per exchange.
    RoundTrips,
    /// Sending requests and answers.
    Transfers,
}

impl Party {
    /// All parties.
    pub const ALL: [Self; 4] = [Self::Client, Self::Server, Self::RoundTrips, Self::Transfers];

    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
            Self::RoundTrips => "round_trips",
            Self::Transfers => "transfers",
        }
    }
}
