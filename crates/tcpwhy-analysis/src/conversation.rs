//! Who speaks when, who asks, and what each message is.
//!
//! All that one end says between two words of the other, without a long silence, is one message. Where its
//! first data acknowledges all that the other end had sent, it comes after that message, wherever the capture
//! was taken; otherwise the two crossed, and neither answers the other.
//!
//! words ([`word`]) → messages ([`message`]) → habits of both ends ([`habits`]) → who asks ([`asker`]) → the
//! role of each message ([`roles`]) → exchanges ([`accounts`]).
//!
//! So many messages are held back until it is known how both ends speak; memory does not grow with more.

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

/// Messages that are held back until who asks is decided. Chosen: a habit shows in fewer, and they take 5 kB.
const MOST_HELD: usize = 64;

/// What is known of a conversation when its connection is over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Closing {
    /// When the server closed, nanoseconds.
    pub(crate) closed: Option<i64>,
    /// A person types, and each key is echoed.
    pub(crate) is_echoed: bool,
    /// The answers are kept back until there is news.
    pub(crate) is_polled: bool,
    /// Words of one end allow the other to send more: they neither ask nor answer.
    pub(crate) is_granted: bool,
}

/// The messages of a connection so far.
#[derive(Clone, Debug)]
pub(crate) struct Conversation {
    presumed: Presumed,
    /// To both ends, once nothing more belongs to the directions, and which of them was taken to ask.
    ways: Option<(Ways, Side)>,
    /// Exchanges that are kept one by one: the slowest.
    most_kept: usize,
    /// When the handshake was over, and its least round trip, nanoseconds.
    established: Option<i64>,
    rtt: i64,
    current: Option<Message>,
    /// Complete messages without a role yet.
    held: Vec<Message>,
    habits: Habits,
    /// Messages that have a role are counted here; `None` before there are any.
    accounts: Option<Box<Accounts>>,
    /// The end that does not speak has data under way that crosses what does.
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

    /// Nothing more belongs to the directions: how far the capture point was from both ends, if `client`
    /// asks.
    pub(crate) fn locate(&mut self, ways: Ways, client: Side) {
        self.ways = Some((ways, client));
    }

    /// To both ends, as [`Self::locate`] had it.
    pub(crate) fn ways(&self) -> Ways {
        match self.ways {
            Some((ways, client)) if client == self.asker() => ways,
            Some((Ways { to_server, to_client }, _)) => Ways { to_server: to_client, to_client: to_server },
            None => Ways::default(),
        }
    }

    /// The end that asks, as far as its messages show.
    pub(crate) fn asker(&self) -> Side {
        asker::of(self.presumed, &self.habits)
    }

    /// When the handshake was over, and its round trip, nanoseconds.
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

    /// Data of the end that did not speak last.
    fn turn(&mut self, spoken: &Spoken) {
        if self.current.is_some() && !spoken.is_after_all {
            // Window updates of HTTP/2 and SSH are no words.
            if spoken.bytes > KEYSTROKE.get() && !self.is_crossing {
                self.crossed += 1;
                self.is_crossing = true;
            }
            return;
        }
        // Where the capture joined a connection, a keep-alive looks like its first byte.
        if self.current.is_none() && self.established.is_none() && spoken.bytes == 1 {
            return;
        }
        self.is_crossing = false;
        let follows =
            self.current.map_or(Follows::Nothing, |before| Follows::Other((spoken.time - before.last).max(0)));
        self.begin(spoken, follows);
    }

    /// A message begins; the one before is complete.
    fn begin(&mut self, spoken: &Spoken, follows: Follows) {
        let Some(complete) = self.current.replace(Message::begin(spoken, follows)) else { return };
        self.habits.note(&complete, self.rtt);
        self.held.push(complete);
        if self.held.len() == MOST_HELD {
            self.decide(None);
        }
    }

    /// Every held message gets its role, but for the last while the connection goes on: its role may depend
    /// on what follows.
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

    /// Nothing more will be said.
    pub(crate) fn close(&mut self) {
        if let Some(last) = self.current.take() {
            self.habits.note(&last, self.rtt);
            self.held.push(last);
        }
    }

    /// The exchanges of a conversation that is closed; `None` where nothing was asked and answered, pushed,
    /// or said at the opening.
    pub(crate) fn finish(mut self, ways: Ways, closing: Closing) -> Option<Exchanges> {
        self.decide(Some(closing));
        let asker = self.asker();
        let accounts = self.accounts?;
        let Closing { is_echoed, is_polled, is_granted, .. } = closing;
        // Those who read the exchanges take who opened the connection for the client.
        let is_against_opening = matches!(self.presumed, Presumed::Opened(client) if client != asker);
        let is_torn = accounts.asker() != asker || is_against_opening;
        // A timer speaks at even intervals, a person does not.
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

    /// Bytes of memory, its own size included.
    pub(crate) fn heap(&self) -> usize {
        let accounts = self.accounts.as_ref().map_or(0, |accounts| size_of::<Accounts>() + accounts.heap());
        size_of::<Self>() + accounts + self.held.capacity() * size_of::<Message>()
    }
}

#[cfg(test)]
mod terms;
