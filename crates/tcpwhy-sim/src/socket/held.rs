//! The current limit of a sender.

use tcpwhy_model::Limit;

use super::Socket;
use super::recovery::Phase;
use super::shown::State;
use crate::time::{MICROSECOND, Time};

/// Activity of the writing program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    /// Computing, sleeping, or reading.
    Busy,
    /// Waiting for room in the send buffer.
    WaitsForRoom,
    /// Done with writing.
    HasEnded,
}

impl Socket {
    /// The recent minimum round trip.
    pub(crate) fn least_round_trip(&self) -> Time {
        self.round_trip.least().saturating_mul(MICROSECOND)
    }

    /// Whether a loss has reduced the congestion window, which is growing again.
    pub(crate) const fn is_cut(&self) -> bool {
        self.recovery.prior_window > 0
    }

    /// The limit of the socket; `None` if all data is sent and acknowledged.
    pub(crate) fn held_by(&self, writer: Writer) -> Option<Limit> {
        match self.state {
            State::Established => {}
            State::Broken => return None,
            State::Closed | State::Opening | State::Answering => return Some(Limit::Handshake),
        }
        if self.recovery.phase >= Phase::Recovery && !self.sent.is_empty() {
            return Some(Limit::LossRecovery);
        }
        let Some(first) = self.queue.first() else {
            return match writer {
                Writer::WaitsForRoom => Some(Limit::SendBuffer),
                Writer::Busy => Some(Limit::Application),
                Writer::HasEnded => (!self.sent.is_empty()).then_some(Limit::TailRtt),
            };
        };
        let window_limit =
            if self.control.is_starting(&self.window) { Limit::SlowStart } else { Limit::CongestionWindow };
        // Congestion control limits by its window or by its rate.
        if self.sent.in_flight() >= self.window.size || self.pacing_due.is_some() {
            return Some(window_limit);
        }
        if first.seq + first.len.min(self.mss()) > self.window_end {
            return Some(Limit::ReceiveWindow);
        }
        if self.is_host_full(first.len.min(self.burst_segments() * self.mss())) {
            return Some(Limit::Path);
        }
        let is_small = first.len < self.mss() && self.queue.count() == 1;
        if is_small && self.nagle_holds(self.own_nagle(), true) {
            return Some(Limit::AckDelay);
        }
        // A burst waits for more room in a window, or for more data.
        let by_window = (self.window.size - self.sent.in_flight()) * self.mss();
        let by_peer = self.window_end - first.seq;
        Some(if by_window.min(by_peer) <= first.len {
            if by_peer < by_window { Limit::ReceiveWindow } else { window_limit }
        } else if writer == Writer::WaitsForRoom {
            Limit::SendBuffer
        } else {
            Limit::Application
        })
    }
}
