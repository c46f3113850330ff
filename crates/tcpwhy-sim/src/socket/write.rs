//! What a program writes (`tcp_sendmsg_locked`, `tcp_push`).

use super::Socket;
use super::output::Nagle;
use super::shown::{State, Wake};
use crate::time::Time;

/// How a `send()` ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ending {
    /// More will follow soon (`MSG_MORE`).
    pub(crate) more: bool,
    /// What follows goes into other buffers (`MSG_EOR`).
    pub(crate) record: bool,
}

impl Socket {
    /// Takes a part of a write of which `left` bytes are left: up to the end of one buffer. 0 where there is
    /// no room, and whoever writes has to wait. `has_written`: it has taken a part of this write before.
    pub(crate) fn write_some(&mut self, now: Time, left: u64, has_written: bool) -> u64 {
        self.begin_write();
        let goal = self.size_goal();
        let room = self.queue.last().filter(|last| !last.is_record).map_or(0, |last| goal.saturating_sub(last.len));
        let room = if room > 0 {
            room
        } else {
            if !self.queue.has_room() && !self.make_room(now, has_written) {
                return 0;
            }
            self.restart_after_rest(now);
            self.queue.begin();
            goal
        };
        let taken = room.min(left);
        self.queue.append(taken, !has_written);
        let is_full = self.queue.last().is_some_and(|last| last.len >= goal);
        if taken < left && is_full {
            if self.queue.written() > self.queue.pushed + self.largest_peer_window / 2 {
                self.queue.mark_push();
                self.push(now, Nagle::Push);
            } else if self.queue.count() == 1 {
                // Before anything else waits: a burst leaves, and the next bytes join what it leaves behind,
                // whatever room there is (`tcp_push_one`).
                self.transmit(now, Nagle::Push, true);
            }
        }
        taken
    }

    /// Sends what waits, and returns whether that makes room (`wait_for_space`).
    fn make_room(&mut self, now: Time, has_written: bool) -> bool {
        self.queue.is_awaited = true;
        self.queue.drop_empty();
        if has_written {
            self.push_written(now, Nagle::Push);
        }
        let has_room = self.queue.has_room();
        self.queue.is_awaited &= !has_room;
        has_room
    }

    /// A write has ended.
    pub(crate) fn end_write(&mut self, now: Time) {
        self.end_send(now, Ending::default());
    }

    /// A `send()` has ended.
    pub(crate) fn end_send(&mut self, now: Time, ending: Ending) {
        self.note_write_end();
        if ending.record {
            self.queue.end_record();
        }
        if ending.more {
            self.push(now, Nagle::Cork);
        } else {
            self.push_written(now, self.own_nagle());
        }
    }

    /// `TCP_NODELAY`: what waits leaves at once (`__tcp_sock_set_nodelay`).
    #[cfg(test)]
    pub(crate) fn set_nodelay(&mut self, now: Time, is_on: bool) {
        self.rules.has_nodelay = is_on;
        if is_on {
            self.push(now, Nagle::Push);
        }
    }

    /// `TCP_CORK`: what is not full waits until it is off again (`__tcp_sock_set_cork`).
    #[cfg(test)]
    pub(crate) fn set_cork(&mut self, now: Time, is_on: bool) {
        self.rules.is_corked = is_on;
        if !is_on {
            self.push(now, if self.rules.has_nodelay { Nagle::Push } else { self.own_nagle() });
        }
    }

    /// `tcp_push`.
    fn push_written(&mut self, now: Time, nagle: Nagle) {
        if self.queue.is_empty() {
            return;
        }
        self.queue.mark_push();
        if self.is_corked() {
            self.is_throttled = true;
        } else {
            self.push(now, nagle);
        }
    }

    /// `tcp_should_autocork`: a small buffer waits for the ones before it to leave the host.
    fn is_corked(&self) -> bool {
        let goal = self.size_goal();
        self.rules.has_autocorking
            && self.queue.last().is_some_and(|last| {
                last.len < goal && !self.sent.is_empty() && self.in_host > last.len + self.rules.skb_overhead
            })
    }

    pub(super) const fn own_nagle(&self) -> Nagle {
        match (self.rules.is_corked, self.rules.has_nodelay) {
            (true, _) => Nagle::Cork,
            (false, true) => Nagle::Off,
            (false, false) => Nagle::On,
        }
    }

    /// Nothing is written any more. A connection that was reset has no end to announce (`tcp_shutdown`).
    pub(crate) fn finish(&mut self, now: Time) {
        if self.state == State::Broken {
            return;
        }
        self.queue.finish();
        self.push(now, Nagle::Off);
    }

    /// `tcp_check_space`: whoever waits for room is woken where a third of the buffer is free.
    pub(super) fn check_space(&mut self, now: Time) {
        if !self.queue.is_awaited {
            return;
        }
        self.expand_send_buffer(now);
        if self.queue.is_writeable() {
            self.queue.is_awaited = false;
            self.wake = Wake { writer: true, ..self.wake };
        }
    }

    /// Somebody waits for room from now on.
    pub(crate) const fn await_room(&mut self) {
        self.queue.is_awaited = true;
    }

    /// Payload of a full segment.
    pub(crate) fn segment_size(&self) -> u64 {
        self.mss()
    }

    /// Whether a write has room at once.
    pub(crate) fn has_room(&self) -> bool {
        self.queue.has_room()
    }

    /// Whether `poll()` calls it writable (`tcp_poll`).
    pub(crate) fn is_writeable(&self) -> bool {
        self.queue.is_writeable()
    }

    /// Whether what it sends leaves the host at once: a program's call sends it, and nothing holds it up.
    pub(crate) const fn set_leaves_at_once(&mut self, leaves_at_once: bool) {
        self.leaves_at_once = leaves_at_once;
    }

    /// Memory that left the host (`sock_wfree`, `tcp_tsq_handler`).
    pub(crate) fn on_left_host(&mut self, now: Time, memory: u64, may_send: bool) {
        self.in_host -= memory.min(self.in_host);
        if may_send && self.state == State::Established && std::mem::take(&mut self.is_throttled) {
            self.retransmit_lost(now);
            self.push(now, self.own_nagle());
        }
    }
}
