//! Conversation of the two ends: messages, the requesting end, and the role of each message.
//!
//! All data of one end between two messages of the other end, without a long silence, is one message. If its
//! first data acknowledges all data of the other end, it follows the other end's message, wherever the
//! capture was made. Otherwise the two crossed, and neither answers the other.
//!
//! data ([`word`]) → messages ([`message`]) → habits of both ends ([`habits`]) → the requesting end
//! ([`asker`]) → the role of each message ([`roles`]) → exchanges ([`accounts`]).
//!
//! Messages are stored until the habits of both ends are known. Memory does not grow with further messages.

mod accounts;
mod asker;
mod habits;
mod message;
mod role;
mod roles;
mod scene;
mod word;

pub(crate) use asker::Presumed;
pub(crate) use word::Spoken;

use tcpwhy_model::Record;

use crate::exchanges::{Exchanges, Known, Shown, Turns, Ways};
use crate::side::Side;
use crate::thresholds::KEYSTROKE;
use accounts::Accounts;
use habits::Habits;
use message::{Follows, Message, long_rest, own_rest};
use scene::Scene;

/// Number of messages that are stored until the requesting end is decided. Chosen: fewer show a habit, and
/// this many take 5 kB.
const MOST_HELD: usize = 64;

/// Facts about a conversation when its connection is over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Closing {
    /// Time at which the server closed, nanoseconds.
    pub(crate) closed: Option<i64>,
    /// Whether a person types and each keystroke is echoed.
    pub(crate) is_echoed: bool,
    /// Whether the server delays answers until there is news.
    pub(crate) is_polled: bool,
    /// Whether messages of one end allow the other to send more data. They are neither requests nor answers.
    pub(crate) is_granted: bool,
}

/// The messages of a connection so far.
#[derive(Clone, Debug)]
pub(crate) struct Conversation {
    presumed: Presumed,
    /// Path delays to both ends, once the directions are complete, and the end that was then regarded as the
    /// requester.
    ways: Option<(Ways, Side)>,
    /// Largest number of exchanges that are kept one by one: the slowest ones.
    most_kept: usize,
    /// End of the handshake, and its least round trip, nanoseconds.
    established: Option<i64>,
    rtt: i64,
    current: Option<Message>,
    /// Complete messages without a role yet.
    held: Vec<Message>,
    habits: Habits,
    /// Sums over the messages that have a role; `None` before there are any.
    accounts: Option<Box<Accounts>>,
    /// Whether data in flight of the other end crosses the current message.
    is_crossing: bool,
    crossed: u64,
    #[cfg(test)]
    told: Vec<role::Role>,
}

impl Conversation {
    pub(crate) fn new(presumed: Presumed, most_kept: usize) -> Self {
        Self {
            presumed,
            ways: None,
            most_kept,
            established: None,
            rtt: 0,
            current: None,
            held: Vec::new(),
            habits: Habits::default(),
            accounts: None,
            is_crossing: false,
            crossed: 0,
            #[cfg(test)]
            told: Vec::new(),
        }
    }

    /// Stores the path delays from the capture point to both ends, if `client` is the requester. The
    /// directions are complete then.
    pub(crate) fn locate(&mut self, ways: Ways, client: Side) {
        self.ways = Some((ways, client));
    }

    /// Returns the path delays to both ends, as [`Self::locate`] stored them.
    pub(crate) fn ways(&self) -> Ways {
        match self.ways {
            Some((ways, client)) if client == self.asker() => ways,
            Some((Ways { to_server, to_client }, _)) => Ways { to_server: to_client, to_client: to_server },
            None => Ways::default(),
        }
    }

    /// Returns the requesting end, as far as its messages show.
    pub(crate) fn asker(&self) -> Side {
        asker::of(self.presumed, &self.habits)
    }

    /// Stores the end of the handshake, and its round trip, nanoseconds.
    pub(crate) fn establish(&mut self, established: Option<i64>, rtt: Option<i64>) {
        self.established = established;
        self.rtt = rtt.unwrap_or(0).max(0);
    }

    /// Takes the next data.
    #[inline]
    pub(crate) fn follow(&mut self, spoken: &Spoken) {
        match &mut self.current {
            // A keep-alive repeats a byte that arrived long ago.
            Some(_) if spoken.bytes == 0 && spoken.had_nothing_out => {}
            Some(message) if message.speaker == spoken.side => {
                let silence = spoken.time - message.last;
                self.is_crossing = false;
                let is_free = spoken.had_nothing_out && !spoken.was_shut;
                if is_free && silence >= long_rest(self.rtt) {
                    self.begin(spoken, Follows::Own(silence));
                    return;
                }
                message.rests += u32::from(is_free && silence >= own_rest(self.rtt));
                message.extend(spoken.bytes, spoken.time, spoken.packet);
                if spoken.record == Record::Handshake {
                    message.record = Record::Handshake;
                }
            }
            _ if spoken.bytes > 0 => self.turn(spoken),
            _ => {}
        }
    }

    /// Takes data of the end that did not send last.
    fn turn(&mut self, spoken: &Spoken) {
        if self.current.is_some() && !spoken.is_after_all {
            // Window updates of HTTP/2 and SSH are not messages.
            if spoken.bytes > KEYSTROKE.get() && !self.is_crossing {
                self.crossed += 1;
                self.is_crossing = true;
            }
            return;
        }
        // If the capture started mid-connection, a keep-alive looks like its first byte.
        if self.current.is_none() && self.established.is_none() && spoken.bytes == 1 {
            return;
        }
        self.is_crossing = false;
        let follows =
            self.current.map_or(Follows::Nothing, |before| Follows::Other((spoken.time - before.last).max(0)));
        self.begin(spoken, follows);
    }

    /// Begins a message. The one before is complete.
    fn begin(&mut self, spoken: &Spoken, follows: Follows) {
        let Some(complete) = self.current.replace(Message::begin(spoken, follows)) else { return };
        self.habits.note(&complete, self.rtt);
        self.held.push(complete);
        if self.held.len() == MOST_HELD {
            self.decide(None);
        }
    }

    /// Assigns a role to every stored message. While the connection continues, the last one stays without a
    /// role, because the role may depend on the next message.
    fn decide(&mut self, closed: Option<Closing>) {
        let asker = self.asker();
        let (rtt, most_kept) = (self.rtt, self.most_kept);
        let accounts = self.accounts.get_or_insert_with(|| Box::new(Accounts::new(asker, rtt, most_kept)));
        let decided = if closed.is_some() { self.held.len() } else { self.held.len().saturating_sub(1) };
        for (at, message) in self.held[..decided].iter().enumerate() {
            let scene = Scene {
                message,
                next: self.held.get(at + 1),
                asker: accounts.asker(),
                learnt: accounts.learnt(),
                habits: &self.habits,
                rtt: self.rtt,
                has_handshake: self.established.is_some(),
                closed: closed.and_then(|closing| closing.closed),
            };
            let role = roles::role_of(&scene);
            #[cfg(test)]
            self.told.push(role);
            accounts.take(message, role, self.established);
        }
        self.held.drain(..decided);
    }

    /// Ends the last message.
    pub(crate) fn close(&mut self) {
        if let Some(last) = self.current.take() {
            self.habits.note(&last, self.rtt);
            self.held.push(last);
        }
    }

    /// Returns the exchanges of a closed conversation; `None` if there were no exchange, no push and no data
    /// at the opening.
    pub(crate) fn finish(mut self, ways: Ways, closing: Closing) -> Option<Exchanges> {
        self.decide(Some(closing));
        let asker = self.asker();
        let accounts = self.accounts?;
        let Closing { is_echoed, is_polled, is_granted, .. } = closing;
        // Readers of the exchanges regard the opener of the connection as the client.
        let is_against_opening = matches!(self.presumed, Presumed::Opened(client) if client != asker);
        let is_torn = accounts.asker() != asker || is_against_opening;
        // A timer sends at even intervals, a person does not.
        let is_echoed = is_echoed && !self.habits.of(asker).beats();
        let is_free = self.habits.nobody_asks() && !accounts.learnt().has_status_lines();
        let turns =
            Turns { crossed: self.crossed, is_torn, is_free, is_echoed, is_polled, is_granted, ..Turns::default() };
        let shown = Shown {
            is_at_service: matches!(self.presumed, Presumed::Served(client) if client == asker),
            has_header: accounts.learnt().shows_server(asker.peer()),
            is_answered: self.habits.of(asker.peer()).answers(),
            spoke_first: matches!(self.presumed, Presumed::First(_)),
        };
        accounts.finish(ways, turns, Known::by(shown))
    }

    /// Returns the bytes of memory, including the value's own size.
    pub(crate) fn heap(&self) -> usize {
        let accounts = self.accounts.as_ref().map_or(0, |accounts| size_of::<Accounts>() + accounts.heap());
        size_of::<Self>() + accounts + self.held.capacity() * size_of::<Message>()
    }
}

#[cfg(test)]
mod terms;
