//! Turns messages with their roles into exchanges, and sums of them.

use tcpwhy_model::Record;

use super::message::{Follows, Message};
use super::role::Role;
use super::scene::Learnt;
use crate::exchanges::{Exchange, Exchanges, Known, Opening, Parts, Turns, Ways};
use crate::side::Side;
use crate::sketch::Sketch;

/// Exchanges so far. Waits are those at the capture point. The path's part of each is known only at the end.
#[derive(Clone, Debug)]
pub(super) struct Accounts {
    asker: Side,
    /// Round trip of the handshake, nanoseconds; 0 if none was captured.
    rtt: i64,
    /// Largest number of exchanges that are kept one by one: the slowest ones.
    most_kept: usize,
    request: Option<Message>,
    answer: Option<Message>,
    /// Time from the previous answer to the open request, nanoseconds; `None` if another message came
    /// between.
    rest: Option<i64>,
    learnt: Learnt,
    turns: Turns,
    bytes: [u64; 2],
    opening: Opening,
    /// Transfer times of requests and of answers, nanoseconds.
    transfers: [i64; 2],
    /// Sum of the times from answers to the next requests, nanoseconds, and their number.
    rests: i64,
    rested: i64,
    kept: Vec<Exchange>,
    /// Upper bound of the shortest kept exchange, nanoseconds. It saves a search for exchanges that are
    /// shorter.
    shortest: i64,
    /// All exchanges, once there are more than the kept ones.
    spread: Option<Box<Spread>>,
}

/// Durations of exchanges, nanoseconds.
#[derive(Clone, Debug, Default)]
struct Spread {
    /// Time from a request to its answer.
    waits: Sketch,
    /// Time from the first byte of a request to the last byte of its answer.
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

impl Accounts {
    pub(super) fn new(asker: Side, rtt: i64, most_kept: usize) -> Self {
        Self {
            asker,
            rtt,
            most_kept,
            request: None,
            answer: None,
            rest: None,
            learnt: Learnt::default(),
            turns: Turns::default(),
            bytes: [0; 2],
            opening: Opening::default(),
            transfers: [0; 2],
            rests: 0,
            rested: 0,
            kept: Vec::new(),
            shortest: i64::MIN,
            spread: None,
        }
    }

    pub(super) const fn asker(&self) -> Side {
        self.asker
    }

    /// Returns the facts learnt so far.
    pub(super) const fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// Takes the next message with its role. `established` is the end of the handshake.
    pub(super) fn take(&mut self, message: &Message, role: Role, established: Option<i64>) {
        match role {
            Role::Greeting => self.opening.greeting = established.map(|at| (message.first - at).max(0)),
            Role::Request => self.ask(message),
            Role::Answer => {
                self.answer = Some(*message);
                self.learn_request();
            }
            Role::Continued => {
                self.turns.note_pause(message.silence());
                if let Some(answer) = &mut self.answer {
                    answer.extend(message.bytes, message.last, message.last_packet);
                }
            }
            Role::Push | Role::Unclear => {
                self.complete();
                self.turns.unasked += 1;
            }
            Role::Heartbeat => {
                self.learnt.unanswered = Some(message.bytes);
                self.complete();
            }
            Role::Acknowledgement | Role::Control | Role::Goodbye => self.complete(),
        }
        self.learnt.has_tls |= message.record == Record::Handshake;
        if message.record == Record::StatusLine {
            let lines = &mut self.learnt.status_lines[message.speaker.index()];
            *lines = lines.saturating_add(1);
        }
        let open = self.request.filter(|_| self.answer.is_none());
        self.learnt.answered = self.answer.map_or(0, |answer| answer.bytes);
        self.learnt.asked = open.map(|request| request.bytes);
        self.learnt.went_on = role == Role::Continued || role == Role::Answer && message.rests > 0;
        self.learnt.before = Some((role, message.speaker));
        self.learnt.said = message.bytes;
    }

    /// Records the size of the open request, which has been answered.
    fn learn_request(&mut self) {
        let asked = self.request.filter(|request| request.record != Record::Handshake).map(|request| request.bytes);
        self.learnt.least_request = [self.learnt.least_request, asked].into_iter().flatten().min();
    }

    /// Begins a request. If the request continues after a silence, its last piece counts: nobody can answer
    /// before it.
    fn ask(&mut self, message: &Message) {
        let begun = self.request.filter(|_| self.answer.is_none() && message.is_unasked());
        if let Some(begun) = begun {
            self.turns.unasked += 1;
            self.learnt.unanswered = Some(begun.bytes);
            self.request = Some(Message { bytes: begun.bytes + message.bytes, ..*message });
            return;
        }
        self.complete();
        self.rest = match (self.learnt.before, message.follows) {
            (Some((Role::Answer | Role::Continued, _)), Follows::Other(nanos)) => Some(nanos),
            _ => None,
        };
        self.request = Some(*message);
    }

    /// Completes an exchange. A request without an answer is not an exchange.
    fn complete(&mut self) {
        let (request, answer) = (self.request.take(), self.answer.take());
        let Some((request, answer)) = request.zip(answer) else { return };
        let rest = self.rest.take();
        let wait = answer.waited();
        if request.record == Record::Handshake {
            self.opening.tls_turns = self.opening.tls_turns.saturating_add(1);
            self.opening.tls_nanos += answer.last - request.first;
            if self.opening.tls_turns > 1 {
                self.opening.tls_nanos += rest.unwrap_or(0);
            }
            return;
        }
        // The time before the first request does not count as the client's.
        if let Some(rest) = rest.filter(|_| self.turns.exchanges > 0) {
            self.rests = self.rests.saturating_add(rest);
            self.rested += 1;
        }
        self.turns.exchanges += 1;
        self.learnt.exchanges = self.turns.exchanges;
        self.learnt.slowest = self.learnt.slowest.max(wait);
        let is_early = self.turns.unasked == 0;
        self.turns.early += u64::from(is_early);
        self.turns.certain += u64::from(answer.is_prompt(self.rtt) || is_early);
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

    /// Returns the sum of the exchanges; `None` if there were no exchange, no push and no data at the
    /// opening. `turns` are the counts of the conversation apart from its exchanges.
    pub(super) fn finish(mut self, ways: Ways, turns: Turns, known: Known) -> Option<Exchanges> {
        self.complete();
        if self.turns.exchanges == 0 && self.turns.unasked == 0 && self.opening == Opening::default() {
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
            client: self.rests.saturating_sub(to_client.saturating_mul(self.rested)).max(0),
            server,
            round_trips: waits.sum() - server + to_client.saturating_mul(count),
            requests: self.transfers[0],
            answers: self.transfers[1],
            ..Parts::default()
        };
        Some(Exchanges {
            client: self.asker,
            known,
            pattern: self.turns.with(turns).pattern(),
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

    /// Returns the bytes of memory beyond the value's own size.
    pub(super) fn heap(&self) -> usize {
        let spread = self.spread.as_ref();
        let spread = spread.map_or(0, |spread| size_of::<Spread>() + spread.waits.heap() + spread.times.heap());
        spread + self.kept.capacity() * size_of::<Exchange>()
    }
}
