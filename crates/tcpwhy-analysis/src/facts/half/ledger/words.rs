//! What the peer says while data is in flight, and whether sends follow that rather than acknowledgments.

use std::collections::VecDeque;

use super::Ledger;
use super::whole_turns::Turning;
use crate::facts::half::when::When;
use crate::facts::slot::{micros, narrow};
use crate::thresholds::{PEER_AWAITED_ACKS, UNUSED_SEGMENTS, WORD_SMOOTHING};

/// Payload of the peer, by when the sender of this direction has it.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// The last one that it has.
    last: When,
    /// What that one acknowledged, bytes of the stream.
    pub(super) acked: u64,
    /// Away from the sender: those that are still on their way, oldest first. Close ones are one.
    coming: VecDeque<Word>,
    /// Bytes of one, smoothed.
    usual: u32,
    /// This side sent data before any.
    were_awaited: bool,
    /// What this side sends between them.
    pub(super) turning: Turning,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    first: i64,
    last: i64,
    bytes: u32,
    /// What it acknowledged, bytes of the stream.
    ack: u64,
}

/// What has arrived at the sender since it was last asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Heard {
    bytes: u64,
    /// Time, nanoseconds, that lies as close behind a word as an answer to it does.
    covered: i64,
}

impl Words {
    /// No more are on their way: those beyond belong to a peer that talks all the time.
    const MAX_COMING: usize = 64;

    /// The peer's segment of `bytes` is at the sender at `time`; closer ones than `apart` are one.
    fn say(&mut self, time: i64, (bytes, ack): (u64, u64), apart: i64) {
        self.turning.note_word(bytes);
        let bytes = narrow(bytes);
        self.usual = match self.usual {
            0 => bytes,
            usual => usual - usual / WORD_SMOOTHING.get() + bytes / WORD_SMOOTHING.get(),
        };
        let is_full = self.coming.len() == Self::MAX_COMING;
        match self.coming.back_mut() {
            Some(word) if time - word.last <= apart || is_full => {
                word.last = word.last.max(time);
                word.bytes = word.bytes.saturating_add(bytes);
                if word.ack < ack {
                    // More arrived between them, and nothing was sent: the first came early.
                    self.turning.note_early();
                    word.ack = ack;
                }
            }
            _ => self.coming.push_back(Word { first: time, last: time, bytes, ack }),
        }
    }

    /// When the sender had the last one, if that was after `time`.
    pub(super) fn last_after(&self, time: i64) -> Option<i64> {
        self.last.get().filter(|&last| last > time)
    }

    /// What the sender, which has sent as much, has by `time`. An answer follows within `answer`.
    fn hear(&mut self, time: i64, answer: i64, sent: u64) -> Heard {
        let mut heard = Heard::default();
        while let Some(word) = self.coming.front_mut() {
            if word.first > time {
                break;
            }
            let last = word.last.min(time);
            let bytes = u64::from(std::mem::take(&mut word.bytes));
            heard.bytes += bytes;
            self.turning.hear(bytes);
            let before = self.last.get().map_or(answer, |before| (word.first - before).clamp(0, answer));
            heard.covered += before + (last - word.first);
            self.last = When::at(last);
            self.acked = self.acked.max(word.ack);
            if word.last > time {
                word.first = word.last;
                break;
            }
            if word.ack < sent {
                self.turning.note_early();
            }
            self.coming.pop_front();
        }
        heard
    }
}

/// What had come before the peer's payload that a send followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// ACKs without payload had made room, and nothing was sent.
    Room,
    /// Nothing to speak of.
    Nothing,
}

/// Payload of the peer's that a direction's sender got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PeerWords {
    /// Bytes of a segment, smoothed; 0 without any.
    pub(crate) usual: u32,
    /// This side had sent data before any.
    pub(crate) were_awaited: bool,
}

impl Ledger {
    /// The peer's segment of `bytes`, which acknowledges up to `ack`, is at the sender at `time`.
    pub(super) fn note_word(&mut self, time: i64, bytes: u64, ack: u64) {
        let apart = if self.closeness.ack_times_inferred() { self.release() } else { 0 };
        let were_awaited = self.is_anything_sent;
        let words = self.words.get_or_insert_with(|| Box::new(Words { were_awaited, ..Words::default() }));
        words.say(time, (bytes, ack), apart);
    }

    /// Takes in what the sender has by `time`.
    pub(super) fn hear(&mut self, time: i64) {
        let release = self.release();
        let Some(words) = &mut self.words else { return };
        let heard = words.hear(time, release, self.nxt);
        let slot = &mut self.slots.current;
        slot.heard = slot.heard.saturating_add(narrow(heard.bytes));
        slot.word_covered = slot.word_covered.saturating_add(micros(heard.covered));
    }

    /// Whether the peer's last payload came after `time`.
    pub(super) fn has_heard_since(&self, time: i64) -> bool {
        self.words.as_ref().and_then(|words| words.last_after(time)).is_some()
    }

    /// What a send at `time` followed the peer's last payload after, if it did as closely as sends follow
    /// the ACK that releases them.
    pub(super) fn follows_word(&self, time: i64) -> Option<After> {
        let word = self.words.as_ref()?.last.get()?;
        let jitter = self.jitter();
        let is_close = (-jitter..=self.release()).contains(&(time - word));
        if !is_close || self.gap.peer_repeats > 0 {
            return None;
        }
        let had_room = self.gap.first_room.get().is_some_and(|first| word - first > jitter)
            && self.hole_since.is_none()
            && self.gap.advancing_acks >= PEER_AWAITED_ACKS
            && self.gap.bytes_acked >= UNUSED_SEGMENTS.get() * self.mss;
        // Where ACKs come closely, some may come while the sender takes the message in.
        let is_last = || self.gap.last_room.get().is_none_or(|room| room <= word + jitter);
        had_room.then_some(After::Room).or_else(|| is_last().then_some(After::Nothing))
    }

    /// The peer's payload so far.
    pub(crate) fn peer_words(&self) -> PeerWords {
        self.words
            .as_ref()
            .map_or_else(PeerWords::default, |words| PeerWords { usual: words.usual, were_awaited: words.were_awaited })
    }

    /// Bytes of memory that they take.
    pub(super) fn words_heap(&self) -> usize {
        self.words
            .as_ref()
            .map_or(0, |words| size_of::<Words>() + words.coming.capacity() * size_of::<Word>() + words.turning.heap())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two words 5 apart while an answer takes 3, one more at 20: time behind each counts once, up to an
    /// answer's.
    #[test]
    fn what_lies_behind_words_is_covered() {
        let mut words = Words::default();
        for time in [10, 15, 20] {
            words.say(time, (40, 0), 0);
        }
        assert_eq!(words.hear(9, 3, 0), Heard::default());
        assert_eq!(words.hear(15, 3, 0), Heard { bytes: 80, covered: 6 });
        assert_eq!(words.last.get(), Some(15));
        assert_eq!(words.hear(99, 3, 0), Heard { bytes: 40, covered: 3 });
        assert_eq!(words.hear(99, 3, 0), Heard::default(), "each is heard once");
    }

    /// Words as close as an answer are one, and are heard in part.
    #[test]
    fn close_words_are_one() {
        let mut words = Words::default();
        for time in [10, 12, 14] {
            words.say(time, (40, 0), 2);
        }
        assert_eq!(words.coming.len(), 1);
        assert_eq!(words.hear(13, 3, 0), Heard { bytes: 120, covered: 6 });
        assert_eq!(words.last.get(), Some(13));
        words.hear(14, 3, 0);
        assert_eq!((words.last.get(), words.coming.len()), (Some(14), 0));
    }

    /// A peer that talks all the time takes no more memory than this.
    #[test]
    fn no_more_words_are_kept_than_fit() {
        let mut words = Words::default();
        (0..1000).for_each(|n| words.say(n * 100, (1, 0), 0));
        assert_eq!((words.coming.len(), words.hear(i64::MAX, 3, 0).bytes), (Words::MAX_COMING, 1000));
    }

    /// `WORD_SMOOTHING`: each word changes the usual size by an eighth.
    #[test]
    fn sizes_of_words_are_smoothed() {
        let mut words = Words::default();
        words.say(0, (800, 0), 0);
        assert_eq!(words.usual, 800);
        words.say(1, (40, 0), 0);
        assert_eq!(words.usual, 705);
    }
}
