//! How the sending program hands its data to the kernel.

use std::fmt;

use super::{Calls, Scenario, Stream, Turns, Waits, Work};

/// The shape of a writing program, as far as a scenario says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Writing {
    /// One write after the other, as fast as the socket takes them.
    Stream,
    /// At a rate of its own.
    Paced,
    /// A portion as fast as the socket takes it, then a rest.
    Portions,
    /// Portions and rests of any length.
    Resting,
    /// As fast as `poll()` finds the socket writable.
    Forwarder,
    /// As much as the peer's protocol allows.
    Credit,
    /// Several of these, one after the other.
    Phases,
    /// Requests and responses, each message of the sender one write.
    Turns,
    /// Requests and responses, a message of the sender in several writes.
    SplitTurns,
    /// Messages ahead of their answers.
    Ahead,
    /// A conversation in which either end may speak.
    Talk,
    /// As a program of others writes.
    Application,
}

impl Writing {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 12] = [
        Self::Stream,
        Self::Paced,
        Self::Portions,
        Self::Resting,
        Self::Forwarder,
        Self::Credit,
        Self::Phases,
        Self::Turns,
        Self::SplitTurns,
        Self::Ahead,
        Self::Talk,
        Self::Application,
    ];

    /// As in JSON and in the names of messages.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Paced => "paced",
            Self::Portions => "portions",
            Self::Resting => "resting",
            Self::Forwarder => "forwarder",
            Self::Credit => "credit",
            Self::Phases => "phases",
            Self::Turns => "turns",
            Self::SplitTurns => "split-turns",
            Self::Ahead => "ahead",
            Self::Talk => "talk",
            Self::Application => "application",
        }
    }
}

impl fmt::Display for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Scenario {
    /// How its sender writes.
    pub fn writing(&self) -> Writing {
        match &self.work {
            Work::Stream(stream) if stream.credit.is_some() => Writing::Credit,
            Work::Stream(stream) => of_stream(stream),
            Work::Turns(turns) if turns.ahead > 1 => Writing::Ahead,
            Work::Turns(turns) => of_turns(turns),
            Work::Talk(_) => Writing::Talk,
            Work::Application(_) => Writing::Application,
        }
    }
}

fn of_stream(stream: &Stream) -> Writing {
    let mut phases = stream.phases.iter().map(|phase| of_calls(&phase.write));
    let first = phases.next().unwrap_or(Writing::Stream);
    if phases.all(|other| other == first) { first } else { Writing::Phases }
}

const fn of_calls<const SIZE: u64>(calls: &Calls<SIZE>) -> Writing {
    match (calls.rate, calls.portion, calls.varies, calls.waits) {
        (Some(_), ..) => Writing::Paced,
        (None, Some(_), Some(_), _) => Writing::Resting,
        (None, Some(_), None, _) => Writing::Portions,
        (None, None, _, Waits::Poll) => Writing::Forwarder,
        (None, None, _, Waits::Call) => Writing::Stream,
    }
}

fn of_turns(turns: &Turns) -> Writing {
    let message = if turns.sender_asks { &turns.request } else { &turns.response };
    if message.len() > 1 { Writing::SplitTurns } else { Writing::Turns }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled;

    #[test]
    fn bundled_scenarios_write_as_their_names_say() {
        for (name, writing) in [
            ("sndbuf-16k", Writing::Stream),
            ("app-paced", Writing::Paced),
            ("idle-restart", Writing::Portions),
            ("phases", Writing::Phases),
            ("request-response", Writing::Turns),
            ("nagle-delack", Writing::SplitTurns),
            ("nginx-sndbuf-16k", Writing::Application),
            ("http2-window", Writing::Credit),
            ("redis-pipeline", Writing::Ahead),
            ("forwarder-sndbuf", Writing::Forwarder),
            ("writer-rests", Writing::Resting),
        ] {
            assert_eq!(bundled::get(name).unwrap().writing(), writing, "{name}");
        }
    }

    #[test]
    fn each_has_a_name_of_its_own() {
        for (index, writing) in Writing::ALL.into_iter().enumerate() {
            assert_eq!(Writing::ALL.iter().position(|other| other.id() == writing.id()), Some(index));
        }
    }
}
