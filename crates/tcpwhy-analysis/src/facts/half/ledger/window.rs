//! The room in the receiver's window.

use super::Ledger;
use crate::facts::half::event::AckEvent;
use crate::facts::half::when::When;
use crate::facts::slot::{micros, narrow};
use crate::thresholds::{READER_WAITED, WINDOW_PIECE, WINDOW_PIECE_LEAST};

#[derive(Clone, Copy, Debug)]
pub(super) struct Blocked {
    pub(super) since: i64,
    pub(super) until: Option<i64>,
}

impl Ledger {
    /// Records a window from the handshake, before any data.
    pub(crate) fn offer(&mut self, edge: u64, window: u64) {
        self.edge = Some(self.edge.map_or(edge, |e| e.max(edge)));
        self.window_max = self.window_max.max(window);
        self.window = Some(window);
        self.window_first = narrow(window);
        self.is_heard = true;
    }

    /// Records that the receiver advertised a zero window before any data.
    pub(crate) fn was_closed(&mut self, since: i64, until: i64) {
        self.follow_zero_window(since, true);
        self.follow_zero_window(until, false);
        self.gap.blocked = Some(Blocked { since, until: Some(until) });
    }

    pub(super) fn follow_zero_window(&mut self, time: i64, is_zero: bool) {
        match self.zero_window_since.get() {
            None if is_zero => {
                self.zero_window_since = When::at(time);
                self.zero_window_stalls += 1;
            }
            Some(since) => {
                self.zero_window_longest = self.zero_window_longest.max(time - since);
                if !is_zero {
                    self.zero_window_since = When::NEVER;
                    self.zero_window_until = When::at(time);
                }
            }
            None => {}
        }
    }

    /// Called before a window update that acknowledges nothing. If the window was full, the acknowledged data
    /// waited until now to be read by the receiving application.
    pub(super) fn note_reader_wait(&mut self, time: i64) {
        let wait = time - self.last_ack;
        let is_full = self.room().is_some_and(|room| room < self.segment_room());
        if is_full && self.last_ack > 0 && wait >= READER_WAITED {
            let slot = &mut self.slots.current;
            slot.reader_wait = slot.reader_wait.saturating_add(micros(wait));
        }
    }

    pub(super) fn update_blocked(&mut self, time: i64, ack: &AckEvent) {
        let has_room = match self.room() {
            Some(room) => room >= self.segment_room(),
            None => !ack.is_zero_window,
        };
        match &mut self.gap.blocked {
            Some(b) if has_room => {
                b.until.get_or_insert(time);
            }
            None if ack.is_zero_window && !has_room => {
                self.gap.blocked = Some(Blocked { since: time, until: None });
            }
            Some(_) | None => {}
        }
    }

    /// Smallest room into which the sender still puts a segment: the MSS, or half the largest window that it
    /// ever saw (`tcp_bound_to_half_wnd`).
    pub(super) fn segment_room(&self) -> u64 {
        if self.window_max > WINDOW_PIECE_LEAST {
            self.mss.min(WINDOW_PIECE.of(self.window_max).max(1))
        } else {
            self.mss
        }
    }

    pub(super) fn room(&self) -> Option<u64> {
        self.edge.map(|e| e.saturating_sub(self.nxt))
    }

    /// Whether the receiver's last window was zero.
    pub(crate) fn is_window_closed(&self) -> bool {
        self.zero_window_since != When::NEVER
    }

    /// Whether the receiver advertised a zero window and no data was sent after it; `last_data` is the time
    /// of the last.
    pub(crate) fn is_stuck_in_closed_window(&self, last_data: i64) -> bool {
        self.is_window_closed() || self.zero_window_until.get().is_some_and(|t| t > last_data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `READER_WAITED`: if data is read within 1 ms of its acknowledgment, the sender did not wait for the
    /// reader.
    #[test]
    fn a_reader_that_takes_a_millisecond_was_not_waiting() {
        let waited = |wait: i64| {
            let mut ledger = Ledger::new(0, 0, 1000);
            ledger.offer(2000, 2000);
            (ledger.nxt, ledger.last_ack) = (2000, 1);
            ledger.note_reader_wait(1 + wait);
            ledger.slots.current.reader_wait
        };
        assert_eq!([999_999, 1_000_000].map(waited), [0, 1_000]);
    }
}
