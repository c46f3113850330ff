//! Habits of each end of a connection, over all of its messages.

use tcpwhy_model::Record;

use super::message::{Follows, Message};
use crate::side::Side;
use crate::thresholds::{
    ANSWER_MOST, AT_LEISURE, BEAT_OF_SERVER, BEAT_STEADY, CHAT_TIMES, HABIT_LEAST, HABIT_SHARE, HEARTBEAT_LEAST,
    PUSHES_LEAST, PUSHES_SHARE, SAME_REQUEST, SMALL_MESSAGE, STEADY_LEAST, part,
};

/// Habits of one end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habit {
    /// Number of messages.
    words: u32,
    /// Messages after a long silence although the other end had sent nothing.
    unasked: u32,
    /// Those of them that came later than anybody waits for an answer.
    news: u32,
    /// Messages that followed the other end's message at once.
    prompt: u32,
    /// Messages that followed the other end's message after a long silence.
    late: u32,
    /// Small messages.
    small: u32,
    pub(super) bytes: u64,
    replies: Replies,
    beats: Beats,
    /// Pauses within a message although all data was acknowledged.
    rests: u32,
    /// Waits since the other end's message.
    waits: Waits,
    /// Waits since messages of the other end that were small and came at once.
    after_reply: Waits,
}

/// Silences before messages of an end.
#[derive(Clone, Copy, Debug, Default)]
struct Waits {
    count: u32,
    /// Silences that were short enough for a reply.
    soon: u32,
    /// Silences that were equal to the one before, which took `last` nanoseconds.
    even: u32,
    last: i64,
}

impl Waits {
    fn note(&mut self, message: &Message, rtt: i64) {
        let wait = message.waited();
        let is_even = (wait - self.last).abs() <= BEAT_STEADY.of(wait);
        self.count = self.count.saturating_add(1);
        self.soon = self.soon.saturating_add(u32::from(message.is_prompt(rtt)));
        self.even = self.even.saturating_add(u32::from(is_even));
        self.last = wait;
    }

    /// Whether the messages came neither at once nor after a steady time, so that nobody worked on an answer.
    fn are_uneven(&self) -> bool {
        self.count > 0 && self.is_most(self.count - self.soon) && !self.are_steady()
    }

    /// Whether most silences are equal to the one before, as those of a program that always takes the same
    /// time.
    fn are_steady(&self) -> bool {
        self.even >= STEADY_LEAST.get() && self.is_most(self.even + 1)
    }

    fn is_most(&self, count: u32) -> bool {
        part(i64::from(count), i64::from(self.count)) >= HABIT_SHARE
    }
}

/// Small messages that follow the other end's at once.
#[derive(Clone, Copy, Debug, Default)]
struct Replies {
    /// Usual size, bytes: that of most replies, if most are equal (majority vote of Boyer and Moore).
    size: u64,
    votes: u32,
    /// Replies of that size since it became usual.
    alike: u32,
}

impl Replies {
    fn note(&mut self, bytes: u64) {
        if is_alike(bytes, self.size) {
            (self.votes, self.alike) = (self.votes.saturating_add(1), self.alike.saturating_add(1));
        } else if self.votes == 0 {
            *self = Self { size: bytes, votes: 1, alike: 0 };
        } else {
            self.votes -= 1;
        }
    }
}

/// Small messages of one size at even intervals.
#[derive(Clone, Copy, Debug, Default)]
struct Beats {
    /// Bytes of each message.
    size: u64,
    /// Time of the last message, and the time since the one before, nanoseconds.
    last: i64,
    interval: i64,
    /// Intervals that were equal to the one before.
    steady: u32,
}

impl Beats {
    fn note(&mut self, message: &Message) {
        if message.bytes != self.size {
            if self.steady == 0 {
                *self = Self { size: message.bytes, last: message.first, ..Self::default() };
            }
            return;
        }
        let interval = message.first - self.last;
        let is_even = self.interval > 0 && (interval - self.interval).abs() <= BEAT_STEADY.of(interval);
        if interval >= BEAT_OF_SERVER.get() && is_even {
            self.steady = self.steady.saturating_add(1);
        }
        (self.last, self.interval) = (message.first, interval);
    }
}

/// Whether two messages have about the same length: a counter in one may have more digits. A message that is
/// half as long again is a different one.
fn is_alike(bytes: u64, other: u64) -> bool {
    bytes.abs_diff(other) <= SAME_REQUEST.get().min(bytes.min(other) / 2)
}

impl Habit {
    fn note(&mut self, message: &Message, rtt: i64) {
        self.words = self.words.saturating_add(1);
        self.bytes = self.bytes.saturating_add(message.bytes);
        let is_small = message.bytes <= SMALL_MESSAGE;
        self.small = self.small.saturating_add(u32::from(is_small));
        if is_small {
            self.beats.note(message);
        }
        self.rests = self.rests.saturating_add(message.rests);
        if matches!(message.follows, Follows::Other(_)) {
            self.waits.note(message, rtt);
        }
        match message.follows {
            Follows::Own(nanos) => {
                self.unasked = self.unasked.saturating_add(1);
                self.news = self.news.saturating_add(u32::from(nanos >= ANSWER_MOST.get()));
            }
            Follows::Other(_) if message.is_late(rtt) => self.late = self.late.saturating_add(1),
            Follows::Other(_) if message.is_prompt(rtt) => {
                self.prompt = self.prompt.saturating_add(1);
                if is_small {
                    self.replies.note(message.bytes);
                }
            }
            Follows::Nothing | Follows::Other(_) => {}
        }
    }

    /// Whether `count` is most of its messages, and enough to call it a habit.
    fn is_used_to(&self, count: u32) -> bool {
        count >= HABIT_LEAST.get() && part(i64::from(count), i64::from(self.words)) >= HABIT_SHARE
    }

    /// Whether the end has a reply of a few bytes, always of one size, to the other end's messages.
    pub(super) fn replies(&self) -> bool {
        self.replies.alike >= HABIT_LEAST.get()
    }

    /// Whether its small messages that come at once have this length more often than by chance.
    pub(super) fn repeats(&self, message: &Message) -> bool {
        let is_habit = self.replies.alike + 1 >= HABIT_LEAST.get();
        is_habit && message.bytes <= SMALL_MESSAGE && is_alike(message.bytes, self.replies.size)
    }

    /// Whether the end sends at its own pace after small messages of the other end.
    pub(super) fn goes_on_by_itself(&self) -> bool {
        self.after_reply.are_uneven()
    }

    /// Whether the end sends at its own pace, whatever the other end sends. It continued by itself, and most
    /// of its messages came neither at once nor after a steady time.
    fn is_free(&self) -> bool {
        let went_on = self.unasked > 0 || self.rests > 0;
        let at_leisure = self.words.saturating_sub(self.waits.soon);
        let is_at_leisure = part(i64::from(at_leisure), i64::from(self.words)) >= AT_LEISURE;
        went_on && self.turns() >= HABIT_LEAST.get() && is_at_leisure && !self.waits.are_steady()
    }

    /// Returns the number of turns: pauses divide a message.
    const fn turns(&self) -> u32 {
        self.words.saturating_add(self.rests)
    }

    /// Returns the mean number of bytes per turn.
    fn size(&self) -> u64 {
        self.bytes / u64::from(self.turns().max(1))
    }

    /// Whether `message` is the usual reply.
    pub(super) fn is_usual_reply(&self, message: &Message) -> bool {
        self.replies() && message.bytes <= SMALL_MESSAGE && is_alike(message.bytes, self.replies.size)
    }

    /// Whether the end sends the same few bytes repeatedly at even intervals: a timer does so, but not a
    /// person.
    pub(super) fn beats(&self) -> bool {
        self.beats.steady >= STEADY_LEAST.get()
    }

    /// Whether `message` is such a heartbeat, and its timer is as slow as those that keep connections alive.
    pub(super) fn is_heartbeat(&self, message: &Message) -> bool {
        self.beats() && message.bytes == self.beats.size && self.beats.interval >= HEARTBEAT_LEAST.get()
    }

    /// Whether the end sends at its own pace: unrequested, or long after the other end's message.
    pub(super) fn is_at_own_pace(&self) -> bool {
        self.is_used_to(self.unasked.saturating_add(self.late))
    }

    /// Whether the end sends at once after the other end's message, or always takes the same time.
    pub(super) fn answers(&self) -> bool {
        self.is_prompt() || self.waits.are_steady()
    }

    /// Whether the end often sends unrequested messages.
    pub(super) fn pushes(&self) -> bool {
        self.unasked >= PUSHES_LEAST.get() && part(i64::from(self.unasked), i64::from(self.words)) >= PUSHES_SHARE
    }

    /// Whether the end has sent unrequested messages: one so late that nobody could have waited for it, or
    /// two.
    pub(super) fn has_pushed(&self) -> bool {
        self.news > 0 || self.unasked >= PUSHES_LEAST.get()
    }

    /// Whether the end sends at once after the other end's message.
    pub(super) fn is_prompt(&self) -> bool {
        self.is_used_to(self.prompt)
    }

    /// Whether its messages are small.
    pub(super) fn is_brief(&self) -> bool {
        self.is_used_to(self.small)
    }
}

/// Habits of both ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habits {
    of: [Habit; 2],
    /// Whether the last message was small and came at once.
    was_reply: bool,
}

impl Habits {
    pub(super) fn note(&mut self, message: &Message, rtt: i64) {
        // A TLS handshake is not a habit of the programs that use it.
        if message.record == Record::Handshake {
            return;
        }
        let habit = &mut self.of[message.speaker.index()];
        habit.note(message, rtt);
        if self.was_reply && matches!(message.follows, Follows::Other(_)) {
            habit.after_reply.note(message, rtt);
        }
        self.was_reply = message.bytes <= SMALL_MESSAGE && message.is_prompt(rtt);
    }

    /// Whether both ends send at their own pace, and about the same amount, as two people or two peers do.
    /// Neither sends requests.
    pub(super) fn nobody_asks(&self) -> bool {
        let [one, other] = self.of.each_ref().map(Habit::size);
        let is_alike = one.max(other) <= one.min(other).saturating_mul(CHAT_TIMES.get());
        is_alike && self.of.iter().all(Habit::is_free)
    }

    pub(super) fn of(&self, side: Side) -> &Habit {
        &self.of[side.index()]
    }
}
