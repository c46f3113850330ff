//! Facts that decide about the role of a message.

use super::habits::Habits;
use super::message::{Message, long_rest};
use super::role::Role;
use crate::side::Side;
use crate::thresholds::CONTROL_PART;

/// Facts learnt from the previous messages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Learnt {
    /// Role and sender of the last message.
    pub(super) before: Option<(Role, Side)>,
    /// Bytes of the last message.
    pub(super) said: u64,
    /// Size of the request that waits for its answer, bytes.
    pub(super) asked: Option<u64>,
    /// Size of the open answer so far, bytes; 0 if none is open.
    pub(super) answered: u64,
    /// Answered requests, without that of the open answer.
    pub(super) exchanges: u64,
    /// The longest wait for an answer, without the open one, nanoseconds.
    pub(super) slowest: i64,
    /// Size of the smallest answered request, bytes.
    pub(super) least_request: Option<u64>,
    /// Size of the last message of the requesting end without an answer, bytes.
    pub(super) unanswered: Option<u64>,
    /// Whether the open answer came in parts: its end paused although all data was acknowledged, and then
    /// continued.
    pub(super) went_on: bool,
    /// Whether the capture has turns of a TLS handshake.
    pub(super) has_tls: bool,
    /// Number of messages of each end that began with a status line.
    pub(super) status_lines: [u32; 2],
}

impl Learnt {
    /// Whether messages of an end began with a status line, so that it answers.
    pub(super) fn has_status_lines(&self) -> bool {
        self.status_lines.iter().any(|&lines| lines > 0)
    }

    /// Whether a TLS handshake, or status lines of `server` alone, show that it is the server.
    pub(super) fn shows_server(&self, server: Side) -> bool {
        let [own, other] = [server, server.peer()].map(|side| self.status_lines[side.index()]);
        self.has_tls || own > 0 && other == 0
    }
}

/// Facts that decide about the role of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) message: &'a Message,
    pub(super) next: Option<&'a Message>,
    pub(super) asker: Side,
    pub(super) learnt: &'a Learnt,
    pub(super) habits: &'a Habits,
    /// Least round trip of the handshake, nanoseconds; 0 if none was captured.
    pub(super) rtt: i64,
    /// Whether the handshake was captured.
    pub(super) has_handshake: bool,
    /// Time at which an end closed, nanoseconds, once the capture is over.
    pub(super) closed: Option<i64>,
}

impl Scene<'_> {
    /// Whether the requesting end sent the message.
    pub(super) fn is_askers(&self) -> bool {
        self.message.speaker == self.asker
    }

    /// Returns the role of the message before.
    pub(super) fn role_before(&self) -> Option<Role> {
        self.learnt.before.map(|(role, _)| role)
    }

    /// Whether nothing answers it soon: the other end is silent for long, or until the end.
    pub(super) fn is_left_alone(&self) -> bool {
        self.next.is_none_or(|next| next.speaker == self.message.speaker || next.is_late(self.rtt))
    }

    /// Whether its end often sends unrequested messages.
    pub(super) fn is_used_to_push(&self) -> bool {
        self.habits.of(self.message.speaker).pushes()
    }

    /// Whether either end has that habit, so that a message of the requesting end need not be a request.
    pub(super) fn speaks_unasked(&self) -> bool {
        [self.asker, self.asker.peer()].iter().any(|&side| self.habits.of(side).pushes())
    }

    /// Whether requests of this connection are longer than `bytes`.
    pub(super) fn is_small_here(&self, bytes: u64) -> bool {
        self.learnt.least_request.is_some_and(|least| bytes.saturating_mul(CONTROL_PART.get()) <= least)
    }

    /// Whether `reply` confirms the message before and requests nothing. The requesting end always sends the
    /// same size at once, and its requests are longer. The messages after that come at irregular times.
    pub(super) fn is_confirmation(&self, reply: &Message) -> bool {
        let is_reply = reply.speaker == self.asker && reply.is_prompt(self.rtt);
        let is_always = self.habits.of(self.asker).repeats(reply) && self.is_small_here(reply.bytes);
        is_reply && is_always && self.habits.of(self.asker.peer()).goes_on_by_itself()
    }

    /// Returns the silence after which a message was not waited for, nanoseconds.
    pub(super) fn long_rest(&self) -> i64 {
        long_rest(self.rtt)
    }
}
