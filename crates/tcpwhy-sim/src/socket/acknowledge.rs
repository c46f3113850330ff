//! When an ACK leaves (`struct inet_connection_sock`, `icsk_ack`).

use crate::rules::ConversationRules;
use crate::time::{MILLISECOND, Time};

/// `TCP_ATO_MIN` and `TCP_DELACK_MIN`.
const LEAST: Time = 40 * MILLISECOND;
/// `TCP_DELACK_MAX`.
const MOST: Time = 200 * MILLISECOND;
/// `max_ato` where nothing is known.
const HALF_A_SECOND: Time = 500 * MILLISECOND;
/// `TCP_MAX_QUICKACKS`.
const QUICK: u64 = 16;

/// When an ACK leaves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Acknowledging {
    /// `quick`: ACKs that leave at once.
    pub(super) quick: u64,
    /// `ato`; 0 before data has come.
    wait: Time,
    /// `lrcvtime`.
    last: Time,
    /// Turns in which each end sent when the other had (`pingpong`), and how many make a conversation
    /// (`tcp_pingpong_thresh`).
    turns: u32,
    conversation: ConversationRules,
    /// Data was sent since data came.
    has_answered: bool,
    /// `ICSK_ACK_SCHED`.
    pub(super) is_scheduled: bool,
    /// `ICSK_ACK_PUSHED`, `ICSK_ACK_PUSHED2`: small segments have come.
    pub(super) pushed: u8,
    /// `ICSK_ACK_NOW`.
    pub(super) is_urgent: bool,
    at: Option<Time>,
}

impl Acknowledging {
    pub(super) fn new(conversation: ConversationRules) -> Self {
        Self { conversation, ..Self::default() }
    }

    pub(super) const fn due(&self) -> Option<Time> {
        self.at
    }

    /// Data has come (`tcp_event_data_recv`). `window`, `segment`: what was offered, and the size of a full
    /// segment.
    pub(super) fn data_came(&mut self, now: Time, window: u64, segment: u64, rto: Time) {
        self.is_scheduled = true;
        let rest = now - self.last;
        if self.wait == 0 {
            self.be_quick(window, segment);
            self.wait = LEAST;
        } else if rest <= LEAST / 2 {
            self.wait = self.wait / 2 + LEAST / 2;
        } else if rest < self.wait {
            self.wait = (self.wait / 2 + rest).min(rto);
        } else if rest > rto {
            self.be_quick(window, segment);
        }
        self.last = now;
        self.has_answered = false;
    }

    /// `tcp_incr_quickack`.
    fn be_quick(&mut self, window: u64, segment: u64) {
        let quick = match window / (2 * segment.max(1)) {
            0 => 2,
            acks => acks,
        };
        self.quick = self.quick.max(quick.min(QUICK));
    }

    /// `tcp_enter_quickack_mode`: something came twice, or out of order.
    pub(super) fn enter_quick(&mut self, window: u64, segment: u64) {
        self.be_quick(window, segment);
        self.turns = 0;
        self.wait = LEAST;
    }

    /// `tcp_in_quickack_mode`.
    pub(super) const fn is_quick(&self) -> bool {
        self.quick > 0 && !self.is_conversation()
    }

    pub(super) const fn is_conversation(&self) -> bool {
        self.turns >= self.conversation.after
    }

    /// Data leaves: an answer to what came shortly before makes it a conversation (`tcp_event_data_sent`).
    pub(super) const fn sent_data(&mut self, now: Time) {
        let is_answer = now.saturating_sub(self.last) < self.wait;
        if is_answer && !(self.conversation.counts_turns && self.has_answered) {
            self.turns = self.turns.saturating_add(1);
        }
        self.has_answered = true;
    }

    /// `tcp_event_ack_sent`.
    pub(super) fn sent_ack(&mut self) {
        let count = u64::from(self.is_scheduled);
        if self.quick > 0 {
            if count >= self.quick {
                self.quick = 0;
                self.wait = LEAST;
            } else {
                self.quick -= count;
            }
        }
        (self.is_scheduled, self.pushed, self.is_urgent, self.at) = (false, 0, false, None);
    }

    /// `tcp_send_delayed_ack`: whether it has to leave at once.
    pub(super) fn delay(&mut self, now: Time, smoothed: Option<Time>) -> bool {
        let mut wait = self.wait;
        if wait > LEAST {
            let mut most = if self.is_conversation() || self.pushed > 0 { MOST } else { HALF_A_SECOND };
            if let Some(smoothed) = smoothed {
                most = most.min(smoothed.max(LEAST));
            }
            wait = wait.min(most);
        }
        let wait = wait.min(MOST);
        let due = now + wait;
        if let Some(at) = self.at {
            if at <= now + wait / 4 {
                return true;
            }
            self.at = Some(at.min(due));
        } else {
            self.at = Some(due);
        }
        self.is_scheduled = true;
        false
    }

    /// The delayed ACK is due (`tcp_delack_timer_handler`).
    pub(super) fn missed(&mut self, rto: Time) {
        if self.is_conversation() {
            self.turns = 0;
            self.wait = LEAST;
        } else {
            self.wait = (2 * self.wait).min(rto);
        }
        self.at = None;
    }
}
