//! The last message of a connection, and whether the other end had answered the earlier ones: detects
//! requests without an answer.

use crate::outcome::Side;
use crate::thresholds::{BULK, IDLE_CLOSE, LONG_REST, SMALL_MESSAGE, UNANSWERED_RESTS};

/// The messages of both ends: all data of one end between two sends of the other is one message.
#[derive(Clone, Debug, Default)]
pub(super) struct LastMessage {
    last: Option<Message>,
    /// The other end's message before that.
    previous: Option<Message>,
    asked: [Asked; 2],
}

/// A message without an answer up to now.
#[derive(Clone, Copy, Debug)]
struct Message {
    speaker: Side,
    bytes: u64,
    /// Time at which its last data passed.
    at: i64,
    /// Bytes since its last long pause, and the time of either end's last data before these bytes.
    burst: u64,
    before: Option<i64>,
}

/// A request in flight when an idle connection was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MetClose {
    pub(super) bytes: u64,
    /// Idle time of the connection, nanoseconds.
    pub(super) idle: i64,
}

/// The messages of one end up to now.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    /// Number of its messages after which the other end sent data.
    answered: u32,
    /// Sizes of the smallest and the largest of these, bytes.
    smallest: u64,
    largest: u64,
    /// Longest wait for such an answer, nanoseconds.
    longest: i64,
    /// Number of times this end sent more after a long pause although its message had no answer.
    rests: u32,
}

/// A message that its receiver acknowledged and never answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unanswered {
    pub(super) asker: Side,
    /// Time at which its last data passed, and its size.
    pub(super) since: i64,
    pub(super) bytes: u64,
    /// Number of earlier messages of the same end that were answered.
    pub(super) answered: u32,
    /// Longest wait for one of those answers, nanoseconds.
    pub(super) longest: i64,
}

/// The last message of a connection, after which its sender sent no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeftOff {
    /// Time at which its last data passed, and its size.
    pub(super) since: i64,
    pub(super) bytes: u64,
    /// Longest earlier wait for an answer, nanoseconds.
    pub(super) longest: i64,
    /// The message expects an answer.
    pub(super) is_request: bool,
    /// The message may be the beginning of one that expects an answer: the first bytes of the client, or a
    /// request.
    pub(super) may_go_on: bool,
}

impl LastMessage {
    /// Records `bytes` of new data of `speaker`, which passed at `time`.
    pub(super) fn spoke(&mut self, speaker: Side, bytes: u64, time: i64) {
        match &mut self.last {
            Some(message) if message.speaker == speaker => {
                if time - message.at >= LONG_REST {
                    let asked = &mut self.asked[speaker.index()];
                    asked.rests = asked.rests.saturating_add(1);
                    (message.burst, message.before) = (0, Some(message.at));
                }
                message.burst += bytes;
                (message.bytes, message.at) = (message.bytes + bytes, message.at.max(time));
            }
            last => {
                let before = last.map(|message| message.at);
                self.previous = last.replace(Message { speaker, bytes, at: time, burst: bytes, before });
                if let Some(message) = self.previous {
                    self.asked[speaker.peer().index()].was_answered(message.bytes, time - message.at);
                }
            }
        }
    }

    /// The message of the client `asker` without an answer, if it expects one.
    pub(super) fn unanswered(&self, asker: Side) -> Option<Unanswered> {
        let message = self.last.filter(|message| message.speaker == asker)?;
        let asked = self.asked[asker.index()];
        // If earlier data was followed by more data without an answer, this message needs none either.
        let is_each_answered = asked.rests == 0 || asked.answered >= UNANSWERED_RESTS.get() * asked.rests;
        (is_each_answered && asked.is_request(message.bytes)).then_some(Unanswered {
            asker,
            since: message.at,
            bytes: message.bytes,
            answered: asked.answered,
            longest: asked.longest,
        })
    }

    /// The last message, if `speaker` sent it and makes no long pauses within messages. `asker` is the
    /// client.
    pub(super) fn left_off(&self, speaker: Side, asker: Option<Side>) -> Option<LeftOff> {
        let message = self.last.filter(|message| message.speaker == speaker)?;
        let asked = self.asked[speaker.index()];
        let asks = asker == Some(speaker);
        let is_request = asks && asked.is_request(message.bytes);
        let is_first = asks && asked.answered == 0 && message.bytes < BULK;
        let longest = self.asked.iter().map(|asked| asked.longest).max().unwrap_or(0);
        let (since, bytes) = (message.at, message.bytes);
        let left_off = LeftOff { since, bytes, longest, is_request, may_go_on: is_request || is_first };
        (asked.rests == 0).then_some(left_off)
    }

    /// Time of the last data of `speaker`, if that was the last message and is not a request. `asker` is the
    /// client, if known.
    pub(super) fn last_word(&self, speaker: Side, asker: Option<Side>) -> Option<i64> {
        let message = self.last.filter(|message| message.speaker == speaker)?;
        let may_ask = asker.is_none_or(|asker| asker == speaker);
        (!may_ask || !self.asked[speaker.index()].is_request(message.bytes)).then_some(message.at)
    }

    /// The last request of `asker`, if the other end closed the idle connection at `closed` and sent only a
    /// short final message.
    pub(super) fn met_close(&self, asker: Side, closed: i64) -> Option<MetClose> {
        let last = self.last?;
        // The final message of the closing end may be captured before the request or after it.
        let is_goodbye = |message: &Message| message.burst <= SMALL_MESSAGE.get() && closed - message.at < IDLE_CLOSE;
        let (request, since) = if last.speaker == asker {
            let goodbye = self.previous.filter(is_goodbye);
            (last, goodbye.map_or(last.before, |goodbye| goodbye.before))
        } else {
            let request = self.previous.filter(|_| is_goodbye(&last))?;
            (request, request.before)
        };
        let idle = closed - since?;
        let is_request = self.asked[asker.index()].is_request(request.burst);
        (is_request && idle >= IDLE_CLOSE).then_some(MetClose { bytes: request.burst, idle })
    }
}

impl Asked {
    fn was_answered(&mut self, bytes: u64, wait: i64) {
        self.smallest = if self.answered == 0 { bytes } else { self.smallest.min(bytes) };
        self.largest = self.largest.max(bytes);
        self.longest = self.longest.max(wait);
        self.answered = self.answered.saturating_add(1);
    }

    /// Whether a message of `bytes` expects an answer. Messages larger than a final message or a window
    /// update do. Small ones do if only small ones were answered before. A large first message may be a
    /// transfer that needs no answer.
    fn is_request(&self, bytes: u64) -> bool {
        let is_small = bytes <= SMALL_MESSAGE.get();
        match self.answered {
            0 => !is_small && bytes < BULK.get(),
            _ if is_small => self.largest <= SMALL_MESSAGE.get() && bytes >= self.smallest,
            _ => true,
        }
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    /// Messages of the client (`Side::A`) and of the server, with their sizes in bytes and times in
    /// milliseconds.
    fn after(messages: &[(Side, u64, i64)]) -> Option<Unanswered> {
        let mut last = LastMessage::default();
        for &(side, bytes, millis) in messages {
            last.spoke(side, bytes, millis * SECOND / 1000);
        }
        last.unanswered(Side::A)
    }

    #[test]
    fn the_last_message_is_unanswered() {
        use Side::{A, B};
        let found = after(&[(A, 400, 0), (B, 3000, 50), (A, 300, 60), (A, 100, 61)]).unwrap();
        assert_eq!((found.since, found.bytes, found.answered, found.longest), (61_000_000, 400, 1, 50_000_000));
        assert_eq!(after(&[(A, 400, 0), (B, 3000, 50)]), None, "it was answered");
        assert_eq!(after(&[(B, 400, 0)]), None, "a greeting");
        assert_eq!(after(&[]), None);
    }

    /// `SMALL_MESSAGE` and `BULK`: messages that are not requests.
    #[test]
    fn goodbyes_updates_and_transfers_expect_no_answer() {
        use Side::{A, B};
        let first = |bytes| after(&[(A, bytes, 0)]).is_some();
        assert_eq!([150, 151, 99_999, 100_000].map(first), [false, true, true, false]);
        let then = |before, bytes| after(&[(A, before, 0), (B, 3000, 50), (A, bytes, 60)]).is_some();
        assert!(then(400, 151) && then(400, 200_000));
        assert!(!then(400, 150), "a window update after larger requests");
        assert!(then(40, 40) && then(40, 150) && !then(40, 39), "small requests as before");
    }

    /// `UNANSWERED_RESTS` and `LONG_REST`: an end that sends more after 1 s without an answer waits for none.
    #[test]
    fn messages_that_nobody_answers() {
        use Side::{A, B};
        assert!(after(&[(A, 400, 0), (A, 400, 999)]).is_some());
        assert!(after(&[(A, 400, 0), (A, 400, 1000)]).is_none());
        let mut messages: Vec<_> = (0..4).flat_map(|n| [(A, 400, 100 * n), (B, 400, 100 * n + 50)]).collect();
        messages.extend([(A, 400, 400), (A, 400, 1400)]);
        assert!(after(&messages).is_some(), "one rest in four answered requests");
        messages.remove(7);
        messages.remove(6);
        assert!(after(&messages).is_none());
    }

    /// `BULK`, `LONG_REST`: messages that may be the beginning of a request, of an end without long pauses.
    #[test]
    fn the_last_word_may_go_on() {
        use Side::{A, B};
        let of = |messages: &[(Side, u64, i64)], speaker, asker| {
            let mut last = LastMessage::default();
            for &(side, bytes, millis) in messages {
                last.spoke(side, bytes, millis * SECOND / 1000);
            }
            last.left_off(speaker, asker).map(|found| (found.is_request, found.may_go_on))
        };
        let first = |bytes| of(&[(A, bytes, 0)], A, Some(A));
        assert_eq!(first(117), Some((false, true)), "the head of a request");
        assert_eq!([first(400), first(100_000)], [Some((true, true)), Some((false, false))]);
        assert_eq!(of(&[(A, 117, 0)], A, Some(B)), Some((false, false)), "the server's greeting");
        assert_eq!(of(&[(A, 117, 0)], A, None), Some((false, false)), "nobody knows who asks");
        assert_eq!(of(&[(A, 117, 0), (B, 9, 1)], A, Some(A)), None, "it was answered");
        assert_eq!(of(&[(A, 400, 0), (B, 9, 1), (A, 117, 2)], A, Some(A)), Some((false, false)), "an update");
        assert_eq!(of(&[(A, 400, 0), (B, 9, 1), (A, 400, 2)], A, Some(A)), Some((true, true)));
        assert_eq!(of(&[(A, 400, 0), (A, 400, 999)], A, Some(A)), Some((true, true)));
        assert_eq!(of(&[(A, 400, 0), (A, 400, 1000)], A, Some(A)), None, "it rests now and then");
        let mut last = LastMessage::default();
        for (side, bytes, nanos) in [(A, 400, 0), (B, 9, 7), (A, 400, 9)] {
            last.spoke(side, bytes, nanos);
        }
        assert_eq!(last.left_off(A, Some(A)).map(|found| (found.since, found.bytes, found.longest)), Some((9, 400, 7)));
    }
}
