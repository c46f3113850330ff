//! Whether the sender waits for its peer's messages rather than for ACKs.

use super::super::around::neighbours;
use super::Evidence;
use super::named::once;
use crate::thresholds::{
    FEW_WORD_ACKS, GRANT_MOST, GRANTED_TIMES, INITIAL_SEGMENTS, PEER_AWAITED, PEER_BEYOND_CHANCE, PEER_FOLLOWED,
    WIDE_REACH, part,
};

#[cfg(test)]
mod tests;

/// Sums over several round trips.
#[derive(Default)]
struct Followed {
    /// Time between bursts, nanoseconds. `released` is the part before sends that followed the peer's payload
    /// at once. `awaited` is the part of that in which ACKs had already made room.
    between: i64,
    released: i64,
    awaited: i64,
    /// All time, and the part that is equally close after the peer's payload, nanoseconds.
    nanos: i64,
    covered: i64,
    /// ACKs that acknowledged new bytes, and those among them with payload.
    acks: u32,
    word_acks: u32,
    /// Bytes that this side sent, and bytes that it received.
    sent: u64,
    heard: u64,
}

impl Followed {
    /// Whether sends follow the peer's payload far more often than by chance, given the time `nanos` before
    /// them.
    fn is_no_chance(&self, nanos: i64) -> bool {
        let chance = self.covered as f64 / self.nanos.max(1) as f64;
        let share = nanos as f64 / self.between.max(1) as f64;
        share - chance >= PEER_BEYOND_CHANCE.get() * (1.0 - chance)
    }
}

impl Evidence<'_> {
    /// Whether data follows the peer's messages at once rather than ACKs, so that this side waits for a
    /// message.
    pub(crate) fn awaits_peer(&self) -> bool {
        once("awaits_peer", &self.awaits_peer, || {
            if self.near().word_released == 0 {
                return false;
            }
            let all = self.followed();
            // ACKs had made room, but this side sent only after a message.
            let is_awaited = || part(all.awaited, all.between) >= PEER_AWAITED && all.is_no_chance(all.awaited);
            // ACKs without payload would have released most of the data if ACKs were the limit.
            let is_released = || part(all.released, all.between) >= PEER_FOLLOWED && all.is_no_chance(all.released);
            let are_few = || part(all.word_acks, all.acks) <= FEW_WORD_ACKS;
            is_awaited() || is_released() && (are_few() || self.is_granted() || self.is_within_first_window())
        })
    }

    /// Whether the peer's messages are short compared with the data that follows them: they grant more rather
    /// than request.
    pub(crate) fn is_granted(&self) -> bool {
        once("is_granted", &self.is_granted, || {
            let (all, words) = (self.followed(), &self.context.peer_words);
            all.sent >= all.heard * GRANTED_TIMES.get() && (words.were_awaited || words.usual <= GRANT_MOST)
        })
    }

    /// Sums over the slots around, up to `WIDE_REACH` on either side.
    fn followed(&self) -> Followed {
        let mut all = Followed::default();
        for slot in neighbours(self.view.slots, self.i, WIDE_REACH.get()) {
            all.between += slot.ack_clocked + slot.room_unused + slot.unreleased;
            all.released += i64::from(slot.word_released) * 1000;
            all.awaited += i64::from(slot.word_awaited) * 1000;
            all.nanos += slot.nanos() - slot.definite;
            all.covered += i64::from(slot.word_covered) * 1000;
            all.acks += slot.advancing_acks;
            all.word_acks += u32::from(slot.word_acks);
            all.sent += slot.sent.get();
            all.heard += u64::from(slot.heard);
        }
        all
    }

    /// Whether no more is in flight than every initial congestion window allows before a loss.
    fn is_within_first_window(&self) -> bool {
        !self.has_lost_before() && self.near().peak_flight as f64 <= INITIAL_SEGMENTS.get() * self.context.mss as f64
    }
}
