//! Aborted connections.

use super::Socket;
use super::queue::SendQueue;
use super::sent::Sent;
use super::shown::{Burst, State, Wake};
use crate::segment::{Kind, Segment};
use crate::time::Time;

impl Socket {
    /// Aborts the connection for the program (`tcp_disconnect`, `tcp_send_active_reset`).
    pub(crate) fn reset(&mut self, now: Time) {
        if self.state == State::Established {
            // `tcp_send_active_reset` sends the same options as any other segment.
            let segment = Segment { kind: Kind::Reset, seq: self.nxt, frames: 1, ..self.probe_segment(now) };
            self.out.push_back(Burst { segment, memory: 0 });
        }
        self.break_off();
    }

    /// Stops sending and wakes all waiters (`tcp_done`). Received data can still be read.
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

    /// Whether the kernel has given up on the connection (`ETIMEDOUT`).
    pub(crate) const fn has_given_up(&self) -> bool {
        self.has_given_up
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.state == State::Broken
    }

    /// A reset is accepted if its sequence number is the next expected one. One elsewhere in the window is
    /// answered by a challenge ACK (`tcp_validate_incoming`, RFC 5961 §3.2).
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

    /// Answers a segment for a closed connection (`tcp_v4_send_reset`).
    pub(super) fn refuse(&mut self, now: Time, segment: &Segment) {
        self.send_reset(now, segment.ack);
    }

    fn send_reset(&mut self, now: Time, seq: u64) {
        // It echoes no timestamp (`tcp_v4_send_reset`).
        let segment = Segment { kind: Kind::Reset, seq, frames: 1, echo: 0, ..self.stamped(now) };
        self.out.push_back(Burst { segment, memory: 0 });
    }
}
