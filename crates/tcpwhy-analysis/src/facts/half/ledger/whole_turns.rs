//! Turns of this side that end at the same byte count: the window of a protocol above TCP.
//!
//! A sender limited by its peer's protocol stops after the same number of bytes each time. It continues as
//! soon as the peer has sent a few bytes. It does not matter whether all data was acknowledged by then. If
//! the peer allows more only after all data has arrived, it always was.
//!
//! The peer's last payload concerns the data that it acknowledged. So bytes are counted from there. Then the
//! count does not depend on the exact times of the peer's segments, or on whether they come together.

use super::Ledger;
use super::word_sizes::{WordSizes, WordsBetween};
use crate::thresholds::{SAME_TURN, TURN_RESUMED, WHOLE_TURN_SEGMENTS, WHOLE_TURNS_LEAST, part};

/// The turn in progress, and the earlier ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Turning {
    /// Start of the turn in progress; `None` if unknown.
    began: Option<Began>,
    /// Bytes of the peer's payload since then.
    heard: u64,
    /// Turns, from the first one that is large enough for a window.
    turns: Option<Box<Turns>>,
}

/// The start of a turn.
#[derive(Clone, Copy, Debug)]
struct Began {
    /// Bytes that had been sent.
    sent: u64,
    /// Bytes that the peer's last payload had acknowledged: its content concerns these bytes.
    acked: u64,
}

/// Turns of a direction up to now.
#[derive(Clone, Debug, Default)]
struct Turns {
    sizes: [Alike; Self::SIZES],
    words: WordSizes,
    /// Number of turns, and the waits for the peer after them, nanoseconds.
    count: u32,
    waited: i64,
}

/// A turn that the peer's next payload ended.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Bytes above the acknowledgment of the peer's payload before it, and bytes that the turn sent.
    ahead: u64,
    sent: u64,
    /// Bytes of the peer's payload.
    heard: u64,
    /// Time from the turn's last byte to the peer's payload, nanoseconds.
    waited: i64,
    /// Time from this payload to the next turn, nanoseconds.
    resumed: i64,
    /// Everything was acknowledged by then.
    is_acknowledged: bool,
}

/// Turns of about the same size.
#[derive(Clone, Copy, Debug, Default)]
struct Alike {
    /// Bytes of the first of them.
    size: u64,
    /// Number of these turns, less those of unknown sizes since: sizes that do not repeat make room.
    votes: u32,
    sum: WholeTurns,
}

/// Turns that end at a byte count that repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WholeTurns {
    /// This byte count; if there are several, the one with the longest waits.
    pub(crate) size: u64,
    pub(crate) count: u32,
    /// Number of these turns after which the sender continued as soon as it had the peer's payload.
    pub(crate) resumed: u32,
    /// Bytes of all these turns, and of the peer's payload between them.
    pub(crate) sent: u64,
    pub(crate) heard: u64,
    /// Waits for this payload, nanoseconds, and the part of them that ended with nothing in flight.
    pub(crate) waited: i64,
    pub(crate) acknowledged: i64,
    /// Time from the peer's payload to the next turns while nothing was in flight, nanoseconds.
    pub(crate) waking: i64,
    /// Turns of any size, and the waits for the peer after them, nanoseconds.
    pub(crate) count_in_all: u32,
    pub(crate) waited_in_all: i64,
    /// This side sent data before the peer did.
    pub(crate) spoke_first: bool,
    /// The peer's segments between turns.
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
    /// Records a segment of `bytes` from the peer, which is on its way.
    pub(super) fn note_word(&mut self, bytes: u64) {
        if let Some(turns) = &mut self.turns {
            turns.words.note(bytes);
        }
    }

    /// Records a segment of the peer that shows that not all of this side's data had arrived.
    pub(super) fn note_early(&mut self) {
        if let Some(turns) = &mut self.turns {
            turns.words.note_early();
        }
    }

    /// Records that this side has `bytes` of the peer.
    pub(super) fn hear(&mut self, bytes: u64) {
        self.heard += bytes;
    }

    /// Heap memory, bytes.
    pub(super) fn heap(&self) -> usize {
        self.turns.as_ref().map_or(0, |_| size_of::<Turns>())
    }
}

impl Turns {
    /// Number of sizes followed at the same time: a window that opens by halves or by records has a few.
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
    /// Records that this side sends at `time`, which may begin a turn.
    pub(super) fn follow_whole_turn(&mut self, time: i64) {
        let release = self.release();
        let Some(words) = &mut self.words else { return };
        let now = Began { sent: self.nxt, acked: words.acked };
        let said = words.last_after(self.gap.start);
        let turning = &mut words.turning;
        let Some(said) = said.map(|said| said.min(time)) else {
            // Without payload of the peer, this side continued by itself: the reason for the turn's end is
            // unknown.
            if self.gap.emptied.is_some_and(|(emptied, _)| time - emptied > release) {
                turning.began = None;
            }
            return;
        };
        let waited = said - self.gap.start;
        // Payload that crosses this side's data ends no turn, but it still allows more.
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

    /// `WHOLE_TURNS_LEAST`: eight turns of one size.
    #[test]
    fn eight_turns_of_one_size_repeat() {
        assert_eq!(turnings([65_571; 7]), None);
        let turns = turnings([65_571; 8]).unwrap();
        assert_eq!((turns.size, turns.count, turns.sent, turns.heard), (65_571, 8, 524_568, 208));
        assert_eq!((turns.waited, turns.acknowledged, turns.waited_in_all), (320_000_000, 320_000_000, 320_000_000));
    }

    /// `SAME_TURN`: sizes may differ by 1/32.
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

    /// Turns of random sizes, over two octaves: most sizes do not repeat.
    #[test]
    fn random_sizes_do_not_repeat() {
        let random = (0..400_u64).map(|n| 20_000 + n * 7_919 % 60_000);
        let turns = turnings(random).unwrap_or_default();
        assert!(turns.waited * 3 < 400 * 40_000_000, "{turns:?}");
    }

    /// `TURN_RESUMED`: 16.4 ms after the peer's payload.
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
