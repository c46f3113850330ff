//! Messages: the data of one end without a long silence within it.

use tcpwhy_model::{Record, Span, Timestamp};

use super::word::Spoken;
use crate::side::Side;
use crate::thresholds::{LONG_REST, LONG_REST_ROUND_TRIPS, OWN_REST, REPLY_SOON};

/// Predecessor of a message, and the time since then, nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// None, because the message is the first one.
    Nothing,
    /// A message of the other end.
    Other(i64),
    /// A message of the same end, which the other end had acknowledged without sending data.
    Own(i64),
}

/// Data of one end, without data of the other end and without a long silence in between.
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
    /// Number of pauses within it although all data was acknowledged.
    pub(super) rests: u32,
}

/// Returns the silence, nanoseconds, after which an end that continues had more to send. All data was
/// acknowledged, so nothing else delayed the remaining data.
pub(super) fn own_rest(rtt: i64) -> i64 {
    OWN_REST.get().saturating_add(rtt)
}

/// Returns the silence that ends a message, nanoseconds: no transfer pauses for so long at this round trip.
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

    /// Adds further data of the same end.
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

    /// Returns the time since the other end's message, nanoseconds; 0 if none came right before.
    pub(super) const fn waited(&self) -> i64 {
        match self.follows {
            Follows::Other(nanos) => nanos,
            Follows::Nothing | Follows::Own(_) => 0,
        }
    }

    /// Returns the time since the message before, of either end, nanoseconds.
    pub(super) const fn silence(&self) -> i64 {
        match self.follows {
            Follows::Nothing => 0,
            Follows::Other(nanos) | Follows::Own(nanos) => nanos,
        }
    }

    /// Whether the end continues after a long silence, although the other end sent nothing.
    pub(super) const fn is_unasked(&self) -> bool {
        matches!(self.follows, Follows::Own(_))
    }

    /// Whether it follows the other end's message as soon as a program can answer over a path of this round
    /// trip.
    pub(super) fn is_prompt(&self, rtt: i64) -> bool {
        matches!(self.follows, Follows::Other(nanos) if nanos <= REPLY_SOON.get().saturating_add(rtt))
    }

    /// Whether it follows the other end's message after a long silence.
    pub(super) fn is_late(&self, rtt: i64) -> bool {
        matches!(self.follows, Follows::Other(nanos) if nanos >= long_rest(rtt))
    }
}
