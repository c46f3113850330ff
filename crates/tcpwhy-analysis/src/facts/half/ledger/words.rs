//! The peer's payload while data is in flight, and whether sends follow it rather than acknowledgments.

use std::collections::VecDeque;

use super::Ledger;
use super::whole_turns::Turning;
use crate::facts::half::when::When;
use crate::facts::slot::{micros, narrow};
use crate::thresholds::{PEER_AWAITED_ACKS, UNUSED_SEGMENTS, WORD_SMOOTHING};

/// Payload of the peer, by the time at which the sender of this direction has it.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// Time of the last payload that the sender has.
    last: When,
    /// Offset that this payload acknowledged.
    pub(super) acked: u64,
    /// In a capture away from the sender, payload on its way to the sender, oldest first. Segments close in
    /// time are merged.
    coming: VecDeque<Word>,
    /// Smoothed size of a segment, bytes.
    usual: u32,
    /// This side sent data before the peer's first payload.
    were_awaited: bool,
    /// This side's data between the peer's segments.
    pub(super) turning: Turning,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    first: i64,
    last: i64,
    bytes: u32,
    /// Offset that it acknowledged.
    ack: u64,
}

/// Payload that arrived at the sender since the previous query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Heard {
    bytes: u64,
    /// Time as close behind the peer's payload as an answer to it is, nanoseconds.
    covered: i64,
}

impl Words {
    /// Limit of segments on their way, to bound memory: only a peer that sends continuously exceeds it.
    const MAX_COMING: usize = 64;

    /// Records a segment of `bytes` that is at the sender at `time`. Segments closer than `apart` are merged.
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
                    // More data arrived between them although nothing was sent, so the first segment came
                    // early.
                    self.turning.note_early();
                    word.ack = ack;
                }
            }
            _ => self.coming.push_back(Word { first: time, last: time, bytes, ack }),
        }
    }

    /// Time at which the sender had the last payload, if that is after `time`.
    pub(super) fn last_after(&self, time: i64) -> Option<i64> {
        self.last.get().filter(|&last| last > time)
    }

    /// Returns the payload that the sender has by `time`, after it sent up to `sent`. An answer follows
    /// within `answer`.
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

/// Events before the peer's payload that a send followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// ACKs without payload had made room, and nothing was sent.
    Room,
    /// No such ACKs.
    Nothing,
}

/// Payload that a direction's sender received from its peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PeerWords {
    /// Smoothed size of a segment, bytes; 0 without any.
    pub(crate) usual: u32,
    /// This side had sent data before the peer's first payload.
    pub(crate) were_awaited: bool,
}

impl Ledger {
    /// Records the peer's segment of `bytes`, which acknowledges up to `ack` and is at the sender at `time`.
    pub(super) fn note_word(&mut self, time: i64, bytes: u64, ack: u64) {
        let apart = if self.closeness.ack_times_inferred() { self.release() } else { 0 };
        let were_awaited = self.is_anything_sent;
        let words = self.words.get_or_insert_with(|| Box::new(Words { were_awaited, ..Words::default() }));
        words.say(time, (bytes, ack), apart);
    }

    /// Records the payload that the sender has by `time`.
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

    /// Whether a send at `time` followed the peer's last payload as closely as sends follow ACKs.
    /// Distinguishes whether ACKs had made room before that payload.
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
        // If ACKs come at a high rate, some may arrive while the sender processes the message.
        let is_last = || self.gap.last_room.get().is_none_or(|room| room <= word + jitter);
        had_room.then_some(After::Room).or_else(|| is_last().then_some(After::Nothing))
    }

    /// Summary of the peer's payload up to now.
    pub(crate) fn peer_words(&self) -> PeerWords {
        self.words
            .as_ref()
            .map_or_else(PeerWords::default, |words| PeerWords { usual: words.usual, were_awaited: words.were_awaited })
    }

    /// Heap memory, bytes.
    pub(super) fn words_heap(&self) -> usize {
        self.words
            .as_ref()
            .map_or(0, |words| size_of::<Words>() + words.coming.capacity() * size_of::<Word>() + words.turning.heap())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two segments are 5 apart while an answer takes 3, and a third follows at 20. The time behind each
    /// counts once, up to an answer's time.
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

    /// Segments within an answer's time are merged, and may be received in part.
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

    /// A peer that sends continuously takes no more memory than this.
    #[test]
    fn no_more_words_are_kept_than_fit() {
        let mut words = Words::default();
        (0..1000).for_each(|n| words.say(n * 100, (1, 0), 0));
        assert_eq!((words.coming.len(), words.hear(i64::MAX, 3, 0).bytes), (Words::MAX_COMING, 1000));
    }

    /// `WORD_SMOOTHING`: each segment changes the usual size by 1/8.
    #[test]
    fn sizes_of_words_are_smoothed() {
        let mut words = Words::default();
        words.say(0, (800, 0), 0);
        assert_eq!(words.usual, 800);
        words.say(1, (40, 0), 0);
        assert_eq!(words.usual, 705);
    }
}
