//! What each end of a connection is used to do, over all of its messages.

use tcpwhy_model::Record;

use super::message::{Follows, Message};
use crate::side::Side;
use crate::thresholds::{
    ANSWER_MOST, AT_LEISURE, BEAT_OF_SERVER, BEAT_STEADY, CHAT_TIMES, HABIT_LEAST, HABIT_SHARE, HEARTBEAT_LEAST,
    PUSHES_LEAST, PUSHES_SHARE, SAME_REQUEST, SMALL_MESSAGE, STEADY_LEAST, part,
};

/// How one end speaks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habit {
    /// Messages.
    words: u32,
    /// How many came after a long silence although the other end had said nothing.
    unasked: u32,
    /// How many of these came later than anybody waits for an answer.
    news: u32,
    /// How many followed the other end's words at once.
    prompt: u32,
    /// How many followed them after a long silence.
    late: u32,
    /// How many were small.
    small: u32,
    pub(super) bytes: u64,
    replies: Replies,
    beats: Beats,
    /// How often it rested within a message although all was acknowledged, and went on.
    rests: u32,
    /// Since the other end's words.
    waits: Waits,
    /// Since those of them that were few and came at once.
    after_reply: Waits,
}

/// Silences before words of an end.
#[derive(Clone, Copy, Debug, Default)]
struct Waits {
    count: u32,
    /// How many were short enough for a reply.
    soon: u32,
    /// How many were like the one before, which took `last` nanoseconds.
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

    /// The words came neither at once nor after a steady time: nobody worked at an answer.
    fn are_uneven(&self) -> bool {
        self.count > 0 && self.is_most(self.count - self.soon) && !self.are_steady()
    }

    /// Most are like the one before: something takes its time, always the same.
    fn are_steady(&self) -> bool {
        self.even >= STEADY_LEAST.get() && self.is_most(self.even + 1)
    }

    fn is_most(&self, count: u32) -> bool {
        part(i64::from(count), i64::from(self.count)) >= HABIT_SHARE
    }
}

/// Small words that follow the other end's at once.
#[derive(Clone, Copy, Debug, Default)]
struct Replies {
    /// The usual one, bytes: as most of them are, if most are alike (the majority vote of Boyer and Moore).
    size: u64,
    votes: u32,
    /// How many were as long since it became usual.
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

/// Small words of one size at even intervals.
#[derive(Clone, Copy, Debug, Default)]
struct Beats {
    /// Bytes of each.
    size: u64,
    /// When the last came, and how long after the one before, nanoseconds.
    last: i64,
    interval: i64,
    /// How many intervals were like the one before.
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

/// Whether two messages are as long as each other: a counter in one has more digits. A message half as long
/// again is another one.
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

    /// Most of its words are so, and there are enough to call it a habit.
    fn is_used_to(&self, count: u32) -> bool {
        count >= HABIT_LEAST.get() && part(i64::from(count), i64::from(self.words)) >= HABIT_SHARE
    }

    /// It has a reply of a few bytes, always of one size, for what the other end says.
    pub(super) fn replies(&self) -> bool {
        self.replies.alike >= HABIT_LEAST.get()
    }

    /// Its small words that come at once are as long as this, more than by chance.
    pub(super) fn repeats(&self, message: &Message) -> bool {
        let is_habit = self.replies.alike + 1 >= HABIT_LEAST.get();
        is_habit && message.bytes <= SMALL_MESSAGE && is_alike(message.bytes, self.replies.size)
    }

    /// After the other end's small words it speaks when it likes.
    pub(super) fn goes_on_by_itself(&self) -> bool {
        self.after_reply.are_uneven()
    }

    /// It speaks when it likes, whatever the other end says: it went on by itself, and most of its words came
    /// neither at once nor after a steady time.
    fn is_free(&self) -> bool {
        let went_on = self.unasked > 0 || self.rests > 0;
        let at_leisure = self.words.saturating_sub(self.waits.soon);
        let is_at_leisure = part(i64::from(at_leisure), i64::from(self.words)) >= AT_LEISURE;
        went_on && self.turns() >= HABIT_LEAST.get() && is_at_leisure && !self.waits.are_steady()
    }

    /// How often it spoke: rests divide a message.
    const fn turns(&self) -> u32 {
        self.words.saturating_add(self.rests)
    }

    /// Bytes that it says at a time.
    fn size(&self) -> u64 {
        self.bytes / u64::from(self.turns().max(1))
    }

    /// This is such a reply.
    pub(super) fn is_usual_reply(&self, message: &Message) -> bool {
        self.replies() && message.bytes <= SMALL_MESSAGE && is_alike(message.bytes, self.replies.size)
    }

    /// It says the same few bytes again and again, at even intervals: a timer speaks, and no person.
    pub(super) fn beats(&self) -> bool {
        self.beats.steady >= STEADY_LEAST.get()
    }

    /// This is such a beat, of a timer as slow as those that keep connections.
    pub(super) fn is_heartbeat(&self, message: &Message) -> bool {
        self.beats() && message.bytes == self.beats.size && self.beats.interval >= HEARTBEAT_LEAST.get()
    }

    /// It speaks when it likes: unasked, or long after the other end's words.
    pub(super) fn is_at_own_pace(&self) -> bool {
        self.is_used_to(self.unasked.saturating_add(self.late))
    }

    /// It speaks at once when the other end has spoken, or takes as long each time.
    pub(super) fn answers(&self) -> bool {
        self.is_prompt() || self.waits.are_steady()
    }

    /// It often speaks unasked.
    pub(super) fn pushes(&self) -> bool {
        self.unasked >= PUSHES_LEAST.get() && part(i64::from(self.unasked), i64::from(self.words)) >= PUSHES_SHARE
    }

    /// It has spoken unasked: once so late that nobody could have waited for it, or twice.
    pub(super) fn has_pushed(&self) -> bool {
        self.news > 0 || self.unasked >= PUSHES_LEAST.get()
    }

    /// It speaks at once when the other end has spoken.
    pub(super) fn is_prompt(&self) -> bool {
        self.is_used_to(self.prompt)
    }

    /// Its words are small.
    pub(super) fn is_brief(&self) -> bool {
        self.is_used_to(self.small)
    }
}

/// How both ends speak.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habits {
    of: [Habit; 2],
    /// The last words were few and came at once.
    was_reply: bool,
}

impl Habits {
    pub(super) fn note(&mut self, message: &Message, rtt: i64) {
        // A handshake of TLS is no habit of those who speak through it.
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

    /// Both ends speak when they like, and about as much: two people, or two peers. Nobody asks.
    pub(super) fn nobody_asks(&self) -> bool {
        let [one, other] = self.of.each_ref().map(Habit::size);
        let is_alike = one.max(other) <= one.min(other).saturating_mul(CHAT_TIMES.get());
        is_alike && self.of.iter().all(Habit::is_free)
    }

    pub(super) fn of(&self, side: Side) -> &Habit {
        &self.of[side.index()]
    }
}
