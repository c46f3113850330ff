//! Where the time of exchanges went, and who took it.

/// Where the time of exchanges went, nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The client, between an answer and its next request.
    pub client: i64,
    /// At least so much of that: a round trip that varied may have taken the rest.
    pub client_least: i64,
    /// The server, until the first byte of each answer.
    pub server: i64,
    /// At least so much of that.
    pub server_least: i64,
    /// The server, within its answers: it had nothing to send.
    pub pauses: i64,
    /// Round trips of the path, one for each exchange.
    pub round_trips: i64,
    /// Transfer of the requests.
    pub requests: i64,
    /// Transfer of the answers, without [`Self::pauses`].
    pub answers: i64,
    /// Repairs of losses, part of the transfers.
    pub retransmission: i64,
}

impl Parts {
    /// All of the server's time.
    pub const fn of_server(&self) -> i64 {
        self.server.saturating_add(self.pauses)
    }

    /// Both transfers.
    pub const fn transfers(&self) -> i64 {
        self.requests.saturating_add(self.answers)
    }

    /// The path's: round trips and both transfers.
    pub const fn network(&self) -> i64 {
        self.round_trips.saturating_add(self.transfers())
    }

    /// What `party` took.
    pub const fn of(&self, party: Party) -> i64 {
        match party {
            Party::Client => self.client,
            Party::Server => self.of_server(),
            Party::RoundTrips => self.round_trips,
            Party::Transfers => self.transfers(),
        }
    }

    /// The exchanges and the time between them.
    pub const fn all(&self) -> i64 {
        let exchanges = self.of_server().saturating_add(self.transfers()).saturating_add(self.round_trips);
        exchanges.saturating_add(self.client)
    }

    /// Adds those of other exchanges.
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

/// Who took the time of exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// The client, between its requests.
    Client,
    /// The server, until and within its answers.
    Server,
    /// The path's round trips, one for each exchange.
    RoundTrips,
    /// Sending requests and answers.
    Transfers,
}

impl Party {
    /// All of them.
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
