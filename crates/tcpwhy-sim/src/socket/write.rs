//! Writes of a program (`tcp_sendmsg_locked`, `tcp_push`).

use super::Socket;
use super::output::Nagle;
use super::shown::{State, Wake};
use crate::time::Time;

/// Flags of a `send()`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ending {
    /// More data follows soon (`MSG_MORE`).
    pub(crate) more: bool,
    /// Later data goes into other buffers (`MSG_EOR`).
    pub(crate) record: bool,
}

impl Socket {
    /// Accepts a part of a write with `left` remaining bytes, up to the end of one buffer. Returns 0 if there
    /// is no room, so that the writer has to wait. `has_written`: an earlier part of this write was accepted.
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
                // Nothing else waits, so a burst is sent. The next bytes are appended to its unsent part,
                // even without room in the buffer (`tcp_push_one`).
                self.transmit(now, Nagle::Push, true);
            }
        }
        taken
    }

    /// Sends waiting data. Returns whether that makes room (`wait_for_space`).
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

    /// Ends a write.
    pub(crate) fn end_write(&mut self, now: Time) {
        self.end_send(now, Ending::default());
    }

    /// Ends a `send()`.
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

    /// `TCP_NODELAY`: waiting data is sent at once (`__tcp_sock_set_nodelay`).
    #[cfg(test)]
    pub(crate) fn set_nodelay(&mut self, now: Time, is_on: bool) {
        self.rules.has_nodelay = is_on;
        if is_on {
            self.push(now, Nagle::Push);
        }
    }

    /// `TCP_CORK`: partial segments wait until it is off (`__tcp_sock_set_cork`).
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

    /// `tcp_should_autocork`: a small buffer waits until earlier ones have left the host.
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

    /// Ends the stream. A reset connection sends no FIN (`tcp_shutdown`).
    pub(crate) fn finish(&mut self, now: Time) {
        if self.state == State::Broken {
            return;
        }
        self.queue.finish();
        self.push(now, Nagle::Off);
    }

    /// `tcp_check_space`: wakes a waiting writer if a third of the buffer is free.
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

    /// Registers a writer that waits for room.
    pub(crate) const fn await_room(&mut self) {
        self.queue.is_awaited = true;
    }

    /// Payload of a full segment.
    pub(crate) fn segment_size(&self) -> u64 {
        self.mss()
    }

    /// Whether a write finds room at once.
    pub(crate) fn has_room(&self) -> bool {
        self.queue.has_room()
    }

    /// Whether `poll()` reports it as writable (`tcp_poll`).
    pub(crate) fn is_writeable(&self) -> bool {
        self.queue.is_writeable()
    }

    /// Sets whether sent data leaves the host at once, because the program's own call transmits it without a
    /// queue.
    pub(crate) const fn set_leaves_at_once(&mut self, leaves_at_once: bool) {
        self.leaves_at_once = leaves_at_once;
    }

    /// Releases memory that left the host (`sock_wfree`, `tcp_tsq_handler`).
    pub(crate) fn on_left_host(&mut self, now: Time, memory: u64, may_send: bool) {
        self.in_host -= memory.min(self.in_host);
        if may_send && self.state == State::Established && std::mem::take(&mut self.is_throttled) {
            self.retransmit_lost(now);
            self.push(now, self.own_nagle());
        }
    }
}
