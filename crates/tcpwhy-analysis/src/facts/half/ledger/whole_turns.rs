//! Turns of this side that end at the same byte count: the window of a protocol above TCP.
//!
//! A sender that may send no more than its peer's protocol allows stops after the same number of bytes each
//! time. It goes on as soon as the peer has sent a few bytes. Whether everything was acknowledged by then
//! does not matter: where the peer allows more only when all has arrived, it always was.
//!
//! What the peer's last word acknowledged is what it spoke of. So the byte count is from there on: words that
//! come a little sooner or later, one by one or together, do not change it.

use super::Ledger;
use super::word_sizes::{WordSizes, WordsBetween};
use crate::thresholds::{SAME_TURN, TURN_RESUMED, WHOLE_TURN_SEGMENTS, WHOLE_TURNS_LEAST, part};

/// The turn in progress, and those before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Turning {
    /// Where in the stream it began, and what the peer had acknowledged with its last word by then; `None`
    /// where nobody knows.
    began: Option<Began>,
    /// Payload of the peer since then, bytes.
    heard: u64,
    /// From the first turn on that is large enough for a window.
    turns: Option<Box<Turns>>,
}

/// Where a turn began.
#[derive(Clone, Copy, Debug)]
struct Began {
    /// Bytes that had been sent.
    sent: u64,
    /// Bytes that the peer's last word had acknowledged: what it said was about those.
    acked: u64,
}

/// Turns of a direction so far.
#[derive(Clone, Debug, Default)]
struct Turns {
    sizes: [Alike; Self::SIZES],
    words: WordSizes,
    /// All turns, and the waits for the peer after them, nanoseconds.
    count: u32,
    waited: i64,
}

/// A turn that the peer's next words ended.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Bytes that had not arrived when the peer spoke before it, and that it brought.
    ahead: u64,
    sent: u64,
    /// Payload of the peer, bytes.
    heard: u64,
    /// From its last byte to the peer's words, nanoseconds.
    waited: i64,
    /// From these to the next turn, nanoseconds.
    resumed: i64,
    /// Everything was acknowledged by then.
    is_acknowledged: bool,
}

/// Turns of about one size.
#[derive(Clone, Copy, Debug, Default)]
struct Alike {
    /// Bytes of the first of them.
    size: u64,
    /// How many, less those of no known size since: those that do not repeat make room.
    votes: u32,
    sum: WholeTurns,
}

/// Turns that end at a byte count that repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WholeTurns {
    /// That byte count, if there are several the one that took most time.
    pub(crate) size: u64,
    pub(crate) count: u32,
    /// How many of them the sender followed up as soon as the peer had spoken.
    pub(crate) resumed: u32,
    /// Bytes of all, and of the peer's words between them.
    pub(crate) sent: u64,
    pub(crate) heard: u64,
    /// Waits for these words, nanoseconds, and those of them in which nothing was in flight in the end.
    pub(crate) waited: i64,
    pub(crate) acknowledged: i64,
    /// From the peer's words to the next turns, where nothing was in flight, nanoseconds.
    pub(crate) waking: i64,
    /// Turns of any size, and the waits for the peer after them, nanoseconds.
    pub(crate) count_in_all: u32,
    pub(crate) waited_in_all: i64,
    /// This side sent data before the peer did.
    pub(crate) spoke_first: bool,
    /// The peer's words between turns.
    pub(crate) words: WordsBetween,
}

impl WholeTurns {
    fn add(&mut self, turn: &Turn) {
        self.count = self.count.saturating_add(1);
        self.resumed = self.resumed.saturating_add(u32::from(turn.resumed <= TURN_RESUMED.get()));
        self.sent += turn.sent;
        self.heard += turn.heard;
        self.waited += turn.waited;
        if turn.is_acknowledged {
            self.acknowledged += turn.waited;
            self.waking += turn.resumed;
        }
    }

    fn join(self, other: &Self) -> Self {
        Self {
            size: if other.waited > self.waited { other.size } else { self.size },
            count: self.count.saturating_add(other.count),
            resumed: self.resumed.saturating_add(other.resumed),
            sent: self.sent + other.sent,
            heard: self.heard + other.heard,
            waited: self.waited + other.waited,
            acknowledged: self.acknowledged + other.acknowledged,
            waking: self.waking + other.waking,
            ..self
        }
    }
}

impl Turning {
    /// The peer's word of `bytes` is on its way.
    pub(super) fn note_word(&mut self, bytes: u64) {
        if let Some(turns) = &mut self.turns {
            turns.words.note(bytes);
        }
    }

    /// This side has a word that said that not all of its data had arrived.
    pub(super) fn note_early(&mut self) {
        if let Some(turns) = &mut self.turns {
            turns.words.note_early();
        }
    }

    /// This side has `bytes` of the peer.
    pub(super) fn hear(&mut self, bytes: u64) {
        self.heard += bytes;
    }

    /// Bytes of memory beyond its own size.
    pub(super) fn heap(&self) -> usize {
        self.turns.as_ref().map_or(0, |_| size_of::<Turns>())
    }
}

impl Turns {
    /// Sizes that are followed at a time: a window that opens by halves, or by records, has a few.
    const SIZES: usize = 4;

    fn note(&mut self, turn: &Turn) {
        self.count = self.count.saturating_add(1);
        self.waited += turn.waited;
        let is_alike =
            |alike: &Alike| alike.votes > 0 && part(turn.ahead.abs_diff(alike.size), alike.size) <= SAME_TURN;
        if let Some(alike) = self.sizes.iter_mut().find(|alike| is_alike(alike)) {
            alike.votes = alike.votes.saturating_add(1);
            alike.sum.add(turn);
            return;
        }
        let Some(fewest) = self.sizes.iter_mut().min_by_key(|alike| alike.votes) else { return };
        fewest.votes = fewest.votes.saturating_sub(1);
        if fewest.votes == 0 {
            *fewest =
                Alike { size: turn.ahead, votes: 1, sum: WholeTurns { size: turn.ahead, ..WholeTurns::default() } };
            fewest.sum.add(turn);
        }
    }

    /// The turns whose size repeats.
    fn repeated(&self) -> Option<WholeTurns> {
        let often = self.sizes.iter().map(|alike| &alike.sum).filter(|sum| sum.count >= WHOLE_TURNS_LEAST.get());
        let all = often.copied().reduce(|sum, other| sum.join(&other))?;
        let (count_in_all, waited_in_all) = (self.count, self.waited);
        Some(WholeTurns { count_in_all, waited_in_all, words: self.words.all(), ..all })
    }
}

impl Ledger {
    /// This side goes on at `time`: whether that begins a turn.
    pub(super) fn follow_whole_turn(&mut self, time: i64) {
        let release = self.release();
        let Some(words) = &mut self.words else { return };
        let now = Began { sent: self.nxt, acked: words.acked };
        let said = words.last_after(self.gap.start);
        let turning = &mut words.turning;
        let Some(said) = said.map(|said| said.min(time)) else {
            // Without a word of the peer it went on by itself: nobody knows what ended the turn.
            if self.gap.emptied.is_some_and(|(emptied, _)| time - emptied > release) {
                turning.began = None;
            }
            return;
        };
        let waited = said - self.gap.start;
        // Words that cross data end no turn, and allow more all the same.
        if waited <= self.closeness.burst() {
            turning.began.iter_mut().for_each(|began| began.acked = now.acked);
            return;
        }
        let heard = std::mem::take(&mut turning.heard);
        let Some(began) = turning.began.replace(now) else { return };
        let (ahead, sent) = (now.sent.saturating_sub(began.acked), now.sent - began.sent);
        if ahead >= WHOLE_TURN_SEGMENTS.get() * self.mss {
            let is_acknowledged = self.gap.emptied.is_some();
            let turn = Turn { ahead, sent, heard, waited, resumed: time - said, is_acknowledged };
            turning.turns.get_or_insert_default().note(&turn);
        }
    }

    /// The turns of this direction that end at a byte count that repeats.
    pub(crate) fn whole_turns(&self) -> Option<WholeTurns> {
        let peer = self.peer_words();
        let turns = self.words.as_ref()?.turning.turns.as_ref()?.repeated()?;
        Some(WholeTurns { spoke_first: peer.were_awaited, ..turns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(bytes: u64) -> Turn {
        Turn { ahead: bytes, sent: bytes, heard: 26, waited: 40_000_000, resumed: 0, is_acknowledged: true }
    }

    fn turnings(sizes: impl IntoIterator<Item = u64>) -> Option<WholeTurns> {
        let mut turns = Turns::default();
        sizes.into_iter().for_each(|bytes| turns.note(&turn(bytes)));
        turns.repeated()
    }

    /// `WHOLE_TURNS_LEAST`: eight turns of a size.
    #[test]
    fn eight_turns_of_one_size_repeat() {
        assert_eq!(turnings([65_571; 7]), None);
        let turns = turnings([65_571; 8]).unwrap();
        assert_eq!((turns.size, turns.count, turns.sent, turns.heard), (65_571, 8, 524_568, 208));
        assert_eq!((turns.waited, turns.acknowledged, turns.waited_in_all), (320_000_000, 320_000_000, 320_000_000));
    }

    /// `SAME_TURN`: a thirty-second more or less.
    #[test]
    fn sizes_that_differ_by_a_thirty_second_are_alike() {
        let with = |bytes: u64| turnings([32_000; 7].into_iter().chain([bytes])).map(|turns| turns.count);
        assert_eq!([with(33_000), with(31_000), with(33_001), with(30_999)], [Some(8), Some(8), None, None]);
    }

    /// A window that opens by halves.
    #[test]
    fn two_sizes_that_repeat_count_together() {
        let turns = turnings([131_171, 139_317].into_iter().cycle().take(20)).unwrap();
        assert_eq!((turns.size, turns.count), (131_171, 20));
    }

    /// Turns of any size, over two octaves: most are like none before.
    #[test]
    fn random_sizes_do_not_repeat() {
        let random = (0..400_u64).map(|n| 20_000 + n * 7_919 % 60_000);
        let turns = turnings(random).unwrap_or_default();
        assert!(turns.waited * 3 < 400 * 40_000_000, "{turns:?}");
    }

    /// `TURN_RESUMED`: 16.4 ms after the peer's words.
    #[test]
    fn a_program_goes_on_when_it_wakes() {
        let resumed = |nanos: i64| {
            let mut turns = WholeTurns::default();
            turns.add(&Turn { resumed: nanos, ..turn(65_571) });
            turns.resumed
        };
        assert_eq!((resumed(16_400_000), resumed(16_400_001)), (1, 0));
    }
}
