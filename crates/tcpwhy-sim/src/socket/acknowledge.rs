//! Decides when an ACK is sent (`struct inet_connection_sock`, `icsk_ack`). Its times are ticks.

use crate::rules::{Compression, ConversationRules, Rules};
use crate::ticks::Ticks;
use crate::time::{MICROSECOND, MILLISECOND, Time};

/// `TCP_ATO_MIN` and `TCP_DELACK_MIN`.
const LEAST: Time = 40 * MILLISECOND;
/// `TCP_DELACK_MAX`.
const MOST: Time = 200 * MILLISECOND;
/// `max_ato` without a measured round trip.
const HALF_A_SECOND: Time = 500 * MILLISECOND;
/// `tcp_comp_sack_nr`, `tcp_comp_sack_delay_ns`, `TCP_FASTRETRANS_THRESH`.
const COMPRESSED: u64 = 44;
const COMPRESSED_FOR: Time = MILLISECOND;
const DUPLICATES: u64 = 3;
/// `TCP_MAX_QUICKACKS`.
pub(super) const QUICK: u64 = 16;

/// State of acknowledging.
#[derive(Clone, Copy, Debug)]
pub(super) struct Acknowledging {
    ticks: Ticks,
    /// `TCP_DELACK_MIN`, `TCP_DELACK_MAX`, and the bound by the minimum timeout (`tcp_delack_max`).
    least: u64,
    most: u64,
    bound: u64,
    /// `quick`: number of ACKs that are sent at once.
    pub(super) quick: u64,
    /// `ato`; 0 before data has arrived.
    wait: u64,
    /// `lrcvtime`.
    last: u64,
    /// Number of request–response turns (`pingpong`), and the number that makes a conversation
    /// (`tcp_pingpong_thresh`).
    turns: u32,
    conversation: ConversationRules,
    /// Whether data was sent since data last arrived.
    has_answered: bool,
    /// `ICSK_ACK_SCHED`.
    pub(super) is_scheduled: bool,
    /// `ICSK_ACK_PUSHED`, `ICSK_ACK_PUSHED2`: small segments have arrived.
    pub(super) pushed: u8,
    /// `ICSK_ACK_NOW`.
    pub(super) is_urgent: bool,
    /// `icsk_delack_timeout` with `ICSK_ACK_TIMER`, and the time when the timer fires.
    timeout: Option<(u64, Time)>,
    has_sack: bool,
    compression: Compression,
    compressed: Compressed,
}

/// Compressed ACKs, which report data after a hole and wait for each other.
#[derive(Clone, Copy, Debug, Default)]
struct Compressed {
    /// `compressed_ack`.
    count: u64,
    /// `compressed_ack_rcv_nxt`, `dup_ack_counter`: number of ACKs sent for this hole.
    next: u64,
    sent: u64,
    due: Option<Time>,
}

impl Acknowledging {
    pub(super) fn of(rules: &Rules) -> Self {
        let new = Self::new(rules.conversation, rules.ticks, rules.rto_min, rules.compression);
        Self { has_sack: rules.has_sack, ..new }
    }

    fn new(conversation: ConversationRules, ticks: Ticks, rto_min: Time, compression: Compression) -> Self {
        let most = ticks.of(MOST);
        Self {
            ticks,
            least: ticks.of(LEAST),
            most,
            bound: most.min(ticks.of(rto_min).max(2) - 1),
            quick: 0,
            wait: 0,
            last: 0,
            turns: 0,
            conversation,
            has_answered: false,
            is_scheduled: false,
            pushed: 0,
            is_urgent: false,
            timeout: None,
            has_sack: true,
            compression,
            compressed: Compressed::default(),
        }
    }

    pub(super) fn due(&self) -> Option<Time> {
        self.timeout.map(|(_, at)| at).into_iter().chain(self.compressed.due).min()
    }

    /// Data has arrived (`tcp_event_data_recv`). `window`, `segment`: the advertised window, and the size of
    /// a full segment.
    pub(super) fn data_came(&mut self, now: Time, window: u64, segment: u64, rto: Time) {
        self.is_scheduled = true;
        let (now, rto) = (self.ticks.at(now), self.ticks.of(rto));
        let rest = now - self.last.min(now);
        if self.wait == 0 {
            self.be_quick(window, segment, QUICK);
            self.wait = self.least;
        } else if rest <= self.least / 2 {
            self.wait = self.wait / 2 + self.least / 2;
        } else if rest < self.wait {
            self.wait = (self.wait / 2 + rest).min(rto).min(self.most);
        } else if rest > rto {
            self.be_quick(window, segment, QUICK);
        }
        self.last = now;
        self.has_answered = false;
    }

    /// `tcp_incr_quickack`.
    fn be_quick(&mut self, window: u64, segment: u64, most: u64) {
        let quick = match window / (2 * segment.max(1)) {
            0 => 2,
            acks => acks,
        };
        self.quick = self.quick.max(quick.min(most));
    }

    /// `tcp_enter_quickack_mode`: a segment arrived duplicated, out of order, or marked.
    pub(super) fn enter_quick(&mut self, window: u64, segment: u64, most: u64) {
        self.be_quick(window, segment, most);
        self.turns = 0;
        self.wait = self.least;
    }

    /// `tcp_in_quickack_mode`.
    pub(super) const fn is_quick(&self) -> bool {
        self.quick > 0 && !self.is_conversation()
    }

    pub(super) const fn is_conversation(&self) -> bool {
        self.turns >= self.conversation.after
    }

    /// Data is sent. An answer to data that arrived shortly before counts as a turn (`tcp_event_data_sent`).
    pub(super) const fn sent_data(&mut self, now: Time) {
        let is_answer = self.ticks.at(now).saturating_sub(self.last) < self.wait;
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
                self.wait = self.least;
            } else {
                self.quick -= count;
            }
        }
        (self.is_scheduled, self.pushed, self.is_urgent, self.timeout) = (false, 0, false, None);
        (self.compressed.count, self.compressed.due) = (0, None);
    }

    /// `tcp_send_delayed_ack`: whether the ACK must be sent at once.
    pub(super) fn delay(&mut self, now: Time, smoothed: Option<Time>) -> bool {
        let mut wait = self.wait;
        if wait > self.least {
            let is_answered = self.is_conversation() || self.pushed > 0;
            let mut most = if is_answered { self.most } else { self.ticks.of(HALF_A_SECOND) };
            if let Some(smoothed) = smoothed {
                most = most.min(self.ticks.of(smoothed).max(self.least));
            }
            wait = wait.min(most);
        }
        let wait = wait.min(self.bound);
        let jiffies = self.ticks.at(now);
        let timeout = (jiffies + wait, self.ticks.fires(now, wait));
        match self.timeout {
            Some((at, _)) if at <= jiffies + wait / 4 => return true,
            Some((at, _)) if at <= timeout.0 => {}
            _ => self.timeout = Some(timeout),
        }
        self.is_scheduled = true;
        false
    }

    /// The end of `__tcp_ack_snd_check`, while there are holes: whether the ACK must be sent at once. `rtt`:
    /// eighths of microseconds.
    pub(super) fn compress(&mut self, now: Time, next: u64, rtt: u64) -> bool {
        let compressed = &mut self.compressed;
        // Without SACK, the sender needs each duplicate ACK (`tcp_is_sack`).
        if !self.has_sack || compressed.count >= COMPRESSED {
            return true;
        }
        if compressed.next != next {
            (compressed.next, compressed.sent) = (next, 0);
        }
        if compressed.sent < DUPLICATES {
            compressed.sent += 1;
            return true;
        }
        compressed.count += 1;
        if compressed.due.is_none() {
            let wait = (rtt * MICROSECOND / 8 * self.compression.percent / 100).min(COMPRESSED_FOR);
            compressed.due = Some(now + wait + self.compression.slack);
        }
        false
    }

    /// Whether compressed ACKs are waiting (`compressed_ack`).
    pub(super) const fn has_compressed(&self) -> bool {
        self.compressed.count > 0
    }

    /// The delayed ACK (`tcp_delack_timer_handler`) or the compressed one is due. Returns whether to send
    /// one.
    pub(super) fn missed(&mut self, now: Time, rto: Time) -> bool {
        if self.compressed.due.is_some_and(|at| at <= now) {
            return true;
        }
        self.timeout = None;
        if !self.is_scheduled {
            return false;
        }
        if self.is_conversation() {
            self.turns = 0;
            self.wait = self.least;
        } else {
            self.wait = (2 * self.wait).min(self.ticks.of(rto)).min(self.most);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTO_MIN: Time = 200 * MILLISECOND;
    const COMPRESSION: Compression = Compression { percent: 33, slack: 10 * MICROSECOND };

    fn acknowledging() -> Acknowledging {
        Acknowledging::new(
            ConversationRules { after: 1, counts_turns: false },
            Ticks::new(100, 0),
            RTO_MIN,
            COMPRESSION,
        )
    }

    /// 40 ms are four ticks of 10 ms, and the timer waits for the end of the fourth.
    #[test]
    fn a_delayed_ack_leaves_at_a_tick() {
        let mut acknowledging = acknowledging();
        acknowledging.data_came(3 * MILLISECOND, 0, 1, RTO_MIN);
        acknowledging.quick = 0;
        assert!(!acknowledging.delay(3 * MILLISECOND, None));
        assert_eq!(acknowledging.due(), Some(50 * MILLISECOND));
        // The ACK is nearly due, so it is sent with the data that arrives now.
        assert!(acknowledging.delay(31 * MILLISECOND, None));
    }

    /// At most one tick below the minimum timeout.
    #[test]
    fn a_delayed_ack_has_a_bound() {
        let mut acknowledging = acknowledging();
        acknowledging.data_came(0, 0, 1, RTO_MIN);
        for _ in 0..4 {
            acknowledging.is_scheduled = true;
            assert!(acknowledging.missed(RTO_MIN, 10 * RTO_MIN));
        }
        acknowledging.is_scheduled = true;
        assert!(!acknowledging.delay(0, None));
        assert_eq!(acknowledging.due(), Some(RTO_MIN));
    }
}
