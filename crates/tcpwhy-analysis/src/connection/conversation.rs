//! Who speaks when: messages of both ends become exchanges.
//!
//! All data of one end between two words of the other is one message. Where its first data acknowledges all
//! that the other end had sent, it comes after that message, wherever the capture was taken; otherwise the
//! two crossed, and neither answers the other.

use tcpwhy_model::{Span, Timestamp};

use crate::exchanges::{Exchange, Exchanges, Opening, Parts, Turns, Ways};
use crate::side::Side;
use crate::sketch::Sketch;
use crate::thresholds::{KEYSTROKE, LONG_REST, SMALL_MESSAGE};

/// Data of one end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spoken {
    pub(super) side: Side,
    /// Bytes that were not seen before.
    pub(super) bytes: u64,
    pub(super) time: i64,
    pub(super) packet: u64,
    /// It acknowledges all that the other end has sent.
    pub(super) is_after_all: bool,
    /// All that this end had sent before was acknowledged.
    pub(super) had_nothing_out: bool,
    /// It begins with a TLS record of a handshake.
    pub(super) is_tls_handshake: bool,
}

#[derive(Clone, Copy, Debug)]
struct Message {
    speaker: Side,
    first: i64,
    last: i64,
    first_packet: u64,
    last_packet: u64,
    bytes: u64,
    /// Since the other end's last word, nanoseconds; `None` for the first message of all.
    waited: Option<i64>,
    is_tls_handshake: bool,
}

impl Message {
    fn span(&self) -> Span {
        Span::new(Timestamp::from_nanos(self.first), Timestamp::from_nanos(self.last))
    }
}

/// The messages of a connection so far. Waits are as the capture point saw them: what of each is the path's
/// is known at the end.
#[derive(Clone, Debug)]
pub(super) struct Conversation {
    asker: Side,
    /// To both ends, once nothing more belongs to the directions.
    ways: Ways,
    /// Exchanges that are kept one by one: the slowest.
    most_kept: usize,
    current: Option<Message>,
    /// What `current` answers.
    request: Option<Message>,
    /// The end that does not speak has data under way that crosses what does.
    is_crossing: bool,
    turns: Turns,
    bytes: [u64; 2],
    opening: Opening,
    /// Transfers of requests and of answers, nanoseconds.
    transfers: [i64; 2],
    /// From answers to the next requests, all together, nanoseconds.
    rests: i64,
    kept: Vec<Exchange>,
    /// The shortest of them is no longer than this, nanoseconds: what is shorter need not look for it.
    shortest: i64,
    /// All exchanges, once there are more than are kept.
    spread: Option<Box<Spread>>,
}

/// How long exchanges took, nanoseconds.
#[derive(Clone, Debug, Default)]
struct Spread {
    /// From a request to its answer.
    waits: Sketch,
    /// From the first byte of a request to the last of its answer.
    times: Sketch,
}

impl Spread {
    fn of<'a>(exchanges: impl IntoIterator<Item = &'a Exchange>) -> Self {
        let mut spread = Self::default();
        exchanges.into_iter().for_each(|exchange| spread.add(exchange));
        spread
    }

    fn add(&mut self, exchange: &Exchange) {
        self.waits.add(exchange.response.unsigned_abs(), 1.0);
        self.times.add(exchange.nanos().unsigned_abs(), 1.0);
    }
}

impl Conversation {
    pub(super) fn new(asker: Side, most_kept: usize) -> Self {
        Self {
            asker,
            ways: Ways::default(),
            most_kept,
            current: None,
            request: None,
            is_crossing: false,
            turns: Turns::default(),
            bytes: [0; 2],
            opening: Opening::default(),
            transfers: [0; 2],
            rests: 0,
            kept: Vec::new(),
            shortest: i64::MIN,
            spread: None,
        }
    }

    /// Nothing more belongs to the directions: how far the capture point was from both ends.
    pub(super) fn locate(&mut self, ways: Ways) {
        self.ways = ways;
    }

    /// To both ends, as [`Self::locate`] had it.
    pub(super) fn ways(&self) -> Ways {
        self.ways
    }

    /// The end that asks.
    pub(super) fn asker(&self) -> Side {
        self.asker
    }

    /// Takes the next data; `established` is when the handshake was over.
    #[inline]
    pub(super) fn follow(&mut self, spoken: &Spoken, established: Option<i64>) {
        match &mut self.current {
            // A keep-alive repeats a byte that arrived long ago.
            Some(_) if spoken.bytes == 0 && spoken.had_nothing_out => {}
            Some(message) if message.speaker == spoken.side => {
                if spoken.had_nothing_out {
                    self.turns.note_pause(spoken.time - message.last);
                }
                message.bytes += spoken.bytes;
                message.is_tls_handshake |= spoken.is_tls_handshake;
                if spoken.time > message.last {
                    (message.last, message.last_packet) = (spoken.time, spoken.packet);
                }
                self.is_crossing = false;
            }
            _ if spoken.bytes > 0 => self.turn(spoken, established),
            _ => {}
        }
    }

    /// Data of the end that did not speak last.
    fn turn(&mut self, spoken: &Spoken, established: Option<i64>) {
        if self.current.is_some() && !spoken.is_after_all {
            // Window updates of HTTP/2 and SSH are no words.
            if spoken.bytes > KEYSTROKE.get() && !self.is_crossing {
                self.turns.crossed += 1;
                self.is_crossing = true;
            }
            return;
        }
        // Where the capture joined a connection, a keep-alive looks like its first byte.
        if self.current.is_none() && established.is_none() && spoken.bytes == 1 {
            return;
        }
        self.is_crossing = false;
        let Spoken { side, bytes, time, packet, is_tls_handshake, .. } = *spoken;
        let message = Message {
            speaker: side,
            first: time,
            last: time,
            first_packet: packet,
            last_packet: packet,
            bytes,
            waited: self.current.map(|before| (time - before.last).max(0)),
            is_tls_handshake,
        };
        let before = self.current.replace(message);
        if side != self.asker {
            if before.is_none() {
                self.opening.greeting = established.map(|at| (time - at).max(0));
            }
            self.request = before;
        } else if let (Some(request), Some(answer)) = (self.request.take(), before) {
            self.complete(&request, &answer);
        }
    }

    /// An answer is complete.
    fn complete(&mut self, request: &Message, answer: &Message) {
        let rest = request.waited.unwrap_or(0);
        let wait = answer.waited.unwrap_or(0);
        if request.is_tls_handshake {
            self.opening.tls_turns = self.opening.tls_turns.saturating_add(1);
            self.opening.tls_nanos += answer.last - request.first;
            if self.opening.tls_turns > 1 {
                self.opening.tls_nanos += rest;
            }
            return;
        }
        // What passes before the first request is its client's own.
        if self.turns.exchanges > 0 {
            self.rests = self.rests.saturating_add(rest);
        }
        self.turns.exchanges += 1;
        self.turns.span += answer.last - request.first;
        self.bytes[0] += request.bytes;
        self.bytes[1] += answer.bytes;
        let exchange = Exchange {
            request: request.span(),
            answer: answer.span(),
            request_bytes: request.bytes,
            answer_bytes: answer.bytes,
            request_packet: request.first_packet,
            answer_packet: answer.first_packet,
            last_packet: answer.last_packet,
            response: wait,
            round_trip: 0,
            limits: Vec::new(),
        };
        self.transfers[0] += exchange.request.nanos();
        self.transfers[1] += exchange.answer.nanos();
        self.keep(exchange);
    }

    fn keep(&mut self, exchange: Exchange) {
        if self.kept.len() < self.most_kept {
            self.kept.push(exchange);
            return;
        }
        self.spread.get_or_insert_with(|| Box::new(Spread::of(&self.kept))).add(&exchange);
        if exchange.nanos() <= self.shortest {
            return;
        }
        if let Some(shortest) = self.kept.iter_mut().min_by_key(|kept| kept.nanos()) {
            self.shortest = shortest.nanos();
            if self.shortest < exchange.nanos() {
                *shortest = exchange;
            }
        }
    }

    /// Their sum; `None` without an exchange and without an opening. `closed` is when the server closed.
    pub(super) fn finish(
        mut self,
        ways: Ways,
        closed: Option<i64>,
        is_echoed: bool,
        is_polled: bool,
    ) -> Option<Exchanges> {
        if let (Some(request), Some(answer)) = (self.request.take(), self.current)
            && answer.speaker != self.asker
            && !is_goodbye(&answer, closed)
        {
            self.complete(&request, &answer);
        }
        if self.turns.exchanges == 0 && self.opening == Opening::default() {
            return None;
        }
        let [to_server, to_client] = [ways.to_server, ways.to_client].map(|way| way.unwrap_or(0).max(0));
        let Spread { waits, times } = self.spread.map_or_else(|| Spread::of(&self.kept), |spread| *spread);
        let mut slowest = self.kept;
        for exchange in &mut slowest {
            let wait = exchange.response;
            exchange.response = (wait - to_server).max(0);
            exchange.round_trip = wait - exchange.response + to_client;
        }
        slowest.sort_by_key(|exchange| (std::cmp::Reverse(exchange.nanos()), exchange.request_packet));
        slowest.shrink_to_fit();
        let responses = waits.moved(-to_server);
        let server = responses.sum();
        let count = i64::try_from(self.turns.exchanges).unwrap_or(i64::MAX);
        let parts = Parts {
            client: self.rests.saturating_sub(to_client.saturating_mul((count - 1).max(0))).max(0),
            server,
            round_trips: waits.sum() - server + to_client.saturating_mul(count),
            requests: self.transfers[0],
            answers: self.transfers[1],
            ..Parts::default()
        };
        Some(Exchanges {
            client: self.asker,
            pattern: Turns { is_echoed, is_polled, ..self.turns }.pattern(),
            count: self.turns.exchanges,
            request_bytes: self.bytes[0],
            answer_bytes: self.bytes[1],
            opening: self.opening,
            parts,
            times: times.moved(to_client),
            responses,
            limits: Vec::new(),
            slowest,
        })
    }

    /// Bytes of memory, its own size included.
    pub(super) fn heap(&self) -> usize {
        let spread = self.spread.as_ref();
        let spread = spread.map_or(0, |spread| size_of::<Spread>() + spread.waits.heap() + spread.times.heap());
        size_of::<Self>() + spread + self.kept.capacity() * size_of::<Exchange>()
    }
}

/// Whether `last`, the server's last words, announce that it closes an idle connection, as a TLS alert does:
/// a few bytes, long after the client's, and right before the end.
fn is_goodbye(last: &Message, closed: Option<i64>) -> bool {
    let is_late = last.waited.is_some_and(|wait| wait >= LONG_REST.get());
    let is_end = closed.is_some_and(|closed| closed - last.last < LONG_REST.get());
    last.bytes <= SMALL_MESSAGE.get() && is_late && is_end
}

#[cfg(test)]
mod terms;
