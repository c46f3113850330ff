//! Connections that end at once.

use super::Socket;
use super::queue::SendQueue;
use super::sent::Sent;
use super::shown::{Burst, State, Wake};
use crate::segment::{Kind, Segment};
use crate::time::Time;

impl Socket {
    /// The program breaks the connection (`tcp_disconnect`, `tcp_send_active_reset`).
    pub(crate) fn reset(&mut self, now: Time) {
        if self.state == State::Established {
            // `tcp_send_active_reset` has the options of any other segment.
            let segment = Segment { kind: Kind::Reset, seq: self.nxt, frames: 1, ..self.probe_segment(now) };
            self.out.push_back(Burst { segment, memory: 0 });
        }
        self.break_off();
    }

    /// Nothing is sent any more, and who waits is woken (`tcp_done`). Data that has come can still be read.
    pub(super) fn break_off(&mut self) {
        self.state = State::Broken;
        let limit = self.queue.limit;
        self.queue = SendQueue::new(&self.rules);
        self.queue.limit = limit;
        self.sent = Sent::default();
        self.timer = None;
        self.acknowledging = super::Acknowledging::of(&self.rules);
        self.wake = Wake { writer: true, reader: true };
    }

    /// The kernel has given the connection up (`ETIMEDOUT`).
    pub(crate) const fn has_given_up(&self) -> bool {
        self.has_given_up
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.state == State::Broken
    }

    /// A reset counts where its sequence number is the next one; one that is only inside the window is asked
    /// for again (`tcp_validate_incoming`, RFC 5961 §3.2).
    pub(super) fn on_reset(&mut self, now: Time, segment: &Segment) {
        if self.state != State::Established {
            return;
        }
        let next = self.receiving.next();
        if segment.seq == next {
            self.break_off();
        } else if segment.seq > next {
            self.send_ack(now);
        }
    }

    /// Nobody has this connection any more (`tcp_v4_send_reset`).
    pub(super) fn refuse(&mut self, now: Time, segment: &Segment) {
        self.send_reset(now, segment.ack);
    }

    fn send_reset(&mut self, now: Time, seq: u64) {
        // It echoes nothing (`tcp_v4_send_reset`).
        let segment = Segment { kind: Kind::Reset, seq, frames: 1, echo: 0, ..self.stamped(now) };
        self.out.push_back(Burst { segment, memory: 0 });
    }
}
