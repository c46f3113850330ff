//! Whether the peer's last payload requested the data that this side sent next.
//!
//! A wait for an answer follows a request. Single turns of long polls, pushes and a person at a keyboard look
//! alike: one end sends, and the other end sends later. Only several turns together distinguish them.

use super::Ledger;
use crate::thresholds::{
    ANSWER_MOST, ECHO_SOON, KEYSTROKE, KEYSTROKE_PAUSE, KEYSTROKES_LEAST, KEYSTROKES_SHARE, POLLS_SHARE, REPLY_SOON,
    SAME_REQUEST, SMALL_MESSAGE, part,
};

/// The turns of a direction after pauses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    /// Number of turns that lasted for [`ANSWER_MOST`] or longer.
    long: u32,
    /// Number of those that followed about as many bytes of the peer as the long turn before.
    repeated: u32,
    /// Bytes of the peer's payload before the last long turn.
    heard: u64,
    /// Number of the peer's keystrokes that were echoed.
    keystrokes: u32,
}

/// A message of this side after payload of the peer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Time of this side's previous send; `None` before its first data.
    pub(super) sent: Option<i64>,
    /// Times of the peer's first and last payload since then.
    pub(super) spoke: (i64, i64),
    /// Bytes of this payload.
    pub(super) heard: u64,
    pub(super) time: i64,
    /// Bytes of the message's first segment.
    pub(super) size: u64,
    /// Smallest round trip, nanoseconds; 0 if unknown.
    pub(super) rtt: i64,
}

impl Turn {
    /// Whether the peer's payload followed this side's so closely that it may be an answer, not a request.
    fn may_follow_answer(&self) -> bool {
        self.sent.is_some_and(|sent| self.spoke.0 - sent <= REPLY_SOON.get() + self.rtt)
    }

    /// Whether the peer sent at most a keystroke, as late as a person types, and got a small answer at once.
    fn is_echo(&self) -> bool {
        let is_key = self.heard <= KEYSTROKE && self.size <= SMALL_MESSAGE;
        let is_person = self.sent.is_some_and(|sent| self.spoke.0 - sent >= KEYSTROKE_PAUSE.get() + self.rtt);
        is_key && is_person && self.time - self.spoke.1 <= ECHO_SOON
    }
}

impl Turns {
    /// Records the next turn. Returns whether the peer had requested it.
    ///
    /// Only a long poll repeats a request of one size and waits long for each answer. A few bytes after this
    /// side's own data complete an exchange: the end of a handshake, a SETTINGS acknowledgment, an answer to
    /// a PING. A message that comes much later was not requested.
    fn follow(&mut self, turn: &Turn) -> bool {
        self.keystrokes = self.keystrokes.saturating_add(u32::from(turn.is_echo()));
        if turn.time - turn.spoke.1 < ANSWER_MOST {
            return true;
        }
        let is_repeated = self.long > 0 && turn.heard.abs_diff(self.heard) <= SAME_REQUEST.get();
        self.long = self.long.saturating_add(1);
        self.repeated = self.repeated.saturating_add(u32::from(is_repeated));
        self.heard = turn.heard;
        let is_small = turn.heard <= SMALL_MESSAGE && turn.size <= SMALL_MESSAGE;
        let is_push = is_small && turn.may_follow_answer();
        !is_repeated && !is_push
    }

    /// Whether the peer does not wait for this side's data in `all` turns, because it polls or is a person at
    /// a keyboard.
    fn are_unasked(&self, all: u32) -> bool {
        let share = |count: u32| part(i64::from(count), i64::from(all));
        let is_polled = self.repeated > 0 && share(self.long) >= POLLS_SHARE;
        is_polled || self.are_echoes(all)
    }

    /// Whether most of `all` turns echo a person's keystrokes.
    fn are_echoes(&self, all: u32) -> bool {
        let share = part(i64::from(self.keystrokes), i64::from(all));
        self.keystrokes >= KEYSTROKES_LEAST.get() && share >= KEYSTROKES_SHARE
    }
}

impl Ledger {
    /// Records that this side sends `size` bytes at `time`, after payload of the peer since this side's
    /// previous send at `sent`. Returns whether the peer had requested it.
    #[cold]
    pub(super) fn follow_turn(&mut self, sent: Option<i64>, time: i64, size: u64) -> bool {
        let Some(spoke) = self.gap.peer_spoke else { return true };
        let turn = Turn { sent, spoke, heard: self.gap.heard, time, size, rtt: self.rtt_min.unwrap_or(0) };
        if self.rests.is_none() && time - spoke.1 < ANSWER_MOST {
            return true;
        }
        self.rests.get_or_insert_default().turns.follow(&turn)
    }

    /// Whether a person types at the other end, and this side echoes each key.
    pub(crate) fn is_echo(&self) -> bool {
        self.rests.as_ref().is_some_and(|rests| rests.turns.are_echoes(self.turns))
    }

    /// Whether the peer does not wait for this side's data: it polls, or is a person whose keys are echoed.
    pub(crate) fn is_unasked(&self) -> bool {
        self.rests.as_ref().is_some_and(|rests| rests.turns.are_unasked(self.turns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: i64 = 1_000_000;

    /// The peer's `heard` bytes come `pause` ms after this side sent, and the answer of `size` bytes comes
    /// `wait` ms later.
    fn turn(pause: i64, heard: u64, wait: i64, size: u64) -> Turn {
        let spoke = pause * MILLISECOND;
        Turn { sent: Some(0), spoke: (spoke, spoke), heard, time: spoke + wait * MILLISECOND, size, rtt: 0 }
    }

    /// `ANSWER_MOST`, `REPLY_SOON` and `SMALL_MESSAGE`: the peer's few bytes follow this side's within 200
    /// ms. A small message 10 s later was not requested.
    #[test]
    fn a_push_follows_an_answer() {
        let is_asked = |turn: Turn| Turns::default().follow(&turn);
        assert!(!is_asked(turn(200, 150, 10_000, 150)));
        assert!(is_asked(turn(200, 150, 9_999, 150)));
        assert!(is_asked(turn(201, 150, 10_000, 150)));
        assert!(is_asked(turn(200, 151, 10_000, 150)));
        assert!(is_asked(turn(200, 150, 10_000, 151)));
        // The first payload of a connection answers nothing.
        assert!(is_asked(Turn { sent: None, ..turn(0, 100, 10_000, 100) }));
    }

    /// `SAME_REQUEST` and `POLLS_SHARE`: a second request of the same size, within 16 bytes, waits for 10 s
    /// too. It is a poll if half of the turns are long.
    #[test]
    fn a_request_that_is_repeated_and_waits_is_a_poll() {
        let polls = |second: u64| {
            let mut turns = Turns::default();
            assert!(turns.follow(&turn(1, 500, 30_000, 300)));
            (turns.follow(&turn(1, second, 30_000, 300)), turns.are_unasked(4), turns.are_unasked(5))
        };
        assert_eq!(polls(516), (false, true, false));
        assert_eq!(polls(484), (false, true, false));
        assert_eq!(polls(517), (true, false, false));
    }

    /// `KEYSTROKE`, `KEYSTROKE_PAUSE`, `ECHO_SOON`, `KEYSTROKES_LEAST` and `KEYSTROKES_SHARE`: six keys typed
    /// by a person, in half of all turns.
    #[test]
    fn a_person_types() {
        let types = |count: u32, all: u32, key: Turn| {
            let mut turns = Turns::default();
            (0..count).for_each(|_| assert!(turns.follow(&key)));
            turns.are_unasked(all)
        };
        let key = turn(100, 64, 100, 150);
        assert!(types(6, 12, key) && !types(5, 10, key) && !types(6, 13, key));
        for other in [turn(99, 64, 100, 150), turn(100, 65, 100, 150), turn(100, 64, 101, 150)] {
            assert!(!types(6, 6, other), "{other:?}");
        }
        assert!(!types(6, 6, turn(100, 64, 100, 151)));
    }
}
