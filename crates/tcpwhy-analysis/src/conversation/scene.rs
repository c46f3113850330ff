//! What is known when the role of a message is decided.

use super::habits::Habits;
use super::message::{Message, long_rest};
use super::role::Role;
use crate::side::Side;
use crate::thresholds::CONTROL_PART;

/// What was learnt of the messages before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Learnt {
    /// The last message, and what it was.
    pub(super) before: Option<(Role, Side)>,
    /// Its bytes.
    pub(super) said: u64,
    /// The request that waits for its answer, bytes.
    pub(super) asked: Option<u64>,
    /// How much the open answer brought, bytes; 0 where none is open.
    pub(super) answered: u64,
    /// Requests that were answered, without that of the open answer.
    pub(super) exchanges: u64,
    /// The longest wait for an answer, without that for the open one, nanoseconds.
    pub(super) slowest: i64,
    /// The smallest request that was answered, bytes.
    pub(super) least_request: Option<u64>,
    /// The last message of the end that asks that nobody answered, bytes.
    pub(super) unanswered: Option<u64>,
    /// The open answer came in parts: its end rested although all was acknowledged, and went on.
    pub(super) went_on: bool,
    /// Turns of a TLS handshake were seen.
    pub(super) has_tls: bool,
    /// Messages of each end that began with a status line.
    pub(super) status_lines: [u32; 2],
}

impl Learnt {
    /// Words of an end began with a status line: it answers.
    pub(super) fn has_status_lines(&self) -> bool {
        self.status_lines.iter().any(|&lines| lines > 0)
    }

    /// A TLS handshake, or status lines of `server` alone, show that it serves.
    pub(super) fn shows_server(&self, server: Side) -> bool {
        let [own, other] = [server, server.peer()].map(|side| self.status_lines[side.index()]);
        self.has_tls || own > 0 && other == 0
    }
}

/// What is known when the role of a message is decided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) message: &'a Message,
    pub(super) next: Option<&'a Message>,
    pub(super) asker: Side,
    pub(super) learnt: &'a Learnt,
    pub(super) habits: &'a Habits,
    /// Least round trip of the handshake, nanoseconds; 0 where none was captured.
    pub(super) rtt: i64,
    /// The handshake was captured.
    pub(super) has_handshake: bool,
    /// When an end closed, nanoseconds, once the capture is over.
    pub(super) closed: Option<i64>,
}

impl Scene<'_> {
    /// The end that asks says it.
    pub(super) fn is_askers(&self) -> bool {
        self.message.speaker == self.asker
    }

    /// What the message before was.
    pub(super) fn role_before(&self) -> Option<Role> {
        self.learnt.before.map(|(role, _)| role)
    }

    /// Nothing answers it soon: the other end is silent for long, or for good.
    pub(super) fn is_left_alone(&self) -> bool {
        self.next.is_none_or(|next| next.speaker == self.message.speaker || next.is_late(self.rtt))
    }

    /// Its end has the habit of speaking unasked.
    pub(super) fn is_used_to_push(&self) -> bool {
        self.habits.of(self.message.speaker).pushes()
    }

    /// Either end has that habit: words of the end that asks may not have asked.
    pub(super) fn speaks_unasked(&self) -> bool {
        [self.asker, self.asker.peer()].iter().any(|&side| self.habits.of(side).pushes())
    }

    /// Requests of this connection are longer than `bytes`.
    pub(super) fn is_small_here(&self, bytes: u64) -> bool {
        self.learnt.least_request.is_some_and(|least| bytes.saturating_mul(CONTROL_PART.get()) <= least)
    }

    /// `reply` confirms what came before, and asks for nothing. The end that asks always says as much, at
    /// once, and its requests are longer. The words after that take their time, never the same.
    pub(super) fn is_confirmation(&self, reply: &Message) -> bool {
        let is_reply = reply.speaker == self.asker && reply.is_prompt(self.rtt);
        let is_always = self.habits.of(self.asker).repeats(reply) && self.is_small_here(reply.bytes);
        is_reply && is_always && self.habits.of(self.asker.peer()).goes_on_by_itself()
    }

    /// What is said later than this was not waited for, nanoseconds.
    pub(super) fn long_rest(&self) -> i64 {
        long_rest(self.rtt)
    }
}
