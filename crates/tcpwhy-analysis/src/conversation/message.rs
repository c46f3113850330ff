//! What one end says without a long silence in it.

use tcpwhy_model::{Record, Span, Timestamp};

use super::word::Spoken;
use crate::side::Side;
use crate::thresholds::{LONG_REST, LONG_REST_ROUND_TRIPS, OWN_REST, REPLY_SOON};

/// What came before a message, and how long before, nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// It is the first of all.
    Nothing,
    /// The other end's message.
    Other(i64),
    /// A message of the same end, which the other had acknowledged and left without a word.
    Own(i64),
}

/// What one end says: without a word of the other, and without a long silence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) speaker: Side,
    pub(super) follows: Follows,
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) first_packet: u64,
    pub(super) last_packet: u64,
    pub(super) bytes: u64,
    pub(super) record: Record,
    /// Bytes of its last segment, and of its largest.
    pub(super) last_piece: u64,
    pub(super) largest_piece: u64,
    /// How often its end rested within it although all was acknowledged, and then went on.
    pub(super) rests: u32,
}

/// An end that went on after a silence of this length, with all acknowledged, had more to say: nothing held
/// back the rest, nanoseconds.
pub(super) fn own_rest(rtt: i64) -> i64 {
    OWN_REST.get().saturating_add(rtt)
}

/// A silence of this length ends a message, nanoseconds: no transfer rests for so long at this round trip.
pub(super) fn long_rest(rtt: i64) -> i64 {
    LONG_REST.get().max(rtt.saturating_mul(LONG_REST_ROUND_TRIPS.get()))
}

impl Message {
    pub(super) fn begin(spoken: &Spoken, follows: Follows) -> Self {
        let Spoken { side, bytes, time, packet, record, .. } = *spoken;
        let (first, last, first_packet, last_packet) = (time, time, packet, packet);
        let (last_piece, largest_piece, rests) = (bytes, bytes, 0);
        Self {
            speaker: side,
            follows,
            first,
            last,
            first_packet,
            last_packet,
            bytes,
            record,
            last_piece,
            largest_piece,
            rests,
        }
    }

    /// The same end goes on.
    pub(super) fn extend(&mut self, bytes: u64, time: i64, packet: u64) {
        self.bytes += bytes;
        if bytes > 0 {
            (self.last_piece, self.largest_piece) = (bytes, self.largest_piece.max(bytes));
        }
        if time > self.last {
            (self.last, self.last_packet) = (time, packet);
        }
    }

    pub(super) fn span(&self) -> Span {
        Span::new(Timestamp::from_nanos(self.first), Timestamp::from_nanos(self.last))
    }

    /// Since the other end's message, nanoseconds; 0 where none came right before.
    pub(super) const fn waited(&self) -> i64 {
        match self.follows {
            Follows::Other(nanos) => nanos,
            Follows::Nothing | Follows::Own(_) => 0,
        }
    }

    /// Since whatever came before, nanoseconds.
    pub(super) const fn silence(&self) -> i64 {
        match self.follows {
            Follows::Nothing => 0,
            Follows::Other(nanos) | Follows::Own(nanos) => nanos,
        }
    }

    /// The end goes on after a long silence, although the other said nothing.
    pub(super) const fn is_unasked(&self) -> bool {
        matches!(self.follows, Follows::Own(_))
    }

    /// It follows the other end's words as soon as a program can answer over a path of this round trip.
    pub(super) fn is_prompt(&self, rtt: i64) -> bool {
        matches!(self.follows, Follows::Other(nanos) if nanos <= REPLY_SOON.get().saturating_add(rtt))
    }

    /// It follows the other end's words after a long silence.
    pub(super) fn is_late(&self, rtt: i64) -> bool {
        matches!(self.follows, Follows::Other(nanos) if nanos >= long_rest(rtt))
    }
}
